/**
 * Hops feeds between three nodes of one database while writers use all of them and nodes are killed. Each feed resumes at its
 * last offset. It must receive every change exactly once, and the changes of a type in the order of their positions.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type World } from '@worldwright/client'
import { openStore } from '@worldwright/engines'
import { startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { Nodes } from './nodes.ts'

const NODES = 3
const FEEDS = 4
const WRITERS = 6
/** Types of the written entities. Writes of different types are concurrent, so that they end out of order. */
const TYPES = ['chaos:a', 'chaos:b', 'chaos:c', 'chaos:d']
const HOPS = 1_000
const SHORT_HOPS = 60
/** Pause between kills, in milliseconds. */
const KILL_MS = 4_000
/** Maximum time for all feeds to receive everything after the last write, in milliseconds. */
const SETTLED_MS = 60_000

/** Runs the fault for 1,000 hops of the feeds together, or 60 in a short run. */
export async function hopFeeds({ short }: Effort): Promise<Finding> {
  const server = await startPostgres()
  if (server === undefined) return notRun('this machine has no PostgreSQL')
  const nodes = new Nodes(server.url)
  try {
    const store = await openStore(`${server.url}?cache=none`, { role: 'writer' })
    await store.write(TYPES.map((type) => ({ put: { type, id: 'first', attributes: {} } })))
    await store.close()
    await nodes.start(NODES)
    return await run(nodes, short ? SHORT_HOPS : HOPS)
  } finally {
    await nodes.end()
    await server.end()
  }
}

async function run(nodes: Nodes, hops: number): Promise<Finding> {
  const worlds = await Promise.all(nodes.urls.map((url) => connect(url, { retries: 0 })))
  const writers = new BulkWriters(nodes)
  const feeds = Array.from(
    { length: FEEDS },
    (_, at) => new Feed(worlds, at % 2 === 0 ? undefined : TYPES.slice(at - 1)),
  )
  const hopped = () => feeds.reduce((sum, feed) => sum + feed.hops, 0)
  let kills = 0
  let acknowledged: readonly string[]
  try {
    while (hopped() < hops) {
      await pause(KILL_MS)
      await nodes.killAndStart(kills % NODES)
      kills += 1
    }
  } finally {
    acknowledged = await writers.stop()
    const until = performance.now() + SETTLED_MS
    for (const feed of feeds) await feed.stop(acknowledged, until)
  }
  const sum = (of: (feed: Feed) => number) => feeds.reduce((total, feed) => total + of(feed), 0)
  const received = sum((feed) => feed.received)
  return finding(
    `${hopped()} hops of ${FEEDS} feeds between ${NODES} nodes, ${kills} kills, ${acknowledged.length} acknowledged entities, ${received} changes received`,
    {
      missing: sum((feed) => feed.missing(acknowledged).length),
      'received twice': sum((feed) => feed.repeated),
      'out of order': sum((feed) => feed.unordered),
      'feeds that ended': feeds.filter(({ failure }) => failure !== undefined).length,
    },
  )
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

/** Writes new entities of random types in bulk, at random nodes, until stopped. */
class BulkWriters {
  readonly #acknowledged: string[] = []
  readonly #running: Promise<unknown>
  #isOver = false
  #next = 0

  constructor(nodes: Nodes) {
    this.#running = Promise.all(Array.from({ length: WRITERS }, () => this.#run(nodes)))
  }

  async stop(): Promise<readonly string[]> {
    this.#isOver = true
    await this.#running
    return this.#acknowledged
  }

  async #run({ urls, token }: Nodes): Promise<void> {
    while (!this.#isOver) {
      const type = TYPES[Math.floor(Math.random() * TYPES.length)] ?? ''
      const ids = Array.from({ length: Math.ceil(Math.random() * 40) }, () => `t${this.#next++}`)
      try {
        const response = await fetch(
          `${urls[Math.floor(Math.random() * NODES)]}/api/operator/v0/entities/${encodeURIComponent(type)}`,
          {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
            body: ids.map((id) => `${JSON.stringify({ id, attributes: {} })}\n`).join(''),
            signal: AbortSignal.timeout(10_000),
          },
        )
        const text = await response.text()
        if (text.includes('"committed":true')) this.#acknowledged.push(...ids.map((id) => `${type} ${id}`))
        else await pause(10)
      } catch {
        await pause(10)
      }
    }
  }
}
