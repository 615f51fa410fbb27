/** Following a world: a store that becomes its copy and stays one, as long as somebody wants it. */
import { setTimeout as pause } from 'node:timers/promises'
import { isWorldError, WorldError } from '@worldwright/client'
import type { EntityKey, Position, Storage } from '../storage/contract.ts'
import {
  type KeptOwner,
  keptDescription,
  keptOwner,
  metadataOf,
  type OwnerDescription,
} from './kept-owner.ts'
import { Owner, type OwnerOptions, type OwnerPage } from './owner.ts'
import { Walk } from './walk.ts'

/** Which world to follow, and into which store. */
export interface FollowOptions extends OwnerOptions {
  /** An empty store, or one that follows the same world already. Nothing else writes entities to it. */
  readonly storage: Storage
  /** Milliseconds between two looks at a world that does not announce its changes. Default 1 s. */
  readonly pollMs?: number
  /** Milliseconds before the first attempt after a failure, at most; each further one doubles it, up to 30 s. Default 1 s. */
  readonly retryMs?: number
}

/** What happens while a world is followed. */
export type FollowEvent =
  /** The owner describes itself otherwise than the store said before; the store says so as well by now. */
  | { readonly event: 'described'; readonly description: OwnerDescription }
  /** So many changes were taken, and there are more. Nothing of them is to be seen yet. */
  | { readonly event: 'behind'; readonly changes: number }
  /** These are damaged at the owner: a first copy is made without them. */
  | { readonly event: 'damaged'; readonly entities: readonly EntityKey[] }
  /** The store is what the owner is; so many changes made it so. Comes again and again as a sign of life. */
  | { readonly event: 'current'; readonly position: Position; readonly changes: number }
  /** The owner does not know any more what changed since then, or was restored: all of it is copied again. */
  | { readonly event: 'startedOver' }
  /** The owner could not be asked, or the store could not take it; the next attempt comes in so many milliseconds. */
  | { readonly event: 'lost'; readonly error: unknown; readonly retryMs: number }

const POLL_MS = 1_000
const RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000

/** How often the owner's description is read again, in milliseconds, where no new type asks for it. */
const DESCRIBE_MS = 60_000

/** Codes of the owner that say: this token leads nowhere, begin again. */
const EXPIRED = ['changes_expired', 'invalid_cursor']

/**
 * What a store says of the world that it follows, else what the world says itself.
 * @throws WorldError as `followWorld` does at its start
 */
export async function describeOwner(
  options: Omit<FollowOptions, 'pollMs' | 'retryMs'>,
): Promise<OwnerDescription> {
  const kept = await keptDescription(options.storage)
  if (kept) return kept
  await requireEmpty(options.storage)
  return (await Owner.connect(options, undefined)).description
}

/**
 * Copies a world and follows it until the signal is aborted. Changes are put in place as whole commits, with where they
 * led to, so that a store that is opened again goes on from there. Failures are events, and tried again; only what is
 * wrong from the first contact on is thrown.
 * @throws WorldError `world_mismatch` where store and origin hold different worlds, `not_empty` where the store holds
 *   entities of its own, `not_followable` where the world does not say what changes; any answer that no time will change
 */
export async function* followWorld(options: FollowOptions): AsyncGenerator<FollowEvent> {
  yield* new Follower(options).run()
}

class Follower {
  readonly #options: FollowOptions
  #walk: Walk | undefined
  #kept: KeptOwner | undefined
  #described: OwnerDescription | undefined
  /** By a clock that nobody sets. */
  #describedAt = 0
  /** Types that the owner has, and does not list. */
  #unlisted: ReadonlySet<string> = new Set()
  #hasMet = false

  constructor(options: FollowOptions) {
    this.#options = options
  }

  async *run(): AsyncGenerator<FollowEvent> {
    const { storage, signal, pollMs = POLL_MS, retryMs = RETRY_MS } = this.#options
    this.#kept = await keptOwner(storage)
    this.#described = await keptDescription(storage)
    if (!this.#kept) await requireEmpty(storage)
    let failures = 0
    try {
      while (!signal.aborted) {
        try {
          for await (const event of this.#follow()) {
            if (event.event === 'current') failures = 0
            yield event
          }
          await wait(pollMs, signal)
        } catch (error) {
          if (signal.aborted) return
          if (!this.#hasMet && !mayPass(error)) throw error
          const ms = retryAfter(error, Math.min(retryMs * 2 ** failures++, MAX_RETRY_MS))
          yield { event: 'lost', error, retryMs: ms }
          await wait(ms, signal)
        }
      }
    } finally {
      await this.#giveUp()
    }
  }

  /** One connection: until the owner ends it. */
  async *#follow(): AsyncGenerator<FollowEvent> {
    const { storage, signal } = this.#options
    const owner = await Owner.connect(this.#options, this.#kept?.worldId)
    this.#describedAt = performance.now()
    yield* this.#catchUp(owner)
    this.#hasMet = true
    while (!owner.announces) {
      await wait(this.#options.pollMs ?? POLL_MS, signal)
      signal.throwIfAborted()
      yield* this.#catchUp(owner)
    }
    if (!this.#kept) return
    for await (const position of owner.positions(this.#kept.next)) {
      const isNews = position !== undefined && (await storage.hasReached(position)) !== true
      if (isNews || this.#isDescriptionOld()) yield* this.#catchUp(owner)
      else yield { event: 'current', position: await storage.position(), changes: 0 }
    }
  }

  /** Takes all there is, and puts it in place. */
  async *#catchUp(owner: Owner): AsyncGenerator<FollowEvent> {
    const { signal, storage } = this.#options
    this.#walk ??= new Walk(storage, this.#kept?.next)
    const walk = this.#walk
    // The index is built while the first copy is made: it has to know how.
    const isFirst = walk.fromBeginning && (await storage.versions()).size === 0
    if (isFirst) await storage.setIndexRules(owner.description.indexRules, { signal })
    // A store that has something already could lose what its owner has lost: it waits until that is mended.
    let asked = owner.page(walk.next, isFirst)
    for (;;) {
      let page: OwnerPage
      try {
        page = await asked
      } catch (error) {
        if (walk.next === undefined || !isWorldError(error) || !EXPIRED.includes(error.code)) throw error
        // Another world at this address knows no token of ours either.
        await this.#describe(owner)
        yield { event: 'startedOver' }
        await this.#giveUp()
        this.#walk = new Walk(storage, undefined)
        return yield* this.#catchUp(owner)
      }
      // Asked for before this one is taken: the owner reads while this store writes.
      if (page.more) {
        asked = owner.page(page.next, isFirst)
        asked.catch(() => {})
      }
      await this.#orGiveUp(walk.take(page.changes, page.next, { signal }))
      if (page.damaged.length > 0) yield { event: 'damaged', entities: page.damaged }
      if (!page.more) return yield* this.#commit(owner, walk, page)
      yield { event: 'behind', changes: walk.changes }
    }
  }

  async *#commit(owner: Owner, walk: Walk, page: OwnerPage): AsyncGenerator<FollowEvent> {
    const { storage, signal, origin } = this.#options
    const { position, earliest, versions, next } = page
    await this.#refresh(owner, versions)
    const { description } = owner
    const isDescribed = JSON.stringify(description) !== JSON.stringify(this.#described)
    const isMoved = walk.changes > 0 || walk.fromBeginning || position !== (await storage.position())
    if (isMoved || isDescribed || this.#kept?.origin !== origin) {
      const kept = { origin, worldId: description.id, next, at: Date.now() }
      const metadata = metadataOf(kept, isDescribed ? description : undefined)
      await this.#orGiveUp(
        (async () => {
          if (isDescribed) await storage.setIndexRules(description.indexRules, { signal })
          await walk.commit({ position, earliest, versions, metadata, signal })
        })(),
      )
      this.#kept = kept
    }
    this.#walk = undefined
    if (isDescribed) {
      this.#described = description
      yield { event: 'described', description }
    }
    yield { event: 'current', position, changes: walk.changes }
  }

  /** Reads the description again where it is old, or where the owner has a type that it does not list. */
  async #refresh(owner: Owner, versions: ReadonlyMap<string, string>): Promise<void> {
    const unlisted = () => {
      const listed = new Set(owner.description.entityTypes.map(({ type }) => type))
      return new Set([...versions.keys()].filter((type) => !listed.has(type)))
    }
    const isNew = [...unlisted()].some((type) => !this.#unlisted.has(type))
    if (!isNew && !this.#isDescriptionOld()) return
    await this.#describe(owner)
    this.#unlisted = unlisted()
  }

  /** @throws WorldError `world_mismatch` */
  async #describe(owner: Owner): Promise<void> {
    await owner.refresh()
    this.#describedAt = performance.now()
  }

  #isDescriptionOld(): boolean {
    return performance.now() - this.#describedAt >= DESCRIBE_MS
  }

  /** Waits for work of the store. If that fails, what was taken is lost with it. */
  async #orGiveUp(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      await this.#giveUp()
      throw error
    }
  }

  async #giveUp(): Promise<void> {
    await this.#walk?.abort()
    this.#walk = undefined
  }
}

/** @throws WorldError `not_empty` */
async function requireEmpty(storage: Storage): Promise<void> {
  if ((await storage.versions()).size === 0) return
  throw new WorldError('not_empty', 'The store holds entities of its own. Follow into an empty one.')
}

/** Whether a failure may be gone with time: nobody answered, or one who cannot at the moment; or the store was busy. */
function mayPass(error: unknown): boolean {
  if (!isWorldError(error)) return true
  const { status, code } = error
  return status === 429 || status >= 500 || code === 'network_error' || code === 'timeout'
}

/** Between half of a bound and all of it, so that followers who failed together do not return together. */
function retryAfter(error: unknown, boundMs: number): number {
  const asked = isWorldError(error) ? (error.retryAfter ?? 0) * 1_000 : 0
  return Math.max(asked, Math.round(boundMs * (0.5 + Math.random() / 2)))
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {})
}
