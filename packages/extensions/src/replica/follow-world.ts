/** Replicates a world into a store and keeps following it until the signal is aborted. */
import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import { isWorldError, WorldError } from '@worldwright/client'
import { isExpired, willPass } from '@worldwright/client/changes'
import { follow, type Log, type Sink } from '@worldwright/client/follow'
import type { EntityKey, Position, Store } from '@worldwright/core/store'
import { isReached, positionNow, setIndexRules } from '@worldwright/core/store'
import {
  type KeptUpstream,
  keptDescription,
  keptUpstream,
  type UpstreamDescription,
  valuesOf,
} from './kept-upstream.ts'
import { followedChange, Upstream, type UpstreamOptions, type UpstreamPage } from './upstream.ts'
import { Walk } from './walk.ts'

/** World to follow, and the store that becomes its replica. */
export interface FollowOptions extends UpstreamOptions {
  /** Must be empty or a replica of the same world. Nothing else may write entities to it. */
  readonly store: Store
  /** Polling interval for a world that does not announce its changes, in milliseconds; default 1 s. */
  readonly pollMs?: number
  /** Maximum delay before the first retry, in milliseconds; default 1 s. Each further retry doubles it, up to 30 s. */
  readonly retryMs?: number
}

/** Events reported while following a world. */
export type FollowEvent =
  /** The upstream's description has changed, and the stored one has been updated. */
  | { readonly event: 'described'; readonly description: UpstreamDescription }
  /** There are more changes to read. The `changes` read so far are not visible yet. */
  | { readonly event: 'behind'; readonly changes: number }
  /** These entities are damaged at the upstream. The first replication omits them. */
  | { readonly event: 'damaged'; readonly entities: readonly EntityKey[] }
  /** Caught up after `changes`; repeated as a heartbeat. */
  | { readonly event: 'current'; readonly position: Position; readonly changes: number }
  /** The upstream has trimmed its log or has been restored, so everything is read again. */
  | { readonly event: 'startedOver' }
  /** The upstream could not be reached, or the store failed. The next attempt is in `retryMs`. */
  | { readonly event: 'lost'; readonly error: unknown; readonly retryMs: number }

/** Publishes each page that is applied to tracers in this process. */
const batches = tracingChannel('worldwright:follow')

const POLL_MS = 1_000

/** Interval for rereading the upstream's description, in milliseconds. A new type triggers an earlier reread. */
const DESCRIBE_MS = 60_000

/**
 * Returns the upstream's description from the store or, if the store has none, from the upstream itself.
 * @throws WorldError as `followWorld` does when it starts
 */
export async function describeUpstream(
  options: Omit<FollowOptions, 'pollMs' | 'retryMs'>,
): Promise<UpstreamDescription> {
  const kept = await keptDescription(options.store)
  if (kept) return kept
  await requireEmpty(options.store)
  return (await Upstream.connect(options, undefined)).description
}

/**
 * Replicates a world until the signal is aborted. Changes are applied in whole commits, each with its resume token, so that
 * a reopened store resumes there. Failures are reported as events and retried. Errors are thrown only before the first
 * contact succeeds.
 * @throws WorldError `world_mismatch` if store and origin contain different worlds, `not_empty` if the store contains
 *   entities of its own, `not_followable` if the world does not publish its changes; any response that a retry cannot change
 */
export async function* followWorld(options: FollowOptions): AsyncGenerator<FollowEvent> {
  const { store } = options
  const kept = await keptUpstream(store)
  if (!kept) await requireEmpty(store)
  const replica = new Replica(options, kept, await keptDescription(store))
  try {
    yield* follow(replica, replica, options)
  } finally {
    await replica.giveUp()
  }
}

/** Connects an upstream's log to the replica's store. Pages are collected one by one and applied together. */
class Replica implements Log<UpstreamPage>, Sink<UpstreamPage, FollowEvent> {
  readonly isExpired = isExpired
  readonly #options: FollowOptions
  #kept: KeptUpstream | undefined
  #described: UpstreamDescription | undefined
  /** Set by the first connection, before anything is read. */
  #upstream!: Upstream
  /** Time at which the description was last read, by a monotonic clock, in milliseconds. */
  #describedAt = 0
  /** Types that the upstream has but does not list. */
  #unlisted: ReadonlySet<string> = new Set()
  #walk: Walk | undefined
  /** True if the store was empty when the walk began. */
  #isFirst = false
  /** Prefetched next page, which the upstream reads while this store writes. */
  #ahead: Promise<UpstreamPage> | undefined
  /** Last committed page, without its changes. */
  #heartbeat: UpstreamPage | undefined
  #hasMet = false

  constructor(
    options: FollowOptions,
    kept: KeptUpstream | undefined,
    described: UpstreamDescription | undefined,
  ) {
    this.#options = options
    this.#kept = kept
    this.#described = described
  }

  /** Runs until the connection closes. Yields undefined if there may be changes to read, or an empty page as a heartbeat. */
  async *live(): AsyncGenerator<UpstreamPage | undefined> {
    const { store, signal, pollMs = POLL_MS } = this.#options
    this.#upstream = await Upstream.connect(this.#options, this.#kept?.worldId)
    this.#ahead = undefined
    this.#describedAt = performance.now()
    yield
    this.#hasMet = true
    while (!this.#upstream.announces) {
      await pause(pollMs, undefined, { signal })
      yield
    }
    if (!this.#kept) return
    for await (const position of this.#upstream.positions(this.#kept.next)) {
      const isNews = position !== undefined && (await isReached(store, position)) !== true
      yield isNews ? undefined : this.#heartbeat
    }
  }

  async read(after: string | undefined): Promise<UpstreamPage> {
    this.#walk ??= await this.#begin(after)
    const asked = this.#ahead ?? this.#ask(after)
    this.#ahead = undefined
    const page = await asked
    if (page.more) {
      this.#ahead = this.#ask(page.next)
      this.#ahead.catch(() => {})
    }
    return page
  }

  checkpoint(): string | undefined {
    return this.#walk ? this.#walk.next : this.#kept?.next
  }

  apply(page: UpstreamPage): Promise<FollowEvent[]> {
    const changes = page.changes.length
    return changes === 0 ? this.#apply(page) : batches.tracePromise(() => this.#apply(page), { changes })
  }

  async #apply(page: UpstreamPage): Promise<FollowEvent[]> {
    const { signal } = this.#options
    this.#walk ??= await this.#begin(this.checkpoint())
    const walk = this.#walk
    await this.#orGiveUp(walk.take(page.changes.map(followedChange), page.next, { signal }))
    const damaged: FollowEvent[] = page.damaged ? [{ event: 'damaged', entities: page.damaged }] : []
    if (page.more) return [...damaged, { event: 'behind', changes: walk.changes }]
    return [...damaged, ...(await this.#commit(walk, page))]
  }

  async restart(): Promise<FollowEvent[]> {
    // The origin may now serve a different world, which would not accept our tokens.
    await this.#describe()
    await this.giveUp()
    this.#walk = await this.#begin(undefined)
    return [{ event: 'startedOver' }]
  }

  lost(error: unknown, retryMs: number): FollowEvent[] {
    if (!this.#hasMet && isWorldError(error) && !willPass(error)) throw error
    return [{ event: 'lost', error, retryMs }]
  }

  /** Discards changes that have been collected but not applied. */
  async giveUp(): Promise<void> {
    await this.#walk?.abort()
    this.#walk = undefined
    this.#ahead = undefined
  }

  async #begin(after: string | undefined): Promise<Walk> {
    const { store, signal } = this.#options
    this.#isFirst = after === undefined && (await store.types()).size === 0
    // The first replication builds the index, so the index rules are needed before it begins.
    if (this.#isFirst) await setIndexRules(store, this.#upstream.description.indexRules, { signal })
    return new Walk(store, after)
  }

  /** Requests a page. The first replication omits damaged entities. Later, pages with damaged entities are retried. */
  #ask(after: string | undefined): Promise<UpstreamPage> {
    return this.#upstream.page(after, this.#isFirst)
  }

  async #commit(walk: Walk, page: UpstreamPage): Promise<FollowEvent[]> {
    const { store, signal, origin } = this.#options
    const { position, earliest, next } = page
    const versions = new Map(Object.entries(page.versions ?? {}))
    await this.#refresh(versions)
    const { description } = this.#upstream
    const isDescribed = JSON.stringify(description) !== JSON.stringify(this.#described)
    const isMoved = walk.changes > 0 || walk.fromBeginning || position !== (await positionNow(store))
    if (isMoved || isDescribed || this.#kept?.origin !== origin) {
      const kept = { origin, worldId: description.id, next, at: Date.now() }
      const values = valuesOf(kept, isDescribed ? description : undefined)
      await this.#orGiveUp(
        (async () => {
          if (isDescribed) await setIndexRules(store, description.indexRules, { signal })
          await walk.commit({ position, earliest, versions, values, signal })
        })(),
      )
      this.#kept = kept
    }
    this.#walk = undefined
    this.#heartbeat = { ...page, changes: [], damaged: undefined }
    const current: FollowEvent = { event: 'current', position, changes: walk.changes }
    if (!isDescribed) return [current]
    this.#described = description
    return [{ event: 'described', description }, current]
  }

  /** Rereads the description if it is old, or lacks a type that has appeared at the upstream. */
  async #refresh(versions: ReadonlyMap<string, string>): Promise<void> {
    const unlisted = () => {
      const listed = new Set(this.#upstream.description.entityTypes.map(({ type }) => type))
      return new Set([...versions.keys()].filter((type) => !listed.has(type)))
    }
    const isNew = [...unlisted()].some((type) => !this.#unlisted.has(type))
    if (!isNew && performance.now() - this.#describedAt < DESCRIBE_MS) return
    await this.#describe()
    this.#unlisted = unlisted()
  }

  /** Rereads the description. @throws WorldError `world_mismatch` */
  async #describe(): Promise<void> {
    await this.#upstream.refresh()
    this.#describedAt = performance.now()
  }

  /** Waits for a store operation. If the operation fails, discards the collected changes. */
  async #orGiveUp(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      await this.giveUp()
      throw error
    }
  }
}

/** Refuses a store with entities of its own. @throws WorldError `not_empty` */
async function requireEmpty(store: Store): Promise<void> {
  if ((await store.types()).size === 0) return
  throw new WorldError('not_empty', 'The store holds entities of its own. Follow into an empty one.')
}
