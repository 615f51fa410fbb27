/** Rounds: the servers in turn under the same load, their processor time per request, and ratios within a round. */
import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LoadPlan, LoadResult } from './load.ts'
import type { Server } from './servers.ts'

/** Where servers and load run: one core each, so that neither takes from the other. */
export const SERVER_CORE = '0'
const LOAD_CORE = '1'

/** Where a server of several processes runs: on every core but the load's. */
export const SERVER_CORES = cpus()
  .map((_, core) => String(core))
  .filter((core) => core !== LOAD_CORE)
  .join(',')

/** How long and how often to measure. */
export interface Effort {
  readonly rounds: number
  readonly seconds: number
}

/** One server under one load. */
export interface Sample {
  /** Microseconds of processor time per answered request. */
  readonly cpuMicros: number
  readonly load: LoadResult
}

/** The middle of several measurements and how far they lie apart. */
export interface Spread {
  readonly median: number
  /** A quarter of the measurements is lower. */
  readonly lower: number
  /** A quarter of the measurements is higher. */
  readonly upper: number
  readonly min: number
  readonly max: number
}

/** Runs the load generator on its core. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const program = join(import.meta.dirname, 'load.ts')
  const running = promisify(execFile)('taskset', ['-c', LOAD_CORE, process.execPath, program])
  running.child.stdin?.end(JSON.stringify(plan))
  return JSON.parse((await running).stdout)
}

/** Puts a server under a load and reads what it used for it. @throws Error where answers are missing or not the expected ones. */
export async function sample(server: Server, plan: Omit<LoadPlan, 'port'>, status: string): Promise<Sample> {
  const before = server.cpuSeconds()
  const result = await load({ ...plan, port: server.port })
  const cpuMicros = ((server.cpuSeconds() - before) * 1e6) / Math.max(1, result.answered)
  if (result.lost > 0 || (result.statuses[status] ?? 0) !== result.answered) {
    throw new Error(`${server.name} did not answer ${status} to everything: ${JSON.stringify(result)}`)
  }
  return { cpuMicros, load: result }
}

/**
 * Measures servers in turn, round by round, after one round that does not count. Every other round goes backwards, so
 * that a machine that gets slower or faster favours none of them.
 */
export async function rounds(
  servers: readonly Server[],
  planOf: (server: Server) => Omit<LoadPlan, 'port' | 'seconds'>,
  status: string,
  effort: Effort,
): Promise<Map<Server, Sample[]>> {
  const samples = new Map<Server, Sample[]>(servers.map((server) => [server, []]))
  for (let round = 0; round <= effort.rounds; round += 1) {
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const taken = await sample(server, { ...planOf(server), seconds: effort.seconds }, status)
      if (round > 0) samples.get(server)?.push(taken)
    }
  }
  return samples
}

/** Median, quartiles and extremes of some measured values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  return { median: at(0.5), lower: at(0.25), upper: at(0.75), min: at(0), max: at(1) }
}

/** Median of the microseconds per request of one server. */
export function microsOf(samples: Map<Server, Sample[]>, server: Server): number {
  return spreadOf((samples.get(server) ?? []).map(({ cpuMicros }) => cpuMicros)).median
}

/** How much less processor time `server` takes than `other`, round by round: above 1 is cheaper. */
export function ratio(samples: Map<Server, Sample[]>, server: Server, other: Server): Spread {
  const own = samples.get(server) ?? []
  const others = samples.get(other) ?? []
  return spreadOf(own.map(({ cpuMicros }, round) => (others[round]?.cpuMicros ?? Number.NaN) / cpuMicros))
}
