/**
 * Computes the models behind `docs/scale.md`: `node --conditions=@worldwright/source bench/scale.ts`. It measures
 * nothing: its inputs are the constants below, each of which names the benchmark that measured it.
 */
import { playedThrough, sentOn, type Traffic } from './scale/caches.ts'
import { busyWith, lagOf, type Tree } from './scale/fan-out.ts'

/** Processor time of a 304, in milliseconds: `npm run bench -- --only not-modified`. */
const NOT_MODIFIED_MS = 0.0226
/** Processor time to apply one change of a batch, in milliseconds: `bench/replica.ts`, 20,585 per second. */
const APPLY_MS = 1_000 / 20_585
/** Processor time to send a change to another event stream, in milliseconds: `bench/changes.ts`, 1,000 against 100. */
const SEND_MS = 0.014
/** Assumed network latency between machines of one site, in milliseconds. */
const NETWORK_MS = 0.5
/** Maximum relative deviation of the formula from the simulation. */
const TOLERANCE = 0.02

/** Returns a seeded random generator, which produces the same numbers in every run. */
function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Compares the formula with a simulation of feasible size. */
function tryFormula(): void {
  const roll = dice(7)
  say('| formula against game: exponent, fresh | formula, a second | played, a second |')
  say('|---|---|---|')
  for (const exponent of [0.8, 1, 1.2])
    for (const freshSeconds of [0.5, 2, 10]) {
      const traffic = { perSecond: 20_000, entities: 50_000, exponent, caches: 4, freshSeconds }
      const [formula, played] = [sentOn(traffic), playedThrough(traffic, 60, roll)]
      say(`| ${exponent}, ${freshSeconds} s | ${whole(formula)} | ${whole(played)} |`)
      if (Math.abs(formula - played) > TOLERANCE * played) {
        say('The formula does not hold.')
        process.exitCode = 1
      }
    }
  say()
}

function caches(): void {
  say(
    '| 1,000,000 requests a second, 20 caches: entities, exponent | fresh for | sent on, a second | cores that answer 304 |',
  )
  say('|---|---|---|---|')
  for (const entities of [1_200_000, 1_000_000_000])
    for (const exponent of [0.8, 1])
      for (const freshSeconds of [0, 1, 10, 60]) {
        const traffic: Traffic = { perSecond: 1_000_000, entities, exponent, caches: 20, freshSeconds }
        const sent = sentOn(traffic)
        const cores = (sent * NOT_MODIFIED_MS) / 1_000
        say(`| ${whole(entities)}, ${exponent} | ${freshSeconds} s | ${whole(sent)} | ${cores.toFixed(1)} |`)
      }
  say()
}

function fanOut(): void {
  say(
    '| replicas of replicas: writes a second, followers of each, levels | replicas | busy | lag, median ms | p99 ms |',
  )
  say('|---|---|---|---|---|')
  const roll = dice(11)
  for (const perSecond of [10, 100, 1_000])
    for (const [followers, depth] of [
      [10, 1],
      [100, 1],
      [10, 2],
      [10, 3],
      [100, 2],
    ] as const) {
      const tree: Tree = {
        perSecond,
        followers,
        depth,
        applyMs: APPLY_MS,
        sendMs: SEND_MS,
        networkMs: NETWORK_MS,
      }
      const replicas = Array.from({ length: depth }, (_, at) => followers ** (at + 1)).reduce((a, b) => a + b)
      const busy = busyWith(tree)
      const { median, p99 } = lagOf(tree, 20_000, roll)
      const lag = busy < 1 ? `${median.toFixed(1)} | ${p99.toFixed(1)}` : 'grows | grows'
      say(
        `| ${perSecond}, ${followers}, ${depth} | ${whole(replicas)} | ${(100 * busy).toFixed(0)} % | ${lag} |`,
      )
    }
}

tryFormula()
caches()
fanOut()
