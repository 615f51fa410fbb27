/** Following a world: a store becomes its replica and stays one until the signal aborts. */
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

/** The world to follow, and the store that becomes its replica. */
export interface FollowOptions extends UpstreamOptions {
  /** An empty store, or one that follows the same world already. Nothing else writes entities to it. */
  readonly storage: Store
  /** Polling interval for a world that does not announce its changes, in milliseconds. Default 1 s. */
  readonly pollMs?: number
  /** Maximum delay before the first retry, in milliseconds; each further retry doubles it, up to 30 s. Default 1 s. */
  readonly retryMs?: number
}

/** Events of following a world. */
export type FollowEvent =
  /** The upstream's description differs from the stored one; the store has been updated. */
  | { readonly event: 'described'; readonly description: UpstreamDescription }
  /** `changes` were taken, and there are more. None of them is visible yet. */
  | { readonly event: 'behind'; readonly changes: number }
  /** These entities are damaged at the upstream: the first replica is made without them. */
  | { readonly event: 'damaged'; readonly entities: readonly EntityKey[] }
  /** Caught up after `changes`; repeated as a heartbeat. */
  | { readonly event: 'current'; readonly position: Position; readonly changes: number }
  /** The upstream has trimmed its log, or was restored: everything is read again. */
  | { readonly event: 'startedOver' }
  /** The upstream could not be reached, or the store failed. It is retried in `retryMs`. */
  | { readonly event: 'lost'; readonly error: unknown; readonly retryMs: number }

const POLL_MS = 1_000

/** Interval for reading the upstream's description again, in milliseconds, unless a new type requires it earlier. */
const DESCRIBE_MS = 60_000

/**
 * Returns the upstream's description that the store keeps, else the upstream's own.
 * @throws WorldError as `followWorld` does at its start
 */
export async function describeUpstream(
  options: Omit<FollowOptions, 'pollMs' | 'retryMs'>,
): Promise<UpstreamDescription> {
  const kept = await keptDescription(options.storage)
  if (kept) return kept
  await requireEmpty(options.storage)
  return (await Upstream.connect(options, undefined)).description
}

/**
 * Replicates a world until the signal aborts. Changes are applied as whole commits, together with the token after them, so
 * that a reopened store continues there. Failures are reported as events and retried; only errors that persist from the
 * first contact on are thrown.
 * @throws WorldError `world_mismatch` if store and origin hold different worlds, `not_empty` if the store holds entities
 *   of its own, `not_followable` if the world does not publish its changes; any answer that retrying cannot change
 */
export async function* followWorld(options: FollowOptions): AsyncGenerator<FollowEvent> {
  const { storage } = options
  const kept = await keptUpstream(storage)
  if (!kept) await requireEmpty(storage)
  const replica = new Replica(options, kept, await keptDescription(storage))
  try {
    yield* follow(replica, replica, options)
  } finally {
    await replica.giveUp()
  }
}

/** The log of an upstream, and the store that follows it: pages are taken one by one and applied together. */
class Replica implements Log<UpstreamPage>, Sink<UpstreamPage, FollowEvent> {
  readonly isExpired = isExpired
  readonly #options: FollowOptions
  #kept: KeptUpstream | undefined
  #described: UpstreamDescription | undefined
  /** Set by the first connection, before anything is read. */
  #upstream!: Upstream
  /** Monotonic clock. */
  #describedAt = 0
  /** Types that the upstream has but does not list. */
  #unlisted: ReadonlySet<string> = new Set()
  #walk: Walk | undefined
  /** The store was empty when the walk began. */
  #isFirst = false
  /** Prefetched next page: the upstream reads while this store writes. */
  #ahead: Promise<UpstreamPage> | undefined
  /** The page of the last commit, without its changes. */
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

  /** One connection, until the upstream ends it. A heartbeat is a page without changes. */
  async *live(): AsyncGenerator<UpstreamPage | undefined> {
    const { storage, signal, pollMs = POLL_MS } = this.#options
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
      const isNews = position !== undefined && (await isReached(storage, position)) !== true
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

  async apply(page: UpstreamPage): Promise<FollowEvent[]> {
    const { signal } = this.#options
    this.#walk ??= await this.#begin(this.checkpoint())
    const walk = this.#walk
    await this.#orGiveUp(walk.take(page.changes.map(followedChange), page.next, { signal }))
    const damaged: FollowEvent[] = page.damaged ? [{ event: 'damaged', entities: page.damaged }] : []
    if (page.more) return [...damaged, { event: 'behind', changes: walk.changes }]
    return [...damaged, ...(await this.#commit(walk, page))]
  }

  async restart(): Promise<FollowEvent[]> {
    // The address may now serve another world, which does not know our tokens either.
    await this.#describe()
    await this.giveUp()
    this.#walk = await this.#begin(undefined)
    return [{ event: 'startedOver' }]
  }

  lost(error: unknown, retryMs: number): FollowEvent[] {
    if (!this.#hasMet && isWorldError(error) && !willPass(error)) throw error
    return [{ event: 'lost', error, retryMs }]
  }

  /** Discards the changes that were taken and not yet applied. */
  async giveUp(): Promise<void> {
    await this.#walk?.abort()
    this.#walk = undefined
    this.#ahead = undefined
  }

  async #begin(after: string | undefined): Promise<Walk> {
    const { storage, signal } = this.#options
    this.#isFirst = after === undefined && (await storage.types()).size === 0
    // The index is built while the first replica is made, so it needs its rules first.
    if (this.#isFirst) await setIndexRules(storage, this.#upstream.description.indexRules, { signal })
    return new Walk(storage, after)
  }

  /** Only a first replica omits damaged entities. Later ones wait, so that they do not lose what the upstream has lost. */
  #ask(after: string | undefined): Promise<UpstreamPage> {
    return this.#upstream.page(after, this.#isFirst)
  }

  async #commit(walk: Walk, page: UpstreamPage): Promise<FollowEvent[]> {
    const { storage, signal, origin } = this.#options
    const { position, earliest, next } = page
    const versions = new Map(Object.entries(page.versions ?? {}))
    await this.#refresh(versions)
    const { description } = this.#upstream
    const isDescribed = JSON.stringify(description) !== JSON.stringify(this.#described)
    const isMoved = walk.changes > 0 || walk.fromBeginning || position !== (await positionNow(storage))
    if (isMoved || isDescribed || this.#kept?.origin !== origin) {
      const kept = { origin, worldId: description.id, next, at: Date.now() }
      const values = valuesOf(kept, isDescribed ? description : undefined)
      await this.#orGiveUp(
        (async () => {
          if (isDescribed) await setIndexRules(storage, description.indexRules, { signal })
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

  /** Reads the description again if it is old, or if the upstream has a type that it does not list. */
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

  /** @throws WorldError `world_mismatch` */
  async #describe(): Promise<void> {
    await this.#upstream.refresh()
    this.#describedAt = performance.now()
  }

  /** Waits for work of the store. If it fails, the changes that were taken are discarded. */
  async #orGiveUp(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      await this.giveUp()
      throw error
    }
  }
}

/** @throws WorldError `not_empty` */
async function requireEmpty(storage: Store): Promise<void> {
  if ((await storage.types()).size === 0) return
  throw new WorldError('not_empty', 'The store holds entities of its own. Follow into an empty one.')
}
