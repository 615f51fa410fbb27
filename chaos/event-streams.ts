/** Opens many event streams that request the whole log at once. Each client reads either all events or none. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@worldwright/engines'
import { PAGE } from './asks.ts'
import { type Effort, type Finding, finding } from './fault.ts'
import { cores, LoadProcess } from './load-process.ts'
import { memoryOf } from './processes.ts'
import { quantile } from './quantile.ts'
import { type ServedWorld, serveWorld, TYPE, waitedFor, writeToken } from './served-world.ts'

const KINDS = ['read', 'unread'] as const
/** Deadline for all reading streams to catch up, in milliseconds. Generous for slow machines. */
const CAUGHT_UP_MS = 600_000
/** Time for which unread streams stay open, in milliseconds. */
const UNREAD_MS = 4_000
/** Maximum processor time that the world may use between a neighbour's request and its response, in milliseconds. */
const MAX_WORKED_MS = 500
/** Maximum bytes per open stream, including its send buffer. */
const MAX_STREAM_BYTES = 130_000

/** Runs the fault: many streams replay the log, each with its own filter so that no two share a read. */
export async function eventStreams({ short }: Effort): Promise<Finding> {
  const [streams, changes] = short ? [150, 1_000] : [1_500, 5_000]
  const folder = mkdtempSync(join(tmpdir(), 'world-streams-'))
  const store = join(folder, 'world.db')
  await writeToken(store)
  await fill(store, changes)
  const figures: string[] = []
  const mistakes: Record<string, number> = {}
  try {
    for (const kind of KINDS) {
      const world = await serveWorld(store, { workers: 1, under: ['taskset', '-c', cores().world] })
      try {
        const { worked, growth, behind, text } = await replayed(world, kind, streams)
        figures.push(`${kind}: ${text}`)
        mistakes[`streams that did not catch up (${kind})`] = kind === 'read' ? behind : 0
        mistakes[`figures beyond their limit (${kind})`] =
          !short && (worked > MAX_WORKED_MS || growth > streams * MAX_STREAM_BYTES) ? 1 : 0
      } finally {
        await world.stop()
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return finding(`${streams} streams of ${changes} changes; ${figures.join('; ')}`, mistakes)
}

async function fill(file: string, changes: number): Promise<void> {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  const things = Array.from({ length: changes }, (_, at) => ({
    put: { type: TYPE, id: `t${at}`, attributes: { at } },
  }))
  while (things.length > 0) await store.write(things.splice(0, 500))
  await store.close()
}

async function replayed(world: ServedWorld, kind: (typeof KINDS)[number], streams: number) {
  const pids = world.pids('primary')
  const neighbour = new LoadProcess('neighbour')
  await neighbour.watch({
    page: { port: world.port, address: '127.0.0.2', pids, ask: PAGE, everyMs: 20 },
  })
  await pause(1_000)
  const before = memoryOf(pids)
  let peak = before
  const measuring = setInterval(() => (peak = Math.max(peak, memoryOf(pids))), 50)
  const began = performance.now()
  let caughtUp = 0
  const sockets = await Promise.all(
    Array.from({ length: streams }, (_, at) => opened(world, kind, at, () => caughtUp++)),
  )
  if (kind === 'read') await waitedFor(() => caughtUp === streams, CAUGHT_UP_MS)
  else await pause(UNREAD_MS)
  const seconds = (performance.now() - began) / 1_000
  const { page } = await neighbour.seen<'page'>()
  await neighbour.stop()
  clearInterval(measuring)
  for (const socket of sockets) socket.destroy()
  const took = page.answers.map(({ status, ms }) => (status === 200 ? ms : Number.POSITIVE_INFINITY))
  const [worked, growth] = [Math.max(...page.worked), peak - before]
  const text = `${seconds.toFixed(1)} s, neighbour p99 ${quantile(took, 0.99).toFixed(0)} ms, slowest ${Math.max(...took).toFixed(0)} ms, of which worked ${worked.toFixed(0)} ms, memory +${(growth / 1024 / 1024).toFixed(0)} MB`
  return { worked, growth, behind: streams - caughtUp, text }
}

/** Opens a stream from its own address, to stay below per-address limits. Calls `isCaughtUp` after the last event. */
async function opened(
  { port }: ServedWorld,
  kind: (typeof KINDS)[number],
  at: number,
  isCaughtUp: () => void,
): Promise<Socket> {
  const localAddress = `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const types = encodeURIComponent(`${TYPE},own:s${at}`)
  socket.write(
    `GET /api/world/v0/changes?types=${types} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n`,
  )
  let end = ''
  if (kind === 'read')
    socket.setEncoding('latin1').on('data', function seen(piece: string) {
      end = (end + piece).slice(-2_000)
      if (!end.includes('event: position\n')) return
      socket.off('data', seen).resume()
      isCaughtUp()
    })
  return socket
}
