/** Keeping an index as its store is: one node of all does it, the others wait to take over. */

import { indexRules, StorageFault, type Store } from '@worldwright/core/store'
import { type Cluster, refused } from './cluster.ts'
import { FORMAT, indexDefinition } from './documents.ts'
import { IndexFeed } from './index-feed.ts'
import { Lease } from './lease.ts'

/** How often a node looks whether there is something to do, in milliseconds. */
const LOOK_MS = 1_000

/** What is said when feeding fails, and begins again by itself. */
export type ReportFeeding = (message: string) => void

/** What an index was made by: where that differs, it is built again. */
interface Made {
  readonly format: string
  /** The rules by which attributes are indexed, as JSON. */
  readonly rules: string
}

/** What a feeder is told beside where to feed from and to. */
export interface FeederOptions {
  readonly report: ReportFeeding
  /** See `Lease`. */
  readonly leaseFreeMs?: number | undefined
}

/** Feeds the index of a cluster from a store, for as long as it is open. */
export class Feeder {
  readonly #cluster: Cluster
  readonly #storage: Pick<Store, 'changes' | 'watch' | 'values'>
  readonly #lease: Lease
  readonly #report: ReportFeeding
  readonly #closing = new AbortController()
  readonly #ended: Promise<void>
  /** What questions are asked of. */
  #current: IndexFeed | undefined
  /** What is to take its place. */
  #building: IndexFeed | undefined
  #wake: (() => void) | undefined
  #reported = ''

  constructor(
    cluster: Cluster,
    storage: Pick<Store, 'changes' | 'watch' | 'values'>,
    { report, leaseFreeMs }: FeederOptions,
  ) {
    this.#cluster = cluster
    this.#storage = storage
    this.#lease = new Lease(cluster, leaseFreeMs)
    this.#report = report
    this.#ended = Promise.all([this.#run(), this.#watch()]).then(() => {})
  }

  /** Ends what is under way, and leaves the rest to others. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake?.()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      let isMore = false
      try {
        if (await this.#lease.hold()) isMore = await this.#step()
        else this.#forget()
        this.#reported = ''
      } catch (error) {
        this.#forget()
        this.#say(error instanceof Error ? error.message : String(error))
      }
      if (!isMore) await this.#pause()
    }
    await this.#lease.release().catch(() => {})
  }

  /** What another node may have changed is read again. */
  #forget(): void {
    this.#current = undefined
    this.#building = undefined
  }

  #say(message: string): void {
    if (message !== this.#reported) this.#report(`The search index is not fed: ${message}`)
    this.#reported = message
  }

  /** One batch of what is fed and of what is built. True where there is more to do. */
  async #step(): Promise<boolean> {
    const rules = await indexRules(this.#storage)
    const meta: Made = { format: FORMAT, rules: JSON.stringify(rules) }
    this.#current ??= await this.#aliased()
    const isMore = this.#current !== undefined && (await this.#advance(this.#current))
    if (!this.#building && !(await this.#isToBuild(meta))) return isMore
    this.#building ??= await this.#begin(meta)
    // What is asked of stays as new as it can be, while the other one is built.
    if (isMore && this.#current) while (this.#lease.isHeld && (await this.#advance(this.#current)));
    if (!(await this.#building.advance(this.#storage))) await this.#swap(this.#building)
    return true
  }

  /** Feeds what is asked of. What the log cannot bring up to date any more stays as it is until another one is built. */
  async #advance(feed: IndexFeed): Promise<boolean> {
    try {
      return await feed.advance(this.#storage)
    } catch (error) {
      if (!(error instanceof StorageFault && error.code === 'expired')) throw error
      await requestRebuild(this.#cluster)
      return false
    }
  }

  async #isToBuild(meta: Made): Promise<boolean> {
    if (!this.#current || (await isRebuildRequested(this.#cluster))) return true
    return !(await this.#isMadeAs(this.#current.index, meta))
  }

  async #aliased(): Promise<IndexFeed | undefined> {
    const name = await aliasedIndex(this.#cluster)
    return name === undefined
      ? undefined
      : new IndexFeed(this.#cluster, name, await indexRules(this.#storage))
  }

  /** An index beside the one that is asked: one that an earlier feeder began goes on, where it was made in the same way. */
  async #begin(meta: Made): Promise<IndexFeed> {
    const { address } = this.#cluster
    const number = Number(this.#current?.index.slice(address.index.length + 1) ?? 0)
    const feed = new IndexFeed(
      this.#cluster,
      `${address.index}-${number + 1}`,
      await indexRules(this.#storage),
    )
    const isAnew = await isRebuildRequested(this.#cluster, 'new')
    if (!isAnew && (await this.#isMadeAs(feed.index, meta))) return feed
    await removeIndex(this.#cluster, feed.index)
    await feed.log.create()
    const definition = indexDefinition(address, meta)
    await this.#cluster.do(feed.index, { method: 'PUT', body: definition })
    await noteRebuild(this.#cluster, 'begun')
    return feed
  }

  /** Whether there is such an index, and it was made so. */
  async #isMadeAs(index: string, { format, rules }: Made): Promise<boolean> {
    const path = `${index}/_mapping?filter_path=*.mappings._meta`
    const { status, body } = await this.#cluster.ask(path)
    if (status !== 200 && status !== 404) throw refused(path, status, body)
    const made = body[index]?.mappings?._meta
    return made?.format === format && made.rules === rules
  }

  /** Lets questions be asked of what was built, in one step. */
  async #swap(feed: IndexFeed): Promise<void> {
    const { index: alias } = this.#cluster.address
    const before = this.#current?.index
    const actions = [
      ...(before === undefined ? [] : [{ remove: { index: before, alias } }]),
      { add: { index: feed.index, alias } },
    ]
    await this.#cluster.do('_aliases', { body: { actions } })
    await noteRebuild(this.#cluster, undefined)
    this.#current = feed
    this.#building = undefined
    if (before !== undefined) await removeIndex(this.#cluster, before)
  }

  /** Until the store has moved, or it is time to look again. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, LOOK_MS)
    this.#wake = resolve
    if (!this.#closing.signal.aborted) await promise
    clearTimeout(timer)
    this.#wake = undefined
  }

  async #watch(): Promise<void> {
    for await (const _ of this.#storage.watch(this.#closing.signal)) this.#wake?.()
  }
}

/** The index that questions are asked of now; undefined while the first one is built. */
export async function aliasedIndex(cluster: Cluster, signal?: AbortSignal): Promise<string | undefined> {
  const { status, body } = await cluster.ask(`_alias/${cluster.address.index}`, { signal })
  if (status !== 200 && status !== 404) throw refused('_alias', status, body)
  return status === 404 ? undefined : Object.keys(body)[0]
}

/** Asks the feeder to build the index again from the beginning, beside the one there is. */
export async function requestRebuild(cluster: Cluster): Promise<void> {
  if (!(await isRebuildRequested(cluster))) await noteRebuild(cluster, 'new')
}

/** Whether an index is to be built in place of the one there is. `state`: `new` where nobody has begun. */
export async function isRebuildRequested(cluster: Cluster, state?: 'new'): Promise<boolean> {
  const { status, body } = await cluster.ask(`${cluster.address.index}-lease/_doc/rebuild`)
  return status === 200 && (state === undefined || body._source.state === state)
}

async function noteRebuild(cluster: Cluster, state: 'new' | 'begun' | undefined): Promise<void> {
  const path = `${cluster.address.index}-lease/_doc/rebuild`
  if (state === undefined) await cluster.ask(path, { method: 'DELETE' })
  else await cluster.do(path, { method: 'PUT', body: { state } })
}

async function removeIndex(cluster: Cluster, index: string): Promise<void> {
  for (const each of [index, `${index}-words`]) {
    const { status, body } = await cluster.ask(each, { method: 'DELETE' })
    if (status !== 200 && status !== 404) throw refused(each, status, body)
  }
}
