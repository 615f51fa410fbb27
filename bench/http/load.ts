/**
 * Load generator, which is a separate program so that it shares no core with the measured server. It is open-loop:
 * requests are due at planned moments, whether or not earlier requests were answered, and latency counts from the
 * planned moment. This avoids coordinated omission: a slow server cannot reduce its own load.
 *
 * Reads a `LoadPlan` as JSON from standard input and prints a `LoadResult` as JSON.
 */
import { text } from 'node:stream/consumers'
import { type Connection, openConnection } from './connection.ts'

/** Plan of a load: requests, rate, duration and number of connections. */
export interface LoadPlan {
  readonly port: number
  /** Complete requests, sent in turn. */
  readonly requests: readonly string[]
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
}

/** Outcome of a load. Latencies are in milliseconds, from the planned moment to the last byte of the answer. */
export interface LoadResult {
  readonly answered: number
  /** Requests whose connection closed before the answer was complete, or that had no answer after `GRACE_MS`. */
  readonly lost: number
  /** Number of answers per status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Returns the text of a GET request. */
export function requestText(path: string, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries({ Host: '127.0.0.1', Accept: 'application/json', ...headers })
  return `GET ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

/** Maximum wait for answers after the last planned moment, in milliseconds. */
const GRACE_MS = 60_000

/** Runs a plan. Ends at most `GRACE_MS` after the last planned moment. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const requests = plan.requests.map((text) => Buffer.from(text, 'latin1'))
  const total = Math.round(plan.perSecond * plan.seconds)
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const waiting: number[] = []
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  let sent = 0
  let lost = 0

  function goOn(connection: Connection): void {
    const next = waiting.shift()
    if (next !== undefined) send(connection, next)
    else idle.push(connection)
    if (latencies.length + lost >= total) finish()
  }

  function send(connection: Connection, planned: number): void {
    connection.send(requests[sent++ % requests.length] ?? Buffer.alloc(0), planned)
  }

  const events = {
    answered(connection: Connection, planned: number, status: string) {
      latencies.push(performance.now() - planned)
      statuses[status] = (statuses[status] ?? 0) + 1
      goOn(connection)
    },
    lost(connection: Connection) {
      lost += 1
      goOn(connection)
    },
  }
  const connections = Array.from({ length: plan.connections }, () => openConnection(plan.port, events))
  // Round robin, so that every connection, and the process behind it, gets its share.
  const idle = [...connections]

  const start = performance.now()
  let planned = 0
  const tick = () => {
    // The first request is due immediately.
    const due = Math.min(total, 1 + Math.floor(((performance.now() - start) / 1000) * plan.perSecond))
    for (; planned < due; planned += 1) {
      const moment = start + (planned / plan.perSecond) * 1000
      const connection = idle.shift()
      if (connection === undefined) waiting.push(moment)
      else send(connection, moment)
    }
    if (planned < total) setImmediate(tick)
    else setTimeout(finish, GRACE_MS).unref()
  }
  tick()
  await done
  for (const connection of connections) connection.close()
  return { answered: latencies.length, lost: total - latencies.length, statuses, ...spread(latencies) }
}

function spread(latencies: number[]): { p50: number; p99: number; max: number } {
  latencies.sort((a, b) => a - b)
  const at = (part: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

if (process.argv[1] === import.meta.filename) {
  const result = await runLoad(JSON.parse(await text(process.stdin)))
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
