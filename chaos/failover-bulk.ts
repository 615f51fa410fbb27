/**
 * Kills or freezes the database primary of two nodes, and ends its connections, under bulk writes. Each bulk write must end
 * with its outcome, or with the id by which its outcome can be asked for, and the outcome must be true.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@worldwright/client'
import pg from 'pg'
import { type PostgresCluster, startCluster } from '../packages/postgres/src/cluster.fixture.ts'
import { type BulkAttempt, BulkWriters, createTypes, TYPES } from './bulk-writers.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { Nodes } from './nodes.ts'
import { waitedFor } from './served-world.ts'

const NODES = 2
const ROWS = 1_500
const ROUNDS = 20
const SHORT_ROUNDS = 2
/** Number of times that connections are ended between two failovers. */
const CUTS = 20
const SHORT_CUTS = 12
const SETTLED_MS = 60_000

/** Runs the fault with 20 failovers, or 2 in a short run. */
export async function failoverBulk({ short }: Effort): Promise<Finding> {
  const cluster = await startCluster()
  if (cluster === undefined) return notRun('this machine has no PostgreSQL')
  const nodes = new Nodes(cluster.url)
  try {
    await createTypes(cluster.url)
    await nodes.start(NODES)
    return await (short ? run(cluster, nodes, SHORT_ROUNDS, SHORT_CUTS) : run(cluster, nodes, ROUNDS, CUTS))
  } finally {
    await nodes.end()
    await cluster.end()
  }
}

async function run(cluster: PostgresCluster, nodes: Nodes, rounds: number, cuts: number): Promise<Finding> {
  const writers = new BulkWriters(nodes, ROWS)
  const { attempts } = writers
  const more = (count: number) => {
    const enough = attempts.length + count
    return waitedFor(() => attempts.length >= enough, SETTLED_MS)
  }
  try {
    for (let round = 0; round < rounds; round++) {
      for (let cut = 0; cut < cuts; cut++) {
        await endConnections(cluster.primary.url)
        await more(2)
      }
      await pause(Math.random() * 300)
      if (round % 4 === 1) cluster.primary.freeze()
      else await cluster.primary.kill()
      await pause(Math.random() * 3_000)
      await cluster.promote()
      await more(10)
      await cluster.standby.kill()
      await cluster.rejoin()
    }
  } finally {
    await writers.stop()
  }
  const stored = await settledKeys(nodes.urls, writers.acknowledged)
  const outcomes = await Promise.all(attempts.map((attempt) => outcomeOf(nodes, attempt)))
  const isStored = ({ keys }: BulkAttempt) => keys.filter((key) => stored.has(key)).length
  const of = (committed: BulkAttempt['committed']) => attempts.filter((one) => one.committed === committed)
  return finding(
    `${rounds} failovers, ${rounds * cuts} times all connections ended, ${attempts.length} bulk writes: ${of(true).length} committed, ${of(false).length} not, ${of(null).length} undecided`,
    {
      'without a last line': of(undefined).length,
      'without an outcome later': outcomes.filter((outcome) => outcome === undefined).length,
      untrue: attempts.filter((attempt, at) => outcomes[at] !== isStored(attempt) > 0).length,
      'written in part': attempts.filter(
        (attempt) => isStored(attempt) > 0 && isStored(attempt) < attempt.keys.length,
      ).length,
    },
  )
}

async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  await client.end()
}

/** Returns the outcome of a bulk write as its last line or, if undecided, a node says it. */
async function outcomeOf({ urls, token }: Nodes, { committed, write }: BulkAttempt) {
  if (committed !== null) return committed
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${urls[0]}/api/operator/v0/writes/${write}`, { headers })
  if (!response.ok) return undefined
  return ((await response.json()) as { readonly committed: boolean }).committed
}

/** Returns the keys of all entities once the nodes agree and have everything acknowledged, or after a minute. */
async function settledKeys(
  urls: readonly string[],
  acknowledged: readonly string[],
): Promise<ReadonlySet<string>> {
  let keys: readonly ReadonlySet<string>[] = []
  await waitedFor(async () => {
    keys = await Promise.all(urls.map(keysOf))
    const [first] = keys
    return keys.every((some) => some.size === first?.size) && acknowledged.every((key) => first?.has(key))
  }, SETTLED_MS)
  return keys[0] ?? new Set()
}

async function keysOf(url: string): Promise<ReadonlySet<string>> {
  const world = await connect(url)
  const keys = new Set<string>()
  for (const type of TYPES)
    for await (const { id } of world.entities(type, { pageSize: 1_000 })) keys.add(`${type} ${id}`)
  return keys
}
