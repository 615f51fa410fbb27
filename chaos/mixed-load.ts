/**
 * Reads, searches, rewrites, deletes and imports for a long time, at a rate that the world sustains easily. Memory, file
 * handles, file size, index segments and latency must not grow. Their slopes are printed.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ask } from './asks.ts'
import { type Answer, Clients } from './clients.ts'
import { type Effort, type Finding, finding } from './fault.ts'
import { memoryOf, pidsOf } from './processes.ts'
import { quantile } from './quantile.ts'
import { type ServedWorld, serveWorld, TYPE, waitedFor, writeToken } from './served-world.ts'

const PER_SECOND = 60
const CONNECTIONS = 16
/** Number of entities, which are rewritten repeatedly. */
const POOL = 3_000
const BULK_ROWS = 500
/** Number of reads of each entity before the measurement. */
const WARM_ROUNDS = 6
const AT_ONCE = 50
const API = '/api/world/v0'
const LIST = `${API}/entities/${encodeURIComponent(TYPE)}`
const OPERATED = `/api/operator/v0/entities/${encodeURIComponent(TYPE)}`
const WORDS = 'moon ring comet orbit dust ice crater probe dawn shadow'.split(' ')

/** Measurements of a world at one moment. */
interface Sample {
  readonly seconds: number
  readonly memoryMb: number
  readonly primaryMb: number
  readonly workersMb: number
  readonly searcherMb: number
  readonly handles: number
  readonly fileMb: number
  readonly segments: number
  readonly p99Ms: number
}

type Measure = Exclude<keyof Sample, 'seconds'>

/**
 * Maximum growth over the whole time according to the slope, as a proportion of the mean plus an absolute allowance. Small
 * numbers fluctuate, and the file and the index vary with merges and the log.
 */
const MAY_GROW: Readonly<Record<Measure, readonly [part: number, more: number]>> = {
  memoryMb: [0.1, 20],
  primaryMb: [0.1, 10],
  workersMb: [0.1, 10],
  searcherMb: [0.1, 10],
  handles: [0, 4],
  fileMb: [0.1, 8],
  segments: [0.2, 8],
  p99Ms: [0.5, 10],
}

/** Runs the fault for 45 minutes. A short run takes 30 seconds and judges only failures and file handles. */
export async function mixedLoad({ short, minutes = short ? 0.5 : 45 }: Effort): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'world-mixed-'))
  const store = join(folder, 'world.db')
  const token = await writeToken(store)
  const world = await serveWorld(store)
  try {
    await waitedFor(() => world.said().includes('Workers ready'), 60_000)
    const clients = new Clients(world.port, '127.0.0.2', CONNECTIONS)
    for (let at = 0; at < POOL / BULK_ROWS; at++) await clients.ask(bulk(token, at))
    // Open every connection now, since one that opens later would count as a handle that was leaked.
    await Promise.all(Array.from({ length: CONNECTIONS }, () => clients.ask({ path: LIST })))
    if (!short) await warmUp(clients)
    const family = pidsOf(world)
    const { samples, answers } = await measured(world, store, clients, token, minutes)
    clients.close()
    const unanswered = answers.filter(({ status }) => status === 0 || status >= 500)
    // In a short run, other work may share the machine, so refusals are not judged.
    const failed = unanswered.filter(({ status }) => !short || status !== 503).length
    const now = pidsOf(world)
    const ended = family.filter((pid) => !now.includes(pid)).length
    const slopes = judged(samples.slice(Math.floor(samples.length / 4)))
    const flaws = slopes.filter(({ name, isFlat }) => !isFlat && (!short || name === 'handles'))
    const lasted = (samples.at(-1)?.seconds ?? 0) / 60
    return finding(
      `${lasted.toFixed(1)} minutes, ${answers.length} requests, not answered: ${tally(unanswered) || 'none'}; ${short ? 'of a start, not judged: ' : ''}${slopes.map(({ text }) => text).join(', ')}`,
      { 'requests failed': failed, 'processes that ended': ended, 'figures that grow': flaws.length },
    )
  } finally {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lists each status, or reason for a missing response, with the number of times it occurred. */
function tally(answers: readonly Pick<Answer, 'status' | 'failure'>[]): string {
  const kinds = Object.groupBy(answers, ({ status, failure }) => failure ?? `${status}`)
  return Object.entries(kinds)
    .map(([kind, some = []]) => `${some.length} × ${kind}`)
    .join(', ')
}

/** Reads all entities until every worker has cached them, after which the caches no longer grow. */
async function warmUp(clients: Clients): Promise<void> {
  for (let at = 0; at < WARM_ROUNDS * POOL; at += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, more) => ({ path: `${LIST}/t${(at + more) % POOL}` }))
    await Promise.all(some.map((ask) => clients.ask(ask)))
  }
}

async function measured(world: ServedWorld, store: string, clients: Clients, token: string, minutes: number) {
  const everyMs = minutes < 1 ? 2_000 : 10_000
  const began = performance.now()
  const until = began + minutes * 60_000
  const samples: Sample[] = []
  const answers: Pick<Answer, 'status' | 'failure'>[] = []
  while (performance.now() < until) {
    const [some, whole] = await Promise.all([
      clients.openLoop(() => nextAsk(token), PER_SECOND, everyMs),
      clients.ask(bulk(token, samples.length % (POOL / BULK_ROWS))),
    ])
    for (const { status, failure } of [...some, whole])
      answers.push({ status, ...(failure !== undefined && { failure }) })
    const seconds = (performance.now() - began) / 1_000
    samples.push({
      seconds,
      ...(await stateOf(world, store)),
      p99Ms: quantile(
        some.map(({ ms }) => ms),
        0.99,
      ),
    })
    await pause(0)
  }
  return { samples, answers }
}

async function stateOf(world: ServedWorld, store: string) {
  const handles = pidsOf(world).reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0)
  const size = (suffix: string) => statSync(store + suffix, { throwIfNoEntry: false })?.size ?? 0
  const db = new DatabaseSync(store, { readOnly: true })
  const row = db
    .prepare('SELECT count(*) AS count FROM search_segments WHERE head IS NOT NULL AND NOT dropped')
    .get()
  db.close()
  return {
    memoryMb: megabytes(memoryOf(pidsOf(world))),
    primaryMb: megabytes(memoryOf(world.pids('primary'))),
    workersMb: megabytes(memoryOf(world.pids('worker'))),
    searcherMb: megabytes(memoryOf(world.pids('searcher'))),
    handles,
    fileMb: megabytes(size('') + size('-wal')),
    segments: Number(row?.['count']),
  }
}

function megabytes(bytes: number): number {
  return bytes / 1024 / 1024
}

/** Returns each measure with its mean and slope as text, and with `isFlat` set if its growth is within bounds. */
function judged(samples: readonly Sample[]) {
  const minutes = ((samples.at(-1)?.seconds ?? 0) - (samples[0]?.seconds ?? 0)) / 60
  return (Object.keys(MAY_GROW) as Measure[]).map((name) => {
    const { mean, slope } = line(samples.map((sample) => [sample.seconds / 60, sample[name]]))
    const [part, more] = MAY_GROW[name]
    const isFlat = slope * minutes <= part * mean + more
    const sign = slope < 0 ? '' : '+'
    return { name, isFlat, text: `${name} ${mean.toFixed(0)} ${sign}${slope.toFixed(2)}/min` }
  })
}

/** Returns the mean and the least-squares slope of some points. */
function line(points: readonly (readonly [x: number, y: number])[]): { mean: number; slope: number } {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, mean] = [meanOf(points.map(([x]) => x)), meanOf(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  const slope = points.reduce((sum, [at, y]) => sum + (at - x) * (y - mean), 0) / (spread || 1)
  return { mean, slope }
}

function nextAsk(token: string): Ask {
  const id = `t${Math.floor(Math.random() * POOL)}`
  const kind = Math.random()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  if (kind < 0.2) return { method: 'PUT', path: `${OPERATED}/${id}`, headers, body: JSON.stringify(thing()) }
  if (kind < 0.25) return { method: 'DELETE', path: `${OPERATED}/${id}`, headers }
  if (kind < 0.5) return { path: `${LIST}/${id}` }
  if (kind < 0.7) return { path: `${LIST}?limit=${1 + Math.floor(Math.random() * 50)}` }
  if (kind < 0.8) return { path: `${API}/changes?since=now` }
  const body = JSON.stringify({ input: { text: `${word()} ${word()}`, limit: 5 } })
  return { method: 'POST', path: `${API}/actions/${encodeURIComponent('wp:discover')}`, headers, body }
}

/** Returns a bulk write that rewrites a part of the pool. */
function bulk(token: string, part: number): Ask {
  const rows = Array.from({ length: BULK_ROWS }, (_, at) =>
    JSON.stringify({ id: `t${part * BULK_ROWS + at}`, ...thing() }),
  )
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  return { method: 'POST', path: OPERATED, headers, body: `${rows.join('\n')}\n` }
}

function thing() {
  const text = Array.from({ length: 5 + Math.floor(Math.random() * 60) }, word).join(' ')
  return { title: `${word()} ${word()}`, summary: text, attributes: { size: Math.random() } }
}

/** Returns one of a few common words or, occasionally, a new random word. */
function word(): string {
  if (Math.random() < 0.05) return `w${Math.floor(Math.random() * 1e6).toString(36)}`
  return WORDS[Math.floor(Math.random() * WORDS.length)] as string
}
