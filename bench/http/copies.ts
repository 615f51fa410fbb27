/**
 * Read throughput of an owner and a copy on two cores, against one process on one core. Both are loaded at the same time, each
 * with as much as the one alone has; what a core can do is taken from the processor time of a request. On a machine with two
 * cores the load takes some of both, from the two more than from the one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillStore, idOf, TYPE } from './data.ts'
import { type Effort, type Sample, sample, spreadOf } from './measure.ts'
import { type Line, requestText } from './per-request.ts'
import { type Server, startCopy, startWorld } from './servers.ts'

const ENTITIES = 10_000
const LIST = `/api/world/v0/entities/${encodeURIComponent(TYPE)}`
const BAR = 1.8
const PER_SECOND = 1_500

const CASES = [
  ['entity', Array.from({ length: 500 }, (_, index) => `${LIST}/${idOf(index * 17)}`)],
  ['page of 50', [LIST]],
] as const

/** How many times as much two can answer. */
export async function copies(effort: Effort): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'world-copies-'))
  const servers: Server[] = []
  try {
    const store = join(folder, 'owner.db')
    await fillStore(store, ENTITIES)
    const owner = await startWorld('owner', store, '0', ['--workers', '1'])
    servers.push(owner)
    const copy = await startCopy('copy', owner, join(folder, 'copy.db'), '1')
    servers.push(copy)
    const lines: Line[] = []
    for (const [name, paths] of CASES) lines.push(await throughput(name, paths, owner, copy, effort))
    return lines
  } finally {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function throughput(
  name: string,
  paths: readonly string[],
  owner: Server,
  copy: Server,
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
    const alone = await sample(owner, plan, '200')
    const both = await Promise.all([sample(owner, plan, '200'), sample(copy, plan, '200')])
    // The first round does not count.
    if (round > 0) ratios.push((perSecond(both[0]) + perSecond(both[1])) / perSecond(alone))
  }
  const value = spreadOf(ratios)
  return {
    question: `${name}, owner and copy on two cores, against one on one`,
    bar: `≥ ${BAR}`,
    value,
    met: value.median >= BAR,
  }
}

/** Answers a second that would use a core up. */
function perSecond({ cpuMicros }: Sample): number {
  return 1e6 / cpuMicros
}
