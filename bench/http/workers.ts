/** Cost of workers, and requests lost during a replacement: `world serve` with one worker and with two. */
import { setTimeout as pause } from 'node:timers/promises'
import { ALL_CORES } from './cores.ts'
import { benchStore, ENTITIES, HOT, LIST } from './data.ts'
import { requestText } from './load.ts'
import { compared, type Effort, inTurns, load, spreadOf } from './measure.ts'
import { type Server, startWorld, WORKERS_READY } from './servers.ts'
import type { Line } from './table.ts'
import { underLoad } from './wrk.ts'

const CONNECTIONS = 32
/** Maximum ratio of processor time per request, two workers to one. */
const MOST = 1.05

const CASES = [
  [`${HOT.entities} entities`, HOT],
  ['page of 50', { path: LIST }],
] as const

/** Time for a replacement: longer than an exiting worker waits for idle connections and its successor takes to start. */
const REPLACING_SECONDS = 4
const REPLACED_WITHIN_MS = 30_000

/**
 * Compares the processor time per request, summed over all processes, of two workers on all cores with that of one
 * worker, without and with an access log. Then counts the requests lost while a worker is replaced.
 */
export async function workers(effort: Effort, quick: boolean): Promise<Line[]> {
  const quiet = await onePair([], effort)
  return quick ? quiet : [...quiet, ...(await onePair(['--access-log'], effort))]
}

async function onePair(flags: readonly string[], effort: Effort): Promise<Line[]> {
  const store = await benchStore(ENTITIES)
  const one = await startWorld('one worker', store, ALL_CORES, ['--workers', '1', ...flags])
  const two = await startWorld('two workers', store, ALL_CORES, ['--workers', '2', ...flags], WORKERS_READY)
  try {
    const costs = await costsOf(one, two, flags.length === 0 ? '' : ' with a log', effort)
    return flags.length === 0 ? [...costs, await replacing(two, effort)] : costs
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
}

async function costsOf(one: Server, two: Server, log: string, effort: Effort): Promise<Line[]> {
  const lines: Line[] = []
  // The load shares the cores with the servers, because a machine with two cores has no third core.
  const pressure = { connections: CONNECTIONS, seconds: effort.seconds, cores: ALL_CORES }
  for (const [name, asked] of CASES) {
    const take = (server: Server) => underLoad(server, asked, pressure)
    const { cost, perSecond, micros } = compared(await inTurns([two, one], take, effort.rounds), one, two)
    lines.push({
      question: `${name}, two workers${log} on all cores against one`,
      bar: `≤ ${MOST}`,
      value: cost,
      met: cost.median <= MOST,
      perSecond: [perSecond[1], perSecond[0]],
      micros: [micros[1], micros[0]],
    })
  }
  return lines
}

async function replacing(server: Server, effort: Effort): Promise<Line> {
  const lost: number[] = []
  for (let round = 0; round < effort.rounds; round += 1) lost.push(await lostWhileReplacing(server, effort))
  const value = spreadOf(lost)
  return { question: 'requests lost while a worker is replaced', bar: '0', value, met: value.max === 0 }
}

/** Sends SIGTERM to a worker under steady load. Returns the number of requests not answered with 200. */
async function lostWhileReplacing(server: Server, effort: Effort): Promise<number> {
  const [old] = workersOf(server)
  if (old === undefined) throw new Error('world serve has no workers')
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
    .filter(({ program }) => program === 'worker-program')
    .map(({ pid }) => pid)
}
