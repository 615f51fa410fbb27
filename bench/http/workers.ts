/** What workers cost, and whether one can be replaced unnoticed: `world serve` with one worker and with two. */
import { setTimeout as pause } from 'node:timers/promises'
import { benchStore, idOf, TYPE } from './data.ts'
import { type Effort, load, microsOf, ratio, rounds, SERVER_CORES, spreadOf } from './measure.ts'
import { ENTITIES, type Line, requestText } from './per-request.ts'
import { type Server, startWorld, WORKERS_READY } from './servers.ts'

const LIST = `/api/world/v0/entities/${encodeURIComponent(TYPE)}`
const CONNECTIONS = 32
/** Different entities, so that the workers' caches do not all hold the same one. */
const DIFFERENT = 500

const CASES = [
  ['entity', Array.from({ length: DIFFERENT }, (_, index) => `${LIST}/${idOf(index * 17)}`), 3_000],
  ['page of 50', [LIST], 1_500],
] as const

/** Longer than a worker that goes waits for silent connections, and its successor takes to start. */
const REPLACING_SECONDS = 4
const REPLACED_WITHIN_MS = 30_000

/** Processor time per request, of all processes together, two workers against one; then requests lost while one is replaced. */
export async function workers(effort: Effort): Promise<Line[]> {
  const store = await benchStore(ENTITIES)
  const one = await startWorld('one worker', store, SERVER_CORES, ['--workers', '1'])
  const two = await startWorld('two workers', store, SERVER_CORES, ['--workers', '2'], WORKERS_READY)
  try {
    const lines: Line[] = []
    for (const [name, paths, perSecond] of CASES) {
      const plan = {
        requests: paths.map((path) => requestText(path, {})),
        perSecond,
        connections: CONNECTIONS,
      }
      const samples = await rounds([one, two], plan, '200', effort)
      const value = ratio(samples, one, two)
      lines.push({
        question: `${name}, processor time with two workers against one`,
        bar: '≤ 1.15',
        value,
        met: value.median <= 1.15,
        micros: [microsOf(samples, two), microsOf(samples, one)],
      })
    }
    lines.push(await replacing(two, effort))
    return lines
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
}

async function replacing(server: Server, effort: Effort): Promise<Line> {
  const lost: number[] = []
  for (let round = 0; round < effort.rounds; round += 1) lost.push(await lostWhileReplacing(server, effort))
  const value = spreadOf(lost)
  return { question: 'requests lost while a worker is replaced', bar: '0', value, met: value.max === 0 }
}

/** Asks one worker to go while requests come in steadily. Lost is what was not answered, or not with 200. */
async function lostWhileReplacing(server: Server, effort: Effort): Promise<number> {
  const [old = 0] = workersOf(server)
  const seconds = REPLACING_SECONDS + effort.seconds
  const plan = { requests: [requestText(LIST, {})], perSecond: 500, connections: CONNECTIONS, seconds }
  const running = load({ ...plan, port: server.port })
  await pause(1_000)
  process.kill(old, 'SIGTERM')
  const { answered, lost, statuses } = await running
  const deadline = performance.now() + REPLACED_WITHIN_MS
  while (workersOf(server).includes(old) || workersOf(server).length !== 2) {
    if (performance.now() > deadline) throw new Error(`worker ${old} was not replaced`)
    await pause(50)
  }
  return lost + answered - (statuses['200'] ?? 0)
}

function workersOf(server: Server): number[] {
  return server
    .processes()
    .filter(({ program }) => program === 'worker')
    .map(({ pid }) => pid)
}
