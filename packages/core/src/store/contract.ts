/**
 * The store contract. It deals with entities only, never with cursors, statuses, headers or URLs.
 * `suite.ts` contains its conformance tests. An engine that passes them is correct.
 */
import type { Entity } from '@worldwright/client/protocol'
import type { Changes, ChangesOptions, Following, Position } from './log-contract.ts'
import type { AddOptions, ImportStart, Owned, UnstagedCount } from './precedence-contract.ts'
import type { Precondition } from './precondition.ts'
import type { Query, Result } from './query/search-query.ts'
import type { ReplicaState } from './replica-state.ts'
import type { CallOptions, EntityKey, MaybePromise, NamedValues, StoredEntity } from './stored-values.ts'

export { instantOf, isDay } from './instant.ts'
export type * from './log-contract.ts'
export type * from './precedence-contract.ts'
export { type Precondition, preconditionHolds } from './precondition.ts'
export type * from './query/conditions.ts'
export type * from './query/groups.ts'
export type { AttributeRule, Client, IndexRules, Query, Result, SynonymRule } from './query/search-query.ts'
export type { ReplicaState } from './replica-state.ts'
export { damagedEntity, OVERLOADED_FAULT, StoreFault, type StoreFaultCode } from './store-fault.ts'
export type * from './stored-values.ts'

/** Consecutive entities of one type and the type's total count, read from one snapshot. */
export interface Page {
  /** Ascending by id in UTF-8 byte order. */
  readonly entities: readonly StoredEntity[]
  /** Number of entities of the type, damaged ones included. */
  readonly total: number
  /** Ids of the damaged entities omitted from this page; absent if there are none. */
  readonly damaged?: readonly string[]
  /** Opaque version of the type. Differs after every change to the type, and between histories. */
  readonly version: string
}

/** Entities that match a query, with totals, all read from one snapshot. */
export interface Found extends Result<StoredEntity> {
  /** Damaged entities omitted from the hits; absent if there are none. */
  readonly damaged?: readonly EntityKey[]
}

/** A write operation. The entity must already be validated; its `createdAt`, `updatedAt` and `revision` are ignored. */
export type Operation =
  | { readonly put: Entity; readonly precondition?: Precondition }
  | { readonly delete: { readonly type: string; readonly id: string }; readonly precondition?: Precondition }

/** Outcome of one operation. `missing` means that the entity to delete did not exist. */
export interface Outcome {
  readonly change: 'created' | 'changed' | 'unchanged' | 'deleted' | 'missing'
  /** Stored entity after the operation; absent after a delete. */
  readonly entity?: StoredEntity
}

/**
 * Result of a write: either everything was applied durably, or a condition failed and nothing was applied. Only one
 * failure is reported: the first failed value or, if all values match, the first failed operation.
 */
export type WriteResult =
  /** `position` is the position of this write or, if it changed no entity, of the last write that did. */
  | { readonly done: true; readonly outcomes: readonly Outcome[]; readonly position: Position }
  /** Index of the operation whose precondition failed. `current` is the entity stored under that operation's key, if any. */
  | { readonly done: false; readonly failed: number; readonly current?: StoredEntity }
  /** Name of the first value, in ascending order, that differs from `ifValues`. */
  | { readonly done: false; readonly failedValue: string }

/** Named values that a write stores or depends on. */
export interface ValuesChange {
  /** Values to store atomically with the write; undefined removes a value. */
  readonly values?: NamedValues | undefined
  /** Expected values; undefined requires that there is no such value. If any value differs, nothing is applied. */
  readonly ifValues?: NamedValues | undefined
}

/** Options for a single write call. */
export interface WriteOptions extends CallOptions, ValuesChange {}

/** Number of entities per import outcome. */
export interface ImportCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly deleted: number
}

/** Result of committing an import. */
export interface CommitResult extends ImportCounts {
  /** Position as in `WriteResult`. */
  readonly position: Position
}

/** Options for committing a staged import. */
export interface CommitOptions extends CallOptions, ValuesChange {
  /** Types whose unstaged entities are deleted. */
  readonly replace?: readonly string[] | undefined
  /** Expected versions by type, as in `Source.types`. An empty version requires that the type never had an entity. */
  readonly ifVersions?: ReadonlyMap<string, string> | undefined
  /** Set to get the counts of a commit without changing anything. The import stays open; conditions are not checked. */
  readonly dryRun?: boolean | undefined
}

/** An entity that was not staged, because an earlier entity has the same key. */
export interface Repeated {
  /** Index of the entity in the array passed to `add`. */
  readonly index: number
  /** Mark of the entity that was staged first; absent if that entity has no mark. */
  readonly mark?: number | undefined
}

/** A staged import. Its entities become visible to readers all at once, on `commit`. */
export interface Bulk {
  /** Stages entities. The first one per key wins; later ones are returned as repeated. Throws after `commit` or `abort`. */
  add(entities: readonly Entity[], options?: AddOptions): MaybePromise<readonly Repeated[]>
  /**
   * Counts, by type, the stored entities that were not staged, except those for which another writer takes precedence.
   * Absent if the engine does not count unstaged entities.
   */
  unstaged?(types: readonly string[], options?: CallOptions): MaybePromise<ReadonlyMap<string, UnstagedCount>>
  /**
   * Atomically makes the staged entities visible and durable. Entities with unchanged content keep their times.
   * Throws after `commit` or `abort`.
   * @throws StoreFault `stale` if `ifVersions` or `ifValues` does not match: nothing was written, and the commit can be
   * retried; `busy` also if the import must be started again, because the importing process was presumed dead or
   * the staged entities were lost
   */
  commit(options?: CommitOptions): MaybePromise<CommitResult>
  /** Discards the staged entities. No effect after `commit`. May be retried on failure; the store cleans up eventually. */
  abort(): MaybePromise<void>
}

/** Entity count and version of one type. */
export interface TypeState {
  readonly count: number
  /** Version as in `Page.version`. */
  readonly version: string
}

/** A named value and its version. */
export interface NamedValue {
  readonly value: string
  /**
   * Version of the last write that included this value and changed anything. The types that this write changed have the
   * same version. Empty for values that are not content, and for values stored in an older format.
   */
  readonly version: string
}

/** A consistent view of the whole store. Until the view is closed, later writes do not affect it. */
export interface Snapshot {
  /**
   * Iterates over all entities, or those of one type, ascending by type, then id.
   * @throws StoreFault `damaged` when the iteration reaches a damaged entity
   */
  entities(type?: string): Iterable<StoredEntity> | AsyncIterable<StoredEntity>
  close(): MaybePromise<void>
}

/** Exclusive right, among all processes that share the store, to perform a task. Held until `release`. */
export interface Lease {
  /** Releases the lease. Idempotent. If the call fails, the lease eventually expires. */
  release(): MaybePromise<void>
}

/** Range of entities to read from a list. */
export interface ListOptions extends CallOptions {
  /** Returns only entities with ids after this id, which need not exist. If absent, starts at the first entity. */
  readonly after?: string | undefined
  /** Maximum number of entities; 0 requests only the total and the version. */
  readonly limit: number
}

/**
 * Read-only data behind a world, such as your own database, another service or an array. `createWorld` serves it directly,
 * and `describeSource` in `suite.ts` tests this contract. Failures are `StoreFault`s. Types and ids are well-formed
 * Unicode. Arguments and results are plain data, except for signals.
 */
export interface Source {
  /**
   * Returns one entity, or undefined if there is none. Compares `id` as given, so callers must pass NFC.
   * @throws StoreFault `damaged` if the stored data differ from the data written
   */
  get(type: string, id: string, options?: CallOptions): MaybePromise<StoredEntity | undefined>
  /**
   * Returns the next `limit` entities with ids after `after`, or fewer only if they are the last. Damaged entities count
   * towards the limit, but only their ids are returned. A type without entities has an empty page.
   */
  list(type: string, options: ListOptions): MaybePromise<Page>
  /** Returns every type that has or ever had an entity, in ascending order. */
  types(options?: CallOptions): MaybePromise<ReadonlyMap<string, TypeState>>
  /**
   * Returns an opaque version that differs after every change to the data. Must be cheap: every request calls it. Clients
   * keep versions in entity tags, so a version must never stand for other data, even after a restart.
   */
  version(options?: CallOptions): MaybePromise<string>
  /**
   * Returns the entities that match a query, best first, with totals, from one snapshot. Default: `scan`.
   * @throws StoreFault `damaged` if the entity named by `similar` is damaged
   */
  find?(query: Query): MaybePromise<Found>
  /**
   * Returns, for each search hit, the fields that contain one of the words in `matched`, as JSON Pointers. Without this
   * method, the caller compares word by word.
   */
  matchedIn?(hits: readonly StoredEntity[], matched: readonly string[]): MaybePromise<string[][]>
}

/** Optional capabilities of an engine. A world can be served from an engine that has none of them. */
export interface Capabilities {
  /**
   * Begins to replicate another store. After the first commit, this store has the other store's history: the same entities,
   * positions and versions. A replica accepts no other writes. Absent if the store cannot be a replica.
   */
  follow?(options?: CallOptions): MaybePromise<Following>
  /** Returns the owned entities of file-backed types (see `Precedence`). Without this method, files always win. */
  owned?(options: CallOptions & { readonly limit: number }): MaybePromise<Owned>
  /**
   * Waits until the named lease is free, and acquires it. All writes of the previous holder are then visible. A lease
   * expires some time after its holder has died. It prevents duplicate work, but locks no data. Without this method,
   * processes on several machines cannot share the store.
   */
  lease?(name: string, options?: CallOptions): Promise<Lease>
  /** Reports whether a write that was `undecided` took effect, by the `write` in its details, or undefined if not known. */
  outcome?(write: string, options?: CallOptions): MaybePromise<boolean | undefined>
  /** Returns the replication status of a replica. Must be cheap. Without this method, reads are always current. */
  replicaState?(): ReplicaState
  /**
   * Starts a rebuild of the search index after a search failed with `index_rebuilding`, and returns immediately. Searches
   * fail until the rebuild is done; everything else keeps working. No effect if the store was opened for reading.
   */
  repairIndex?(): MaybePromise<void>
}

/**
 * A storage engine. Failures are `StoreFault`s. Every method may be called at any time until `close`, which is idempotent.
 * Types, ids and value names are well-formed Unicode. Concurrent writes may be applied in any order. Arguments and results
 * are plain data, except for signals, imports and snapshots, so that they can cross process boundaries. `version` differs
 * after every write, by any process, that changed entities or content values; staging is not a write. The version is the
 * same in every process, and after reopening.
 */
export interface Store extends Source, Capabilities {
  find(query: Query): MaybePromise<Found>
  /**
   * Atomically applies all operations in order and stores the values. Durable on return. A damaged entity can be replaced
   * or deleted: it counts as existing, but has no revision.
   */
  write(operations: readonly Operation[], options?: WriteOptions): MaybePromise<WriteResult>
  /** Begins an import. Several can run at the same time. */
  bulk(options?: ImportStart): MaybePromise<Bulk>
  /**
   * Returns changes after an offset. If the offset is ahead of a replica, returns no changes and the same offset.
   * @throws StoreFault `expired` if tombstones after the offset may have been forgotten, or if the offset is of another
   * history; `invalid_offset` for a malformed offset; `damaged` if a changed entity is damaged, unless `nameDamaged` is set
   */
  changes(options: ChangesOptions): MaybePromise<Changes>
  /**
   * Yields the current position, and new ones as writes by any process advance it, until the signal aborts or the store is
   * closed. Positions may be skipped or repeated, but a write is always followed by its position or a later one.
   */
  watch(signal: AbortSignal): AsyncIterable<Position>
  /**
   * Returns the named values whose names begin with a prefix, ascending by name. Values are small: the world's id, derived
   * descriptions, index rules. Values named `~…` are not content (see `isBeside`), and those named `~~…` are not replicated.
   */
  values(prefix: string, options?: CallOptions): MaybePromise<ReadonlyMap<string, NamedValue>>
  /** Opens a consistent view of the whole store. The caller must close it. */
  snapshot(options?: CallOptions): MaybePromise<Snapshot>
  /** Closes the store. Writes in progress are completed or rolled back. */
  close(): MaybePromise<void>
}
