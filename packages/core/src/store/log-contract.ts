/** The part of the storage contract that is about the log: what changed, and following it. */
import type { CallOptions, EntityKey, MaybePromise, NamedValues, StoredEntity } from './stored-values.ts'

/**
 * How far the history of a store has come: every write that changes entities moves it on. A text that
 * `positionOf` of `history.ts` makes: `isReached` orders positions, and tells those of another history apart.
 */
export type Position = string

/** The last thing that happened to an entity: it was put, or deleted. */
export interface Change {
  readonly type: string
  readonly id: string
  /** The entity as it stands; absent if it was deleted. */
  readonly entity?: StoredEntity
  /** Of the write that did it. */
  readonly position: Position
  /** Where to go on after this change: see `ChangesOptions.after`. */
  readonly place: string
}

/** Which changes are asked for. */
export interface ChangesOptions extends CallOptions {
  /**
   * Only changes after this place, as `Change.place` or `Changes.next` of any store of the same history. Absent: from the
   * beginning, which is every entity there is, and every deletion that is still known.
   */
  readonly after?: string | undefined
  /** Only changes of these types. Absent: of all. */
  readonly types?: readonly string[] | undefined
  /** Entities that are damaged are named in `Changes.damaged`, in place of being a fault. */
  readonly nameDamaged?: boolean | undefined
  /** How many at most. Fewer come where their entities are large. Of 0, which is cheap, `Changes.next` is the end of the log. */
  readonly limit: number
}

/** Changes in their order, all read from one snapshot. */
export interface Changes {
  /** Ascending by position, type and id; each entity at most once, as its last change left it. */
  readonly changes: readonly Change[]
  /** Entities that belong among the changes and are left out, since they are damaged; absent if none is. */
  readonly damaged?: readonly EntityKey[]
  /** Where to go on, also after no change at all. */
  readonly next: string
  /** More changes are there already. Where not, all changes so far together are the state at `position`. */
  readonly more: boolean
  /** Of the snapshot. */
  readonly position: Position
  /** Deletions up to here may be forgotten: a reader that is further behind can no longer follow. */
  readonly earliest: Position
  /** The versions of all types in the snapshot, also of those without entities. Absent while there is more. */
  readonly versions?: ReadonlyMap<string, string> | undefined
}

/** A history that is being followed: changes of another store, put in place together. */
export interface Following {
  /** Takes changes, in their order. Nothing is seen of them before `commit`. */
  add(changes: readonly FollowedChange[], options?: CallOptions): MaybePromise<void>
  /** Makes the store the state of the other one at this position, durably, in one step. */
  commit(state: FollowedState): MaybePromise<void>
  /** Forgets what was added. Harmless after `commit`. */
  abort(): MaybePromise<void>
}

/** A change as another store gave it, without its place. */
export type FollowedChange = Omit<Change, 'place'>

/** The state of another store when it had no more changes. */
export interface FollowedState extends CallOptions {
  /** The changes were read from the beginning: what else this store has is gone there, and goes here without a trace. */
  readonly fromBeginning?: boolean | undefined
  readonly position: Position
  readonly earliest: Position
  readonly versions: ReadonlyMap<string, string>
  /** Values to keep in the same step; undefined removes one. */
  readonly values?: NamedValues | undefined
}
