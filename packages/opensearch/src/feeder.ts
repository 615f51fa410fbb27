/** Keeps an index up to date with its store. One node feeds it, and the others wait to take over. */

import { indexRules, type ReplicaState, type Store, StoreFault } from '@worldwright/core/store'
import { type Cluster, refused } from './cluster.ts'
import { FORMAT, indexDefinition } from './documents.ts'
import { IndexFeed } from './index-feed.ts'
import { Lease } from './lease.ts'

/** Polling interval for new work, in milliseconds. */
const LOOK_MS = 1_000
/** Number of failures in succession after which a feeder counts as stuck. */
const STUCK = 3
/** Maximum pause after a failure, in milliseconds. Short enough to keep the lease. */
const MAX_PAUSE_MS = 10_000

/** Receives a message when feeding fails, and when it works again after it was stuck. Retries are automatic. */
export type ReportFeeding = (message: string) => void

/** Parameters of an index, stored in its mapping. An index with outdated parameters is rebuilt. */
interface Made {
  readonly format: string
  /** Index rules of the attributes, as JSON. */
  readonly rules: string
}

/** Options for a feeder other than its store and cluster. */
export interface FeederOptions {
  readonly report: ReportFeeding
  /** Time without a renewal after which the lease is free, in milliseconds (see `Lease`). */
  readonly leaseFreeMs?: number | undefined
}

/** Feeds the index of a cluster from a store until closed. */
export class Feeder {
  readonly #cluster: Cluster
  readonly #store: Pick<Store, 'changes' | 'watch' | 'values'>
  readonly #lease: Lease
  readonly #report: ReportFeeding
  readonly #closing = new AbortController()
  readonly #ended: Promise<void>
  /** Index that is currently searched. */
  #current: IndexFeed | undefined
  /** Index that is being built to replace the current one. */
  #building: IndexFeed | undefined
  /** Number of the last index that was searched. Names are not reused, because other nodes cache by name. */
  #number = 0
  #wake: (() => void) | undefined
  #reported = ''
  /** Number of failures in succession. */
  #failures = 0
  #state: ReplicaState = { currentAt: 0 }

  constructor(
    cluster: Cluster,
    store: Pick<Store, 'changes' | 'watch' | 'values'>,
    { report, leaseFreeMs }: FeederOptions,
  ) {
    this.#cluster = cluster
    this.#store = store
    this.#lease = new Lease(cluster, leaseFreeMs)
    this.#report = report
    this.#ended = Promise.all([this.#run(), this.#watch()]).then(() => {})
  }

  /**
   * Returns the state of the index, as this node or the one that feeds it knows it: the time up to which it has everything
   * that was stored, and the reason why it is not fed, if feeding failed three times in succession.
   */
  state(): ReplicaState {
    return this.#state
  }

  /** Finishes the current step, releases the lease and stops. */
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
        const isHeld = await this.#lease.hold(this.#state)
        if (isHeld) isMore = await this.#step()
        else this.#forget()
        this.#succeeded(isHeld)
      } catch (error) {
        this.#forget()
        this.#failed(error instanceof Error ? error.message : String(error))
      }
      if (!isMore) await this.#pause()
    }
    await this.#lease.release().catch(() => {})
  }

  /** Discards cached state that another node may have changed. */
  #forget(): void {
    this.#current = undefined
    this.#building = undefined
  }

  #succeeded(isHeld: boolean): void {
    if (this.#failures >= STUCK) this.#report('The search index is fed again.')
    const own = { currentAt: this.#state.currentAt }
    this.#state = isHeld ? own : (this.#lease.reported ?? own)
    this.#failures = 0
    this.#reported = ''
  }

  #failed(message: string): void {
    this.#failures += 1
    const times = this.#failures < STUCK ? '' : `, ${this.#failures} times in succession`
    if (message !== this.#reported || this.#failures === STUCK)
      this.#report(`The search index is not fed${times}: ${message}`)
    this.#reported = message
    if (this.#failures >= STUCK) this.#state = { ...this.#state, lost: message }
  }

  /** Feeds one batch to the current index and to the one being built. Returns true if there is more to do. */
  async #step(): Promise<boolean> {
    const rules = await indexRules(this.#store)
    const meta: Made = { format: FORMAT, rules: JSON.stringify(rules) }
    this.#current ??= await this.#aliased()
    if (!this.#current) this.#lacksIndex()
    const isMore = this.#current !== undefined && (await this.#advance(this.#current))
    if (!this.#building && !(await this.#isToBuild(meta))) return isMore
    this.#building ??= await this.#begin(meta)
    // Keeps the searched index as current as possible while the new one is built.
    if (isMore && this.#current) while (this.#lease.isHeld && (await this.#advance(this.#current)));
    if (!(await this.#building.advance(this.#store))) await this.#swap(this.#building)
    return true
  }

  /** Feeds the searched index. Requests a rebuild if the log no longer reaches back far enough. */
  async #advance(feed: IndexFeed): Promise<boolean> {
    const at = Date.now()
    try {
      const isMore = await feed.advance(this.#store)
      if (!isMore) this.#state = { ...this.#state, currentAt: at }
      return isMore
    } catch (error) {
      if (!(error instanceof StoreFault && error.code === 'expired')) throw error
      await requestRebuild(this.#cluster)
      return false
    }
  }

  async #isToBuild(meta: Made): Promise<boolean> {
    if (!this.#current || (await isRebuildRequested(this.#cluster))) return true
    const isToBuild = !(await this.#isMadeAs(this.#current.index, meta))
    // The index may have been deleted, and is then built like the first one.
    if (isToBuild && (await aliasedIndex(this.#cluster)) === undefined) this.#lacksIndex()
    return isToBuild
  }

  #lacksIndex(): void {
    this.#current = undefined
    this.#state = { ...this.#state, currentAt: 0 }
  }

  async #aliased(): Promise<IndexFeed | undefined> {
    const name = await aliasedIndex(this.#cluster)
    if (name !== undefined) this.#number = Number(name.slice(this.#cluster.address.index.length + 1))
    return name === undefined ? undefined : new IndexFeed(this.#cluster, name, await indexRules(this.#store))
  }

  /** Creates a new index, or resumes one that an earlier feeder began with the same parameters. */
  async #begin(meta: Made): Promise<IndexFeed> {
    const { address } = this.#cluster
    const name = `${address.index}-${this.#number + 1}`
    const feed = new IndexFeed(this.#cluster, name, await indexRules(this.#store))
    const isAnew = await isRebuildRequested(this.#cluster, 'new')
    if (!isAnew && (await this.#isMadeAs(feed.index, meta))) return feed
    await removeIndex(this.#cluster, feed.index)
    await feed.log.create()
    const definition = indexDefinition(address, meta)
    await this.#cluster.do(feed.index, { method: 'PUT', body: definition })
    await noteRebuild(this.#cluster, 'begun')
    return feed
  }

  /** Reports whether the index exists and has these parameters. */
  async #isMadeAs(index: string, { format, rules }: Made): Promise<boolean> {
    const path = `${index}/_mapping?filter_path=*.mappings._meta`
    const { status, body } = await this.#cluster.ask(path)
    if (status !== 200 && status !== 404) throw refused(path, status, body)
    const made = body[index]?.mappings?._meta
    return made?.format === format && made.rules === rules
  }

  /** Atomically switches searches to the newly built index, then removes the old one. */
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
    this.#number += 1
    this.#building = undefined
    if (before !== undefined) await removeIndex(this.#cluster, before)
  }

  /** Waits until the store changes or the polling interval ends. Waits longer after each failure, whatever changes. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.min(LOOK_MS * 2 ** Math.max(0, this.#failures - 1), MAX_PAUSE_MS))
    this.#wake = resolve
    if (!this.#closing.signal.aborted) await promise
    clearTimeout(timer)
    this.#wake = undefined
  }

  async #watch(): Promise<void> {
    for await (const _ of this.#store.watch(this.#closing.signal)) if (this.#failures === 0) this.#wake?.()
  }
}

/** Returns the name of the index that is currently searched, or undefined while the first one is being built. */
export async function aliasedIndex(cluster: Cluster, timeoutMs?: number): Promise<string | undefined> {
  const { status, body } = await cluster.ask(`_alias/${cluster.address.index}`, { timeoutMs })
  if (status !== 200 && status !== 404) throw refused('_alias', status, body)
  return status === 404 ? undefined : Object.keys(body)[0]
}

/** Asks the feeder to build a new index from the start. The current index is searched until the new one is complete. */
export async function requestRebuild(cluster: Cluster): Promise<void> {
  if (!(await isRebuildRequested(cluster))) await noteRebuild(cluster, 'new')
}

/** Reports whether a rebuild is requested. With `state` set to `new`, a rebuild that a feeder has begun does not count. */
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
