/**
 * Kills nodes at random while eight writers use three nodes on one database. No acknowledged write may be lost, all nodes
 * must end with the same content, and no read may be staler than the lag stated in its response.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { AcknowledgedWriters } from './acknowledged-writers.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { LagTrials } from './lag-trials.ts'
import { Nodes, settledContents } from './nodes.ts'
import { waitedFor } from './served-world.ts'

const NODES = 3
const MS = 300_000
const SHORT_MS = 20_000
/** Minimum number of reads checked against their stated lag. */
const TRIALS = 10_000
const SHORT_TRIALS = 500

/** Runs the fault for 5 minutes and 10,000 reads, or 20 seconds and 500 reads in a short run. */
export async function killNodes({ short, minutes }: Effort): Promise<Finding> {
  const server = await startPostgres()
  if (server === undefined) return notRun('this machine has no PostgreSQL')
  const nodes = new Nodes(server.url)
  const ms = short ? SHORT_MS : (minutes ?? MS / 60_000) * 60_000
  try {
    await nodes.start(NODES)
    return await run(nodes, ms, short ? SHORT_TRIALS : TRIALS)
  } finally {
    await nodes.end()
    await server.end()
  }
}

async function run(nodes: Nodes, ms: number, least: number): Promise<Finding> {
  const { urls, token } = nodes
  const writers = new AcknowledgedWriters((writer) => urls[writer % NODES] ?? '', token)
  const trials = new LagTrials(urls, token)
  const until = performance.now() + ms
  let kills = 0
  try {
    while (performance.now() < until) {
      await pause(200 + Math.random() * 1_500)
      await nodes.killAndStart(Math.floor(Math.random() * NODES))
      kills += 1
    }
    // Without further kills, the readers soon reach the required number of reads.
    await waitedFor(() => trials.counts.trials >= least, ms)
  } finally {
    await writers.stop()
    await trials.stop()
  }
  const contents = await settledContents(urls)
  const { acknowledged } = writers
  const { trials: reads, late } = trials.counts
  return finding(
    `${kills} kills of ${NODES} nodes, ${acknowledged.length} acknowledged writes, ${reads} reads`,
    {
      lost: contents.flatMap(({ ids }) => acknowledged.filter((id) => !ids.has(id))).length,
      'nodes that differ': new Set(contents.map(({ digest }) => digest)).size - 1,
      'reads older than they said': late,
      'reads too few': Math.max(0, least - reads),
    },
  )
}
