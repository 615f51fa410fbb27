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
      lines.push(...(await costsOf(one, two, name, paths, perSecond, effort)))
    }
    lines.push(await replacing(two, effort))
    return lines
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
}

/**
 * Two workers, first with as much for each as one has, which is what they are there for, then with as much for both
 * together; and one with half as much: a process that sleeps longer between requests takes longer for each.
 */
async function costsOf(
  one: Server,
  two: Server,
  name: string,
  paths: readonly string[],
  perSecond: number,
  effort: Effort,
): Promise<Line[]> {
  const halved = { ...one, name: 'one worker, half the load' }
  const doubled = { ...two, name: 'two workers, twice the load' }
  const rates = new Map([
    [one, perSecond],
    [halved, perSecond / 2],
    [two, perSecond],
    [doubled, 2 * perSecond],
  ])
  const requests = paths.map((path) => requestText(path, {}))
  const planOf = (server: Server) => ({
    requests,
    perSecond: rates.get(server) ?? perSecond,
    connections: CONNECTIONS,
  })
  const samples = await rounds([...rates.keys()], planOf, '200', effort)
  const line = (what: string, server: Server, bar?: number): Line => {
    const value = ratio(samples, one, server)
    const micros: [number, number] = [microsOf(samples, server), microsOf(samples, one)]
    const question = `${name}, ${what}, against one worker`
    return bar === undefined
      ? { question, bar: '', value, micros }
      : { question, bar: `≤ ${bar}`, value, met: value.median <= bar, micros }
  }
  return [
    line('two workers, each with as much to do', doubled, 1.15),
    line('two workers, together with as much to do', two, 1.15),
    line('one with half as much to do', halved),
  ]
}

async function replacing(server: Server, effort: Effort): Promise<Line> {
  const lost: number[] = []
  for (let round = 0; round < effort.rounds; round += 1) lost.push(await lostWhileReplacing(server, effort))
  const value = spreadOf(lost)
  return { question: 'requests lost while a worker is replaced', bar: '0', value, met: value.max === 0 }
}

/** Asks one worker to go while requests come in steadily. Lost is what was not answered, or not with 200. */
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
