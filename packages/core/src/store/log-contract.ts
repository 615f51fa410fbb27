/** The log part of the store contract: changes, and replication. */
import type { CallOptions, EntityKey, MaybePromise, NamedValues, StoredEntity } from './stored-values.ts'

/**
 * High-water mark of a store's history, advanced by every write that changes entities. `positionOf` in `history.ts` formats
 * positions; `isReached` compares them, and detects those of another history.
 */
export type Position = string

/** The last change to an entity: an upsert or a tombstone. */
export interface Change {
  readonly type: string
  readonly id: string
  /** The current entity; absent for a tombstone. */
  readonly entity?: StoredEntity
  /** Position of the write that made the change. */
  readonly position: Position
  /** Offset just after this change: see `ChangesOptions.after`. */
  readonly offset: string
}

/** Range and types of the changes to read. */
export interface ChangesOptions extends CallOptions {
  /**
   * Reads only changes after this offset, which is a `Change.offset` or `Changes.next` of any store with the same history.
   * If absent, reads from the beginning, which yields every entity and every remembered tombstone.
   */
  readonly after?: string | undefined
  /** Reads only changes to entities of these types. If absent, reads changes to all types. */
  readonly types?: readonly string[] | undefined
  /** Lists damaged entities in `Changes.damaged` instead of failing. */
  readonly nameDamaged?: boolean | undefined
  /** Maximum number of changes; fewer are returned if the entities are large. 0 is a cheap way to get the end of the log. */
  readonly limit: number
}

/** Changes in log order, all read from one snapshot. */
export interface Changes {
  /** Ascending by position, type and id. Each entity appears at most once, with its last change. */
  readonly changes: readonly Change[]
  /** Damaged entities omitted from the changes; absent if there are none. */
  readonly damaged?: readonly EntityKey[]
  /** Offset at which to continue, present even if there are no changes. */
  readonly next: string
  /** True if more changes are available. If false, the changes so far yield the state at `position`. */
  readonly more: boolean
  /** Position of the snapshot, or of the offset if the store has not reached it. */
  readonly position: Position
  /** Position up to which tombstones may have been forgotten. A reader that is further behind can no longer follow. */
  readonly earliest: Position
  /** Versions of all types, also of those without entities. Absent while `more`, or if the offset is not reached yet. */
  readonly versions?: ReadonlyMap<string, string> | undefined
}

/** A replication step in progress: staged changes from another store, applied together. */
export interface Following {
  /** Stages changes, in order. Readers see none of them before `commit`. */
  add(changes: readonly FollowedChange[], options?: CallOptions): MaybePromise<void>
  /** Atomically and durably brings this store to the given state of the other store. */
  commit(state: FollowedState): MaybePromise<void>
  /** Discards the staged changes. No effect after `commit`. */
  abort(): MaybePromise<void>
}

/** A change as another store returned it, without its offset. */
export type FollowedChange = Omit<Change, 'offset'>

/** State of the other store as of the last read of its changes. */
export interface FollowedState extends CallOptions {
  /** True if the changes were read from the beginning. Entities not among them are then removed without tombstones. */
  readonly fromBeginning?: boolean | undefined
  readonly position: Position
  readonly earliest: Position
  readonly versions: ReadonlyMap<string, string>
  /** Values to store in the same commit; undefined removes a value. */
  readonly values?: NamedValues | undefined
}
