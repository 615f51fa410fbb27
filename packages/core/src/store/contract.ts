/**
 * The store contract: entities in, entities out. No cursor, status, header or URL crosses this line.
 * `suite.ts` is this contract as tests; an engine that passes them is correct.
 */
import type { Entity } from '@worldwright/client/protocol'
import type { CopyState } from './copy-state.ts'
import type { Changes, ChangesOptions, Following, Position } from './log-contract.ts'
import type { AddOptions, ImportStart, Owned, UnstagedCount } from './precedence-contract.ts'
import type { Precondition } from './precondition.ts'
import type { Query, Result } from './query/search-query.ts'
import type { CallOptions, EntityKey, MaybePromise, NamedValues, StoredEntity } from './stored-values.ts'

export type { CopyState } from './copy-state.ts'
export { instantOf, isDay } from './instant.ts'
export type * from './log-contract.ts'
export type * from './precedence-contract.ts'
export { type Precondition, preconditionHolds } from './precondition.ts'
export type * from './query/conditions.ts'
export type { AttributeRule, Client, IndexRules, Query, Result, SynonymRule } from './query/search-query.ts'
export { damagedEntity, OVERLOADED_FAULT, StorageFault, type StorageFaultCode } from './storage-fault.ts'
export type * from './stored-values.ts'

/** Consecutive entities of one type with their totals, all read from one snapshot. */
export interface Page {
  /** Ascending by id in UTF-8 byte order. */
  readonly entities: readonly StoredEntity[]
  /** Number of entities of the type, damaged ones included. */
  readonly total: number
  /** Ids of the damaged entities omitted from this page; absent if there are none. */
  readonly damaged?: readonly string[]
  /** Differs after every write that touched the type, and from every other store's versions. Opaque. */
  readonly version: string
}

/** Entities that match a query, with the totals, from one snapshot. */
export interface Found extends Result<StoredEntity> {
  /** Damaged entities omitted from the hits; absent if there are none. */
  readonly damaged?: readonly EntityKey[]
}

/** One write. The entity has been validated; `createdAt`, `updatedAt` and `revision` on it are ignored. */
export type Operation =
  | { readonly put: Entity; readonly precondition?: Precondition }
  | { readonly delete: { readonly type: string; readonly id: string }; readonly precondition?: Precondition }

/** Outcome of one operation. `missing`: a delete of an entity that did not exist. */
export interface Outcome {
  readonly change: 'created' | 'changed' | 'unchanged' | 'deleted' | 'missing'
  /** The entity as stored now; absent after a delete. */
  readonly entity?: StoredEntity
}

/**
 * Either all operations and values are applied and durable, or a condition failed and nothing is applied.
 * If several conditions fail, the result names a value first, and then the first operation.
 */
export type WriteResult =
  /** `position`: of this write or, if it changed no entity, of the last write that did. */
  | { readonly done: true; readonly outcomes: readonly Outcome[]; readonly position: Position }
  /** The precondition of the operation at this index failed. `current`: the entity under its key; absent if there is none. */
  | { readonly done: false; readonly failed: number; readonly current?: StoredEntity }
  /** Name of a value that differs from `ifValues`. */
  | { readonly done: false; readonly failedValue: string }

/** Named values that a write stores or depends on. */
export interface ValuesChange {
  /** Values to store in the same step; undefined removes one. */
  readonly values?: NamedValues | undefined
  /** Values required right before the write, or nothing happens; undefined: no value of that name. */
  readonly ifValues?: NamedValues | undefined
}

/** Options of a single write call. */
export interface WriteOptions extends CallOptions, ValuesChange {}

/** Numbers of entities that an import touched. */
export interface ImportCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly deleted: number
}

/** Result of committing an import. */
export interface CommitResult extends ImportCounts {
  /** As in `WriteResult`. */
  readonly position: Position
}

/** Options for committing a staged import. */
export interface CommitOptions extends CallOptions, ValuesChange {
  /** Types whose unstaged entities are deleted. */
  readonly replace?: readonly string[] | undefined
  /** Versions that these types must have, as `Source.types` returned them; empty: the type never had an entity. */
  readonly ifVersions?: ReadonlyMap<string, string> | undefined
  /** Changes nothing and does not end the import: returns what the commit would do now, whatever its conditions. */
  readonly dryRun?: boolean | undefined
}

/** An entity that was not staged, because another one was staged under its key before. */
export interface Repeated {
  /** Its index among the given entities. */
  readonly place: number
  /** Mark of the entity staged first; absent if it has none. */
  readonly mark?: number | undefined
}

/** A staged import: readers see nothing before `commit`, and then everything at once. */
export interface Bulk {
  /** Stages entities; the first of each key wins. Returns those left out, ascending. Throws after `commit` or `abort`. */
  add(entities: readonly Entity[], options?: AddOptions): MaybePromise<readonly Repeated[]>
  /**
   * Counts, by type, the stored entities that were not staged and over which no other writer has precedence. Absent: the
   * engine does not count them.
   */
  unstaged?(types: readonly string[], options?: CallOptions): MaybePromise<ReadonlyMap<string, UnstagedCount>>
  /**
   * Makes the staged entities visible and durable in one step. Entities with unchanged content keep their times.
   * Throws after `commit` or `abort`.
   * @throws StorageFault `stale` if `ifVersions` or `ifValues` does not hold: nothing happened, and the commit can be
   * retried; `busy` also if the import has ended, because its process seemed to be gone or the store has lost what was
   * staged: start the import again
   */
  commit(options?: CommitOptions): MaybePromise<CommitResult>
  /** Discards the staged entities. No effect after `commit`. If it fails, call it again; the store soon cleans up by itself. */
  abort(): MaybePromise<void>
}

/** Entity count and version of one type. */
export interface TypeState {
  readonly count: number
  /** As `Page.version`. */
  readonly version: string
}

/** A named value, with the version of the write that stored it. */
export interface NamedValue {
  readonly value: string
  /**
   * Version of the last write that changed anything and named this value. Only a type changed by the same write has the same
   * version. Empty for values beside the content, and for values stored in an older format.
   */
  readonly version: string
}

/** A consistent view of everything, unaffected by later writes, until it is closed. */
export interface Snapshot {
  /**
   * Iterates over every entity, or those of one type, ascending by type, then id.
   * @throws StorageFault `damaged` at a damaged entity, during the iteration
   */
  entities(type?: string): Iterable<StoredEntity> | AsyncIterable<StoredEntity>
  close(): MaybePromise<void>
}

/** Exclusive right of one process to do a task for all processes that use a store, until it is released. */
export interface Lease {
  /** Releases the lease. Idempotent; if it fails, the lease ends by itself. */
  release(): MaybePromise<void>
}

/** Part of a list to read. */
export interface ListOptions extends CallOptions {
  /** Only ids after this one, which need not exist. Absent: from the first id on. */
  readonly after?: string | undefined
  /** Maximum number of entities; 0 asks for the total and the version alone. */
  readonly limit: number
}

/**
 * Read-only data behind a world: a database of your own, another service, an array. `createWorld` serves it as it is, and
 * `describeSource` in `suite.ts` is this contract as tests. Failures are `StorageFault`s. Types and ids are well-formed
 * Unicode. Arguments and results are plain data, except for signals.
 */
export interface Source {
  /**
   * Returns one entity, or undefined if there is none. Compares `id` as given: callers pass NFC.
   * @throws StorageFault `damaged` if the stored data differ from what was written
   */
  get(type: string, id: string, options?: CallOptions): MaybePromise<StoredEntity | undefined>
  /**
   * Returns up to `limit` entities with ids after `after`. Damaged ones count, but are named instead of returned.
   * A type without entities has an empty page.
   */
  list(type: string, options: ListOptions): MaybePromise<Page>
  /** Returns every type that has, or ever had, an entity, ascending. */
  types(options?: CallOptions): MaybePromise<ReadonlyMap<string, TypeState>>
  /** Returns a version that differs after every change of the data. Cheap enough for every request. Opaque. */
  version(options?: CallOptions): MaybePromise<string>
  /**
   * Returns the entities that match a query, best first, with totals, from one snapshot. Absent: `scan` reads every entity.
   * @throws StorageFault `damaged` if the entity that `similar` names is damaged
   */
  find?(query: Query): MaybePromise<Found>
  /**
   * Returns, for each hit of a search, the fields that contain a word of its `matched`, as JSON Pointers. Absent: the caller
   * compares word by word.
   */
  matchedIn?(hits: readonly StoredEntity[], matched: readonly string[]): MaybePromise<string[][]>
}

/** Optional capabilities of an engine beyond the contract. An engine without any of them is served all the same. */
export interface Capabilities {
  /**
   * Begins to replicate another store. After the first commit this store has the other's history: the same entities,
   * positions and versions. A replica is written in no other way. Absent: the store cannot be a replica.
   */
  follow?(options?: CallOptions): MaybePromise<Following>
  /** Returns what other writers wrote of the types that files fill: see `Precedence`. Absent: files always win, see `ownedIn`. */
  owned?(options: CallOptions & { readonly limit: number }): MaybePromise<Owned>
  /**
   * Waits until the lease of this name is free, and acquires it; everything its last holder wrote can then be read. A lease
   * ends some time after its holder is gone. It prevents duplicate work, not writes. Absent: processes on several machines
   * cannot open the store.
   */
  lease?(name: string, options?: CallOptions): Promise<Lease>
  /** Returns the replication status of a replica; cheap enough for every request. Absent: reads are always current. */
  copyState?(): CopyState
  /**
   * Starts a rebuild of the search index, because a search failed with `index_rebuilding`, and returns at once: searches
   * fail until it is done, all else goes on. No effect if the store was opened for reading.
   */
  repairIndex?(): MaybePromise<void>
}

/**
 * A storage engine. Engines fail with `StorageFault`. Every method may be called at any time until `close`, which is
 * idempotent. Types, ids and names of values are well-formed Unicode. Writes that are not awaited one by one may be applied
 * in any order. Arguments and results are plain data, except for signals, imports and snapshots, so that another process
 * can be called. `version` differs after every write of any process that changed something, named values included; staging
 * is not a write. It is the same in every process, and after reopening.
 */
export interface Store extends Source, Capabilities {
  find(query: Query): MaybePromise<Found>
  /**
   * Applies all operations in order and stores the values, or does nothing at all. Durable when it returns. A damaged entity
   * can be put again or deleted: it exists, but has no revision.
   */
  write(operations: readonly Operation[], options?: WriteOptions): MaybePromise<WriteResult>
  /** Begins an import. Several can run at the same time. */
  bulk(options?: ImportStart): MaybePromise<Bulk>
  /**
   * Returns the changes so far. An offset ahead of the store, as on a replica, gives no changes and the same offset.
   * @throws StorageFault `expired` if tombstones after the offset may be forgotten, or it belongs to another history;
   * `invalid_place` for a malformed offset; `damaged` if a changed entity is damaged, unless `nameDamaged` is set
   */
  changes(options: ChangesOptions): MaybePromise<Changes>
  /**
   * Yields the position after it has moved, through any process, until the signal aborts or the store is closed; it may skip
   * positions. A hint to read again, not a guarantee: it may come late or twice.
   */
  watch(signal: AbortSignal): AsyncIterable<Position>
  /**
   * Returns the small named values whose names begin with a prefix (the world's id, derived descriptions, index rules),
   * ascending by name. Names that begin with `~` are beside the content: `isBeside`.
   */
  values(prefix: string, options?: CallOptions): MaybePromise<ReadonlyMap<string, NamedValue>>
  /** Opens a consistent view of everything. The caller closes it. */
  snapshot(options?: CallOptions): MaybePromise<Snapshot>
  /** Closes the store. Writes in progress are completed or rolled back. */
  close(): MaybePromise<void>
}
