/**
 * Sends a world five times the load that it can handle, in an open loop from one address, along with a few requests of other
 * clients. Goodput must not drop, excess requests must wait or be refused immediately, and other clients must not be
 * affected. The world and the load run on separate cores, and the generator's own lateness is reported.
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

/** Requests and connections of an overload. */
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

/** Overloads a world with searches for a text of 500 characters. */
export const overloadQuestions = fault({ flood: 'questions', connections: 512, width: 4 })
/** Overloads a world with searches for three words, mixed with reads of single entities. */
export const overloadSearches = fault({ flood: 'searches', connections: 512, width: 16 })
/** Overloads a world with repeated requests for the same list pages. */
export const overloadLists = fault({ flood: 'lists', connections: 500, width: 64 })
/** Overloads a world with repeated requests for the same list pages, over thousands of connections. */
export const overloadConnections = fault({ flood: 'lists', connections: 5_000, width: 64 })
/** Overloads a world with list pages that were never requested before. */
export const overloadNewLists = fault({ flood: 'new lists', connections: 500, width: 64 })
/** Overloads a world with list pages that were never requested before, over thousands of connections. */
export const overloadNewConnections = fault({ flood: 'new lists', connections: 5_000, width: 64 })
/** Overloads a world with writes of 256 KiB entities. */
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

/** Overload with the processes that cause and observe it. */
interface Trial extends Overload {
  readonly token: string
  readonly flooder: LoadProcess
  readonly neighbour: LoadProcess
}

/** Report of a load, the rates of successful responses, and a neighbour's observations. */
interface Measured {
  readonly report: LoadReport
  readonly perSecond: number
  /** Successful responses per second of the world's processor time. */
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
  // Measures the capacity again, because the speed of the machine may drift for unrelated reasons.
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
    // In a short run, other work may share the machine.
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

/** Puts a load on a world while a neighbour sends requests. Excludes the time to open the connections. */
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

/** Returns the requests that a neighbour sends during the overload. */
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

async function fill(file: string, entities: number): Promise<void> {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  const all = await store.bulk()
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
  await store.close()
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
 * Describes the latency of the slowest request, and the maximum, p99 and p50 of the world's processor time during a request.
 * Latency in excess of that was due to other processes on the world's cores.
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
