/**
 * Migrates the database of several nodes to the next format under eight writers, replaces the nodes one after the other by
 * those of the next format, and then by those of the current one again. No acknowledged write may be lost, and no writer may
 * be refused for more than two seconds.
 */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { STEPS } from '../packages/postgres/src/format-steps.ts'
import { startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { AcknowledgedWriters } from './acknowledged-writers.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { NEXT_FORMAT, Nodes, settledContents } from './nodes.ts'
import { waitedFor } from './served-world.ts'

const MAIN = resolve(import.meta.dirname, '../packages/cli/src/main.ts')
const NODES = 3
const SHORT_NODES = 2
const ROUNDS = 5
/** Minimum number of writes between two replacements. */
const WRITES = 50
const REFUSED_MS = 2_000
const SETTLED_MS = 60_000

/** Runs the fault with 5 upgrades and downgrades of 3 nodes, or 1 of 2 nodes in a short run. */
export async function rollingUpgrade({ short }: Effort): Promise<Finding> {
  const server = await startPostgres()
  if (server === undefined) return notRun('this machine has no PostgreSQL')
  const nodes = new Nodes(server.url)
  try {
    await nodes.start(short ? SHORT_NODES : NODES)
    return await run(nodes, server.url, short ? 1 : ROUNDS)
  } finally {
    await nodes.end()
    await server.end()
  }
}

async function run(nodes: Nodes, database: string, rounds: number): Promise<Finding> {
  const { urls, token } = nodes
  let others = urls
  const writers = new AcknowledgedWriters((writer) => others[writer % others.length] ?? '', token)
  const written = async () => {
    const before = writers.acknowledged.length
    await waitedFor(() => writers.acknowledged.length > before + WRITES, SETTLED_MS)
  }
  let isNextFormat = false
  const counts: number[] = []
  try {
    await written()
    isNextFormat = await migrateToNext(database)
    for (let round = 0; round < rounds; round++)
      for (const isNext of [true, false])
        for (const [at, url] of urls.entries()) {
          // A balancer sends no more writes to a node that is about to stop.
          others = urls.filter((other) => other !== url)
          const before = writers.acknowledged.length
          await nodes.replace(at, isNext)
          counts.push(writers.acknowledged.length - before)
          others = urls
          await written()
        }
  } finally {
    await writers.stop()
  }
  const { acknowledged, longestRefusedMs } = writers
  const contents = await settledContents(urls)
  return finding(
    `${counts.length} replacements of ${urls.length} nodes, ${acknowledged.length} acknowledged writes, at least ${Math.min(...counts)} during each, refused for ${longestRefusedMs.toFixed(0)} ms at most`,
    {
      lost: contents.flatMap(({ ids }) => acknowledged.filter((id) => !ids.has(id))).length,
      'nodes that differ': new Set(contents.map(({ digest }) => digest)).size - 1,
      [`times refused for more than ${REFUSED_MS} ms`]: longestRefusedMs > REFUSED_MS ? 1 : 0,
      'migrations that were none': isNextFormat ? 0 : 1,
    },
  )
}

/** Runs the command of the version with the next format. Returns true if the store then has that format. */
async function migrateToNext(database: string): Promise<boolean> {
  const args = ['--conditions=@worldwright/source', MAIN, 'migrate', '--no-dump', '--store', database]
  const env = { ...process.env, ...NEXT_FORMAT }
  const { stderr } = await promisify(execFile)(process.execPath, args, { env })
  return stderr.includes(`to ${STEPS.length + 1}. Nodes of format ${STEPS.length} or newer work with that`)
}
