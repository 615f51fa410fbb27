/**
 * Compares the read throughput of a primary and a replica on two cores with one process on one core. Both are loaded at
 * the same time, each with the full load of the single process; the capacity of a core follows from the processor time
 * per request. With only two cores, the load generator uses part of both, and more while two processes run.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchStore, ENTITIES, idOf, LIST } from './data.ts'
import { type LoadPlan, requestText } from './load.ts'
import { type Effort, load, spreadOf } from './measure.ts'
import { type Server, startReplica, startWorld } from './servers.ts'
import type { Line } from './table.ts'

const BAR = 1.8
const PER_SECOND = 1_500

const CASES = [
  ['entity', Array.from({ length: 500 }, (_, index) => `${LIST}/${idOf(index * 17)}`)],
  ['page of 50', [LIST]],
] as const

/** Measures the throughput of two processes as a multiple of that of one. */
export async function replicas(effort: Effort): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'world-copies-'))
  const servers: Server[] = []
  try {
    const store = join(folder, 'upstream.db')
    copyFileSync(await benchStore(ENTITIES), store)
    const upstream = await startWorld('owner', store, '0', ['--workers', '1'])
    servers.push(upstream)
    const replica = await startReplica('replica', upstream, join(folder, 'copy.db'), '1')
    servers.push(replica)
    const lines: Line[] = []
    for (const [name, paths] of CASES) lines.push(await throughput(name, paths, upstream, replica, effort))
    return lines
  } finally {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function throughput(
  name: string,
  paths: readonly string[],
  upstream: Server,
  replica: Server,
  { rounds, seconds }: Effort,
): Promise<Line> {
  const plan = {
    requests: paths.map((path) => requestText(path, {})),
    perSecond: PER_SECOND,
    connections: 32,
    seconds,
  }
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const alone = await costOf(upstream, plan)
    const both = await Promise.all([costOf(upstream, plan), costOf(replica, plan)])
    // The first round is a warm-up.
    if (round > 0) ratios.push(alone / both[0] + alone / both[1])
  }
  const value = spreadOf(ratios)
  return {
    question: `${name}, upstream and replica on two cores, against one on one`,
    bar: `≥ ${BAR}`,
    value,
    met: value.median >= BAR,
  }
}

/** Measures the processor time per answer, in seconds. @throws Error if answers are missing or not 200 */
async function costOf(server: Server, plan: Omit<LoadPlan, 'port'>): Promise<number> {
  const before = server.cpuSeconds()
  const result = await load({ ...plan, port: server.port })
  if (result.lost > 0 || result.statuses['200'] !== result.answered)
    throw new Error(`${server.name} did not answer everything: ${JSON.stringify(result)}`)
  return (server.cpuSeconds() - before) / result.answered
}
