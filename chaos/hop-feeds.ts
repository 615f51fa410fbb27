/**
 * Hops feeds between three nodes of one database while writers use all of them, nodes are killed and the database fails over.
 * Each feed resumes at its last offset. It must receive every change exactly once, and the changes of a type in the order of
 * their positions.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type World } from '@worldwright/client'
import { type PostgresCluster, startCluster } from '../packages/postgres/src/cluster.fixture.ts'
import { BulkWriters, createTypes, TYPES } from './bulk-writers.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { Nodes } from './nodes.ts'

const NODES = 3
const FEEDS = 4
const ROWS = 40
const HOPS = 1_000
const SHORT_HOPS = 60
/** Pause between kills, in milliseconds. */
const KILL_MS = 2_000
/** Number of kills of which one is that of the database. */
const FAILOVER_EVERY = 2
/** Maximum time for all feeds to receive everything after the last write, in milliseconds. */
const SETTLED_MS = 60_000

/** Runs the fault for 1,000 hops of the feeds together, or 60 in a short run. */
export async function hopFeeds({ short }: Effort): Promise<Finding> {
  const cluster = await startCluster()
  if (cluster === undefined) return notRun('this machine has no PostgreSQL')
  const nodes = new Nodes(cluster.url)
  try {
    await createTypes(cluster.url)
    await nodes.start(NODES)
    return await run(cluster, nodes, short ? SHORT_HOPS : HOPS)
  } finally {
    await nodes.end()
    await cluster.end()
  }
}

async function run(cluster: PostgresCluster, nodes: Nodes, hops: number): Promise<Finding> {
  const worlds = await Promise.all(nodes.urls.map((url) => connect(url, { retries: 0 })))
  const writers = new BulkWriters(nodes, ROWS)
  const feeds = Array.from(
    { length: FEEDS },
    (_, at) => new Feed(worlds, at % 2 === 0 ? undefined : TYPES.slice(at - 1)),
  )
  const hopped = () => feeds.reduce((sum, feed) => sum + feed.hops, 0)
  let kills = 0
  try {
    while (hopped() < hops || kills < FAILOVER_EVERY) {
      await pause(KILL_MS)
      kills += 1
      if (kills % FAILOVER_EVERY > 0) await nodes.killAndStart(kills % NODES)
      else await failOver(cluster)
    }
  } finally {
    await writers.stop()
    const until = performance.now() + SETTLED_MS
    for (const feed of feeds) await feed.stop(writers.acknowledged, until)
  }
  const { acknowledged } = writers
  const sum = (of: (feed: Feed) => number) => feeds.reduce((total, feed) => total + of(feed), 0)
  const received = sum((feed) => feed.received)
  return finding(
    `${hopped()} hops of ${FEEDS} feeds between ${NODES} nodes, ${kills} kills of nodes and of the database, ${acknowledged.length} acknowledged entities, ${received} changes received`,
    {
      missing: sum((feed) => feed.missing(acknowledged).length),
      'received twice': sum((feed) => feed.repeated),
      'out of order': sum((feed) => feed.unordered),
      'feeds that ended': feeds.filter(({ failure }) => failure !== undefined).length,
    },
  )
}

async function failOver(cluster: PostgresCluster): Promise<void> {
  await cluster.primary.kill()
  await cluster.promote()
  await cluster.rejoin()
}

/** Follows a world through one node after another, from its last offset each time. */
class Feed {
  readonly #types: readonly string[] | undefined
  readonly #seen = new Set<string>()
  readonly #last = new Map<string, number>()
  readonly #running: Promise<void>
  #since: string | undefined
  #isOver = false
  hops = 0
  repeated = 0
  unordered = 0
  failure: unknown

  constructor(worlds: readonly World[], types: readonly string[] | undefined) {
    this.#types = types
    this.#running = this.#run(worlds).catch((error) => {
      this.failure = error
    })
  }

  get received(): number {
    return this.#seen.size
  }

  /** Returns the acknowledged entities of the feed's types that it has not received. */
  missing(acknowledged: readonly string[]): readonly string[] {
    const isOwn = (key: string) => this.#types?.includes(key.split(' ')[0] ?? '') ?? true
    return acknowledged.filter((key) => isOwn(key) && !this.#seen.has(key))
  }

  /** Stops once the feed has received everything acknowledged, or at a time. */
  async stop(acknowledged: readonly string[], until: number): Promise<void> {
    while (this.failure === undefined && performance.now() < until && this.missing(acknowledged).length > 0)
      await pause(20)
    this.#isOver = true
    await this.#running
  }

  async #run(worlds: readonly World[]): Promise<void> {
    while (!this.#isOver) {
      const world = worlds[Math.floor(Math.random() * worlds.length)] as World
      const ending = new AbortController()
      // Some hops come in the middle of a write, others after a while at one node.
      let left = Math.random() < 0.5 ? Math.ceil(Math.random() * 20) : Number.POSITIVE_INFINITY
      const timer = setTimeout(() => ending.abort(), Math.random() * 1_000)
      try {
        for await (const change of world.changes({
          since: this.#since,
          types: this.#types,
          signal: ending.signal,
        })) {
          this.#note(change)
          if (--left <= 0) break
        }
      } catch (error) {
        // A node that is killed or behind is left for another one.
        if (!/^(?:aborted|network_error|timeout|unavailable)$/.test(Object(error).code)) throw error
        if (Object(error).code !== 'aborted') await pause(50)
      } finally {
        clearTimeout(timer)
      }
      this.hops += 1
    }
  }

  #note({ type, id, position, next }: { type: string; id: string; position: string; next: string }): void {
    const [key, number] = [`${type} ${id}`, Number(position.split('-')[1])]
    if (this.#seen.has(key)) this.repeated += 1
    else if (number < (this.#last.get(type) ?? 0)) this.unordered += 1
    this.#seen.add(key)
    this.#last.set(type, number)
    this.#since = next
  }
}
