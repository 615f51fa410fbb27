/** The log part of the store contract: changes, and replication. */
import type { CallOptions, EntityKey, MaybePromise, NamedValues, StoredEntity } from './stored-values.ts'

/**
 * High-water mark of a store's history, advanced by every write that changes entities. A text made by `positionOf` of
 * `history.ts`: `isReached` compares positions, and recognises those of another history.
 */
export type Position = string

/** The last change of an entity: an upsert or a tombstone. */
export interface Change {
  readonly type: string
  readonly id: string
  /** The current entity; absent for a tombstone. */
  readonly entity?: StoredEntity
  /** Position of the write that made the change. */
  readonly position: Position
  /** Offset after this change: see `ChangesOptions.after`. */
  readonly place: string
}

/** Range and types of the changes to read. */
export interface ChangesOptions extends CallOptions {
  /**
   * Only changes after this offset, from `Change.place` or `Changes.next` of any store of the same history. Absent: from the
   * beginning, which is every entity and every remembered tombstone.
   */
  readonly after?: string | undefined
  /** Only changes of these types. Absent: of all types. */
  readonly types?: readonly string[] | undefined
  /** Names damaged entities in `Changes.damaged`, instead of failing. */
  readonly nameDamaged?: boolean | undefined
  /** Maximum number of changes; fewer are returned if their entities are large. 0 is cheap: `next` is the end of the log. */
  readonly limit: number
}

/** Changes in their order, all read from one snapshot. */
export interface Changes {
  /** Ascending by position, type and id; each entity at most once, as its last change left it. */
  readonly changes: readonly Change[]
  /** Damaged entities omitted from the changes; absent if there are none. */
  readonly damaged?: readonly EntityKey[]
  /** Offset from which to continue, also after no changes. */
  readonly next: string
  /** More changes are available. If not, all changes so far together are the state at `position`. */
  readonly more: boolean
  /** Position of the snapshot. */
  readonly position: Position
  /** Tombstones up to here may be forgotten: a reader that is further behind can no longer follow. */
  readonly earliest: Position
  /** Versions of all types in the snapshot, including those without entities. Absent while there is more. */
  readonly versions?: ReadonlyMap<string, string> | undefined
}

/** A replication in progress: changes of another store, applied together. */
export interface Following {
  /** Stages changes, in order. Readers see none of them before `commit`. */
  add(changes: readonly FollowedChange[], options?: CallOptions): MaybePromise<void>
  /** Brings the store to the state of the other one at this position, durably, in one step. */
  commit(state: FollowedState): MaybePromise<void>
  /** Discards the staged changes. No effect after `commit`. */
  abort(): MaybePromise<void>
}

/** A change as another store returned it, without its offset. */
export type FollowedChange = Omit<Change, 'place'>

/** The state of another store when it had no more changes. */
export interface FollowedState extends CallOptions {
  /** The changes were read from the beginning: all other entities of this store are removed, without a trace. */
  readonly fromBeginning?: boolean | undefined
  readonly position: Position
  readonly earliest: Position
  readonly versions: ReadonlyMap<string, string>
  /** Values to store in the same step; undefined removes one. */
  readonly values?: NamedValues | undefined
}
