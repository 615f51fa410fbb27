/**
 * Generates load in a separate process, so that no other work delays its measurements. Serves the calls of
 * `LoadProcess`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { answerCalls, type Channel } from '@worldwright/serve/workers'
import { type Connection, openConnection } from '../bench/http/connection.ts'
import { type Ask, DISCOVERY, FLOODS } from './asks.ts'
import { Clients } from './clients.ts'
import type { LoadPlan, LoadReport } from './load-process.ts'
import { watchAll } from './neighbour.ts'
import { quantile } from './quantile.ts'

/** Maximum wait for responses after the end, in milliseconds. Requests without a response by then count as lost. */
const GRACE_MS = 15_000

/** Runs a plan in an open loop or, without a rate, in a closed loop. Calls `opened` once its connections are open. */
async function load(plan: LoadPlan, opened: () => void): Promise<LoadReport> {
  const { port, address, flood, token, connections, perSecond, ms } = plan
  const requestOf = () => bytesOf(FLOODS[flood](token))
  const took: Record<number, number[]> = {}
  const late: number[] = []
  /** Connections with a request in flight, with the time at which it was sent, in milliseconds. */
  const open = new Map<Connection, number>()
  let began = 0
  let count = 0
  let lost = 0
  let going = true

  /** Returns the number of requests due by now, which is infinite without a rate. */
  const due = () =>
    perSecond === undefined
      ? Number.POSITIVE_INFINITY
      : Math.ceil(((performance.now() - began) / 1_000) * perSecond)
  const send = (connection: Connection) => {
    const now = performance.now()
    const planned = perSecond === undefined ? now : began + (count / perSecond) * 1_000
    late.push(now - planned)
    open.set(connection, now)
    connection.send(requestOf(), planned)
    count += 1
  }
  const goOn = (connection: Connection) => {
    open.delete(connection)
    if (going && count < due()) send(connection)
    else idle.push(connection)
  }
  const events = {
    answered(connection: Connection, _planned: number, status: string) {
      const list = took[Number(status)] ?? []
      took[Number(status)] = list
      list.push(performance.now() - (open.get(connection) ?? 0))
      goOn(connection)
    },
    lost(connection: Connection) {
      lost += 1
      goOn(connection)
    },
  }
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const idle: Connection[] = []
  for (let count = 0; count < connections; count++) {
    idle.push(openConnection(port, events, address))
    if (count % 50 === 49) await pause(20)
  }
  const all = [...idle]
  // The response to this request shows that all earlier connections have been accepted.
  await new Clients(port, address, 0).ask(DISCOVERY)
  opened()
  delay.enable()
  const cpu = process.cpuUsage()
  began = performance.now()
  while (performance.now() - began < ms) {
    for (let left = due() - count; left > 0; left--) {
      const connection = idle.shift()
      if (connection === undefined) break
      send(connection)
    }
    await pause(1)
  }
  const seconds = (performance.now() - began) / 1_000
  going = false
  // Requests without a free connection were never sent, so the load was smaller than planned.
  const neverAsked = perSecond === undefined ? 0 : due() - count
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  const end = performance.now() + GRACE_MS
  while (open.size > 0 && performance.now() < end) await pause(5)
  lost += open.size
  for (const connection of all) connection.close()
  const tookOf = (statuses: (status: number) => boolean) =>
    Object.entries(took).flatMap(([status, list]) => (statuses(Number(status)) ? list : []))
  return {
    asked: count,
    neverAsked,
    seconds,
    statuses: Object.fromEntries(Object.entries(took).map(([status, list]) => [status, list.length])),
    lost,
    good: spread(tookOf((status) => status >= 200 && status < 400)),
    refused: spread(tookOf((status) => status === 503)),
    generator: {
      cpu: (user + system) / 1e6 / seconds,
      lagMs: delay.percentile(99) / 1e6,
      lateMs: quantile(late, 0.99),
    },
  }
}

function spread(list: readonly number[]): LoadReport['good'] {
  return { count: list.length, p50: quantile(list, 0.5), p99: quantile(list, 0.99), max: quantile(list, 1) }
}

function bytesOf({ path, method = 'GET', headers = {}, body = '' }: Ask): Buffer {
  const fields = Object.entries({ host: 'chaos', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${fields.join('')}${length}\r\n${body}`, 'latin1')
}

let watching: ReturnType<typeof watchAll> | undefined

let opening = Promise.withResolvers<void>()

answerCalls(process as unknown as Channel, {
  load(plan: LoadPlan) {
    opening = Promise.withResolvers()
    return load(plan, opening.resolve)
  },
  opened: () => opening.promise,
  watch(watches: Parameters<typeof watchAll>[0]): void {
    watching = watchAll(watches)
  },
  seen: () => watching?.stop(),
})
