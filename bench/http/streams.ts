/** Cost of idle event streams: their memory, and the latency of concurrent reads. */
import { connect, type Socket } from 'node:net'
import { SERVER_CORES } from './cores.ts'
import { benchStore, ENTITIES, idOf, LIST } from './data.ts'
import { requestText } from './load.ts'
import { type Effort, load, type Spread, spreadOf } from './measure.ts'
import { type Server, startWorld } from './servers.ts'
import type { Line } from './table.ts'

const STREAMS = 5_000
const QUICK_STREAMS = 50
/** Number of streams that are opened concurrently. */
const AT_ONCE = 50
const PER_SECOND = 1_000
/** Factor by which a turn is longer than in other parts, because a 99th percentile needs more answers. */
const LONGER = 3
const MOST_MEGABYTES = 100
/** Maximum ratio of latencies with streams to without. Noise alone changes the ratio by this much. */
const MOST_RATIO = 1.1

/** Measures the megabytes that streams add to the serving process, and the p99 of reads with and without them. */
export async function streams(effort: Effort, quick: boolean): Promise<Line[]> {
  const count = quick ? QUICK_STREAMS : STREAMS
  const server = await startWorld('world serve', await benchStore(ENTITIES), SERVER_CORES, ['--workers', '1'])
  const sockets: Socket[] = []
  try {
    // The first streams are a warm-up for compilation and one-time allocations.
    for (const socket of await opened(server, QUICK_STREAMS)) socket.destroy()
    const without = await readsOf(server, effort)
    const before = residentOf(server)
    while (sockets.length < count) sockets.push(...(await opened(server, Math.min(AT_ONCE, count))))
    const megabytes = (residentOf(server) - before) / 1e6
    const withThem = await readsOf(server, effort)
    const ratio = withThem.map((p99, round) => p99 / (without[round] ?? Number.NaN))
    const value = spreadOf([megabytes])
    return [
      {
        question: `${count} idle event streams, MB more`,
        bar: `≤ ${MOST_MEGABYTES}`,
        value,
        met: megabytes <= MOST_MEGABYTES,
      },
      line(`reads beside them (${PER_SECOND} a second), p99 with against without`, spreadOf(ratio)),
      { question: 'the same without them, p99 in ms', bar: '', value: spreadOf(without) },
      { question: 'the same with them, p99 in ms', bar: '', value: spreadOf(withThem) },
    ]
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
}

function line(question: string, value: Spread): Line {
  return { question, bar: `≤ ${MOST_RATIO}`, value, met: value.median <= MOST_RATIO }
}

/** Returns the 99th percentile of latency in each round, in milliseconds from the planned moment. */
async function readsOf({ port, name }: Server, { rounds, seconds }: Effort): Promise<number[]> {
  const paths = Array.from({ length: 200 }, (_, index) => `${LIST}/${idOf(index)}`)
  const requests = paths.map((path) => requestText(path, {}))
  const plan = { port, requests, perSecond: PER_SECOND, seconds: LONGER * seconds, connections: 32 }
  const found: number[] = []
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const { p99, lost } = await load(plan)
    if (lost > 0) throw new Error(`${name}: ${lost} of the reads had no answer`)
    if (round > 0) found.push(p99)
  }
  return found
}

function residentOf(server: Server): number {
  return server.processes()[0]?.resident ?? Number.NaN
}

/** Opens streams and waits for the first event of each stream. */
function opened({ port }: Server, count: number): Promise<Socket[]> {
  const request =
    'GET /api/world/v0/changes?since=now HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n'
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1')
          let said = ''
          const heard = (chunk: Buffer) => {
            said += chunk
            if (!said.includes('event: position')) return
            socket.off('data', heard).off('close', reject).resume()
            resolve(socket)
          }
          socket.on('data', heard).once('close', reject).on('error', reject)
          socket.write(request)
        }),
    ),
  )
}
