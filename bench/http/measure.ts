/** Measures servers in turn under the same load, and compares them within each round. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LOAD_CORE, onCores } from './cores.ts'
import type { LoadPlan, LoadResult } from './load.ts'
import type { Server } from './servers.ts'
import type { Line } from './table.ts'

/** Number of rounds, and the seconds per turn. */
export interface Effort {
  readonly rounds: number
  readonly seconds: number
}

/** Measurement of a server under a load. */
export interface Sample {
  /** Answers per second. */
  readonly perSecond: number
  /** Processor time per answer, in microseconds. */
  readonly cpuMicros: number
}

/** Median and dispersion of a series of measurements. */
export interface Spread {
  readonly median: number
  /** First quartile. */
  readonly lower: number
  /** Third quartile. */
  readonly upper: number
  readonly min: number
  readonly max: number
}

/** Runs the open-loop load generator, pinned to its core. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const program = join(import.meta.dirname, 'load.ts')
  const running = promisify(execFile)(...onCores(LOAD_CORE, [process.execPath, program]))
  running.child.stdin?.end(JSON.stringify(plan))
  return JSON.parse((await running).stdout)
}

/**
 * Measures servers in turn, round by round, after one warm-up round. Every second round runs in reverse order, so that
 * drift in the speed of the machine favours no server.
 */
export async function inTurns(
  servers: readonly Server[],
  take: (server: Server) => Promise<Sample>,
  rounds: number,
): Promise<Map<Server, Sample[]>> {
  const samples = new Map<Server, Sample[]>(servers.map((server) => [server, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const taken = await take(server)
      if (round > 0) samples.get(server)?.push(taken)
    }
  }
  return samples
}

/** Returns the median, quartiles and extremes of measured values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  return { median: at(0.5), lower: at(0.25), upper: at(0.75), min: at(0), max: at(1) }
}

/** Compares two servers. In each round, a ratio above 1 means that ours has more answers per second or a lower `cost`. */
export function compared(
  samples: ReadonlyMap<Server, readonly Sample[]>,
  ours: Server,
  theirs: Server,
): Required<Pick<Line, 'value' | 'cost' | 'perSecond' | 'micros'>> {
  const own = samples.get(ours) ?? []
  const others = samples.get(theirs) ?? []
  const pairs = own.flatMap((sample, round) => {
    const other = others[round]
    return other === undefined ? [] : [[sample, other] as const]
  })
  const median = (all: readonly Sample[], member: keyof Sample) =>
    spreadOf(all.map((sample) => sample[member])).median
  return {
    value: spreadOf(pairs.map(([sample, other]) => sample.perSecond / other.perSecond)),
    cost: spreadOf(pairs.map(([sample, other]) => other.cpuMicros / sample.cpuMicros)),
    perSecond: [median(own, 'perSecond'), median(others, 'perSecond')],
    micros: [median(own, 'cpuMicros'), median(others, 'cpuMicros')],
  }
}
