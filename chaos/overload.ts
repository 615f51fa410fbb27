/**
 * Five times the capacity of a world, in an open loop, from one address, beside clients that ask for little. Goodput stays
 * the same, other requests wait or are refused at once, and other clients do not notice. The world and its clients have
 * separate cores, so that the generator's work is not the world's; the generator's own lateness is reported.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@worldwright/engines'
import { DISCOVERY, type FLOODS, PAGE, search, words } from './asks.ts'
import { type Answer, Clients } from './clients.ts'
import { type Effort, type Fault, type Finding, finding } from './fault.ts'
import { cores, type LoadPlan, LoadProcess, type LoadReport, type Seen } from './load-process.ts'
import { memoryOf, pidsOf, workedMs } from './processes.ts'
import { quantile } from './quantile.ts'
import { type ServedWorld, serveWorld, TYPE, writeToken } from './served-world.ts'

/** One overload: its requests and connections. */
interface Overload {
  readonly flood: keyof typeof FLOODS
  readonly connections: number
  /** Number of connections used to measure the capacity. */
  readonly width: number
}

const TIMES = 5
const FLOODER = '127.0.0.9'
const NEIGHBOUR = '127.0.0.2'
const ONE_WORD = search(words(1))

/** Searches with a text of 500 characters. */
export const overloadQuestions = fault({ flood: 'questions', connections: 512, width: 4 })
/** Searches with three words, mixed with reads of an entity. */
export const overloadSearches = fault({ flood: 'searches', connections: 512, width: 16 })
/** Pages of lists that are requested repeatedly. */
export const overloadLists = fault({ flood: 'lists', connections: 500, width: 64 })
/** The same over thousands of connections. */
export const overloadConnections = fault({ flood: 'lists', connections: 5_000, width: 64 })
/** Pages of lists that were never requested before. */
export const overloadNewLists = fault({ flood: 'new lists', connections: 500, width: 64 })
/** The same over thousands of connections. */
export const overloadNewConnections = fault({ flood: 'new lists', connections: 5_000, width: 64 })
/** Writes of entities of 256 KiB. */
export const overloadWrites = fault({ flood: 'writes', connections: 128, width: 8 })

function fault(overload: Overload): Fault {
  return async (effort) => {
    const folder = mkdtempSync(join(tmpdir(), 'world-overload-'))
    const store = join(folder, 'world.db')
    const flooder = new LoadProcess('load')
    const neighbour = new LoadProcess('neighbour')
    try {
      const token = await writeToken(store)
      await fill(store, effort.short ? 5_000 : 100_000)
      const world = await serveWorld(store, {
        env: { WORLD_ADMIN_PORT: '0' },
        under: ['taskset', '-c', cores().world],
      })
      try {
        while (!world.said().includes('Workers ready')) await pause(20)
        return await run(world, { ...overload, token, flooder, neighbour }, effort)
      } finally {
        await world.stop()
      }
    } finally {
      await Promise.all([flooder.stop(), neighbour.stop()])
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** An overload, with the processes that cause and observe it. */
interface Trial extends Overload {
  readonly token: string
  readonly flooder: LoadProcess
  readonly neighbour: LoadProcess
}

/** Report of a load, the world's use of processor time, and the observations of a neighbour. */
interface Measured {
  readonly report: LoadReport
  readonly perSecond: number
  /** Good answers per second of the world's processor time. */
  readonly perProcessorSecond: number
  readonly seen: Record<keyof ReturnType<typeof watchesOf>, Seen>
}

async function run(world: ServedWorld, trial: Trial, { short }: Effort): Promise<Finding> {
  const { connections, width } = trial
  const ms = short ? 2_000 : 10_000
  await measured(world, trial, { connections: width, ms: ms / 2 })
  const calm = await measured(world, trial, { connections: width, ms })
  const before = { pids: world.pids('worker').join(), memory: memoryOf(pidsOf(world)) }
  let peak = 0
  const measuring = setInterval(() => (peak = Math.max(peak, memoryOf(pidsOf(world)))), 250)
  const perSecond = TIMES * calm.perSecond
  const flooded = await measured(world, trial, { connections, perSecond, ms: short ? 4_000 : 60_000 })
  clearInterval(measuring)
  await pause(1_000)
  const after = await new Clients(world.port, NEIGHBOUR, 0).ask(ONE_WORD)
  // The speed of the machine may drift for unrelated reasons.
  const again = await measured(world, trial, { connections: width, ms })
  const { report, seen } = flooded
  const growth = (peak - before.memory) / 1024 / 1024
  const goodput = flooded.perSecond / mean(calm.perSecond, again.perSecond)
  const goodputOfWork = flooded.perProcessorSecond / mean(calm.perProcessorSecond, again.perProcessorSecond)
  const text = [
    `capacity ${calm.perSecond.toFixed(0)}/s before, ${again.perSecond.toFixed(0)}/s after`,
    `${report.asked} asked, ${report.refused.count} refused, ${report.neverAsked} without a free connection`,
    `goodput ${percent(goodput)}, by processor time ${percent(goodputOfWork)}`,
    `answered p50 ${report.good.p50.toFixed(0)} p99 ${report.good.p99.toFixed(0)} ms, refused p99 ${report.refused.p99.toFixed(0)} ms`,
    ...Object.entries(seen).map(
      ([name, some]) => `${name} ${spentOn(some)}, calm ${spentOn(calm.seen[name as keyof typeof seen])}`,
    ),
    `memory +${growth.toFixed(0)} MB`,
    `generator: ${percent(report.generator.cpu)} of a core, late by ${report.generator.lagMs.toFixed(0)} ms (p99), neighbour by ${seen.search.lagMs.toFixed(0)} ms at most`,
  ]
  return finding(text.join('; '), {
    'workers ended': before.pids === world.pids('worker').join() ? 0 : 1,
    'without any answer': report.lost,
    'wrong answers': report.asked - report.lost - report.good.count - report.refused.count,
    'searches of another client refused': unanswered(seen.search),
    'discoveries refused': unanswered(seen.discovery),
    'not ready': unanswered(seen.readiness),
    'not well a second later': after.status === 200 ? 0 : 1,
    // In short, other work may share the machine.
    'figures beyond their limit': short
      ? 0
      : [
          goodput < 0.8,
          slowest(seen.search) > 500,
          p99(seen.search) > 250,
          slowest(seen.discovery) > 250,
          slowest(seen.readiness) > 250,
          growth > 150,
        ].filter(Boolean).length,
  })
}

/** Puts a world under a load while a neighbour sends requests. Opening the connections is not counted. */
async function measured(
  world: ServedWorld,
  { flood, token, flooder, neighbour }: Trial,
  load: Pick<LoadPlan, 'connections' | 'perSecond' | 'ms'>,
): Promise<Measured> {
  const pids = pidsOf(world)
  const loading = flooder.load({ port: world.port, address: FLOODER, flood, token, ...load })
  await flooder.opened()
  await neighbour.watch(watchesOf(world))
  const before = workedMs(pids)
  const report = await loading
  const processor = (workedMs(pids) - before) / 1_000
  const seen = await neighbour.seen<keyof ReturnType<typeof watchesOf>>()
  const { count } = report.good
  return { report, perSecond: count / report.seconds, perProcessorSecond: count / processor, seen }
}

/** Requests of a neighbour during the overload. */
function watchesOf(world: ServedWorld) {
  const adminPort = Number(/Health: +http:\/\/[^/]*:(\d+)\//.exec(world.said())?.[1])
  const own = { port: world.port, address: NEIGHBOUR, everyMs: 100, pids: pidsOf(world) }
  return {
    search: { ...own, ask: ONE_WORD },
    discovery: { ...own, ask: DISCOVERY },
    page: { ...own, ask: PAGE },
    readiness: { ...own, port: adminPort, ask: { path: '/ready' } },
  }
}

async function fill(store: string, entities: number): Promise<void> {
  const storage = await openStore(`sqlite:${store}`, { role: 'writer' })
  const all = await storage.bulk()
  for (let first = 0; first < entities; first += 1_000)
    await all.add(
      Array.from({ length: Math.min(1_000, entities - first) }, (_, index) => ({
        type: TYPE,
        id: `t${first + index}`,
        title: words(3),
        attributes: { text: words(20) },
      })),
    )
  await all.commit()
  await storage.close()
}

function slowest(seen: Seen): number {
  return msAt(seen, 1)
}

function p99(seen: Seen): number {
  return msAt(seen, 0.99)
}

function msAt({ answers }: Seen, part: number): number {
  return quantile(
    answers.map(({ ms }: Answer) => ms),
    part,
  )
}

/**
 * Returns the latency of the slowest request, and the processor time of the world meanwhile: maximum, p99 and p50. The rest
 * of the time went to other processes on its cores.
 */
function spentOn(seen: Seen): string {
  const worked = [1, 0.99, 0.5].map((part) => quantile(seen.worked, part).toFixed(0))
  return `${slowest(seen).toFixed(0)} ms (worked ${worked.join(' / ')})`
}

function mean(one: number, other: number): number {
  return (one + other) / 2
}

function percent(part: number): string {
  return `${(100 * part).toFixed(0)} %`
}

function unanswered({ answers }: Seen): number {
  return answers.filter(({ status }) => status !== 200).length
}
