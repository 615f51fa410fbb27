/**
 * What a storage engine does: entities in, entities out. No cursor, status, header or URL crosses this line.
 * `suite.ts` is this contract as tests; an engine is right when it passes them.
 */
import type { Entity } from '@worldwright/client/protocol'
import type { CopyState } from './copy-state.ts'
import type { Changes, ChangesOptions, Following, Position } from './log-contract.ts'
import type { AddOptions, ImportStart, Owned, UnstagedCount } from './owner-contract.ts'
import type { Precondition } from './precondition.ts'
import type { Query, Result } from './query/search-query.ts'
import type { CallOptions, EntityKey, MaybePromise, NamedValues, StoredEntity } from './stored-values.ts'

export type { CopyState } from './copy-state.ts'
export { instantOf, isDay } from './instant.ts'
export type * from './log-contract.ts'
export type * from './owner-contract.ts'
export { type Precondition, preconditionHolds } from './precondition.ts'
export type * from './query/conditions.ts'
export type { AttributeRule, Client, IndexRules, Query, Result, SynonymRule } from './query/search-query.ts'
export { damagedEntity, OVERLOADED_FAULT, StorageFault, type StorageFaultCode } from './storage-fault.ts'
export type * from './stored-values.ts'

/** Consecutive entities of one type with their totals, all read from one snapshot. */
export interface Page {
  /** Ascending by id in UTF-8 byte order. */
  readonly entities: readonly StoredEntity[]
  /** How many entities of the type exist, damaged ones included. */
  readonly total: number
  /** Ids of entities that stand among these and are left out, since they are damaged; absent if none is. */
  readonly damaged?: readonly string[]
  /** Differs after every write that touched the type, and from every other store's versions. Opaque. */
  readonly version: string
}

/** What matches a query, with the numbers, from one snapshot. */
export interface Found extends Result<StoredEntity> {
  /** Entities that belong among the hits and are left out, since they are damaged; absent if none is. */
  readonly damaged?: readonly EntityKey[]
}

/** One write. The entity has been validated; `createdAt`, `updatedAt` and `revision` on it are ignored. */
export type Operation =
  | { readonly put: Entity; readonly precondition?: Precondition }
  | { readonly delete: { readonly type: string; readonly id: string }; readonly precondition?: Precondition }

/** What one operation came to. `missing`: a delete of something that was not there. */
export interface Outcome {
  readonly change: 'created' | 'changed' | 'unchanged' | 'deleted' | 'missing'
  /** The entity as it now stands; absent after a delete. */
  readonly entity?: StoredEntity
}

/**
 * All operations happened and are durable, and so are the values; or a condition failed, and then nothing happened.
 * Of several that fail, a value is named first, and then the first operation.
 */
export type WriteResult =
  /** `position`: of this write; where it changed no entity, of the last one that did. */
  | { readonly done: true; readonly outcomes: readonly Outcome[]; readonly position: Position }
  /** The precondition of the operation at this index. `current`: what is stored under its key; absent if nothing does. */
  | { readonly done: false; readonly failed: number; readonly current?: StoredEntity }
  /** The name of a value that is not as `ifValues` says. */
  | { readonly done: false; readonly failedValue: string }

/** Named values that go with a write. */
export interface ValuesChange {
  /** Values to keep in the same step; undefined removes one. */
  readonly values?: NamedValues | undefined
  /** Nothing happens unless these values stand right before; undefined: there is none of that name. */
  readonly ifValues?: NamedValues | undefined
}

/** How a write is made. */
export interface WriteOptions extends CallOptions, ValuesChange {}

/** How many entities an import touched. */
export interface ImportCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly deleted: number
}

/** What an import came to. */
export interface CommitResult extends ImportCounts {
  /** As in `WriteResult`. */
  readonly position: Position
}

/** How an import is put in place. */
export interface CommitOptions extends CallOptions, ValuesChange {
  /** Of these types, entities that were not staged are deleted. */
  readonly replace?: readonly string[] | undefined
  /** Only while these types have these versions, as `Source.types` said; empty: never had an entity. */
  readonly ifVersions?: ReadonlyMap<string, string> | undefined
  /** Changes nothing, and ends nothing: answers what the commit would come to now, whatever its conditions. */
  readonly dryRun?: boolean | undefined
}

/** An entity that was left out, since another one was staged under its key before. */
export interface Repeated {
  /** Its place among those that were given. */
  readonly place: number
  /** The mark of the other one; absent if it has none. */
  readonly mark?: number | undefined
}

/** A staged import: nothing is seen by readers before `commit`, and then everything at once. */
export interface Bulk {
  /** Stages entities. Of the same key twice the first one counts. Answers those that were left out, ascending. Throws after `commit` or `abort`. */
  add(entities: readonly Entity[], options?: AddOptions): MaybePromise<readonly Repeated[]>
  /**
   * Of these types: which entities stand that were not staged, and over which no others have precedence. Absent: nobody counts
   * them.
   */
  unstaged?(types: readonly string[], options?: CallOptions): MaybePromise<ReadonlyMap<string, UnstagedCount>>
  /**
   * Makes what was staged visible and durable in one step. Entities whose content is the same keep their times.
   * Throws after `commit` or `abort`.
   * @throws StorageFault `stale` where `ifVersions` or `ifValues` does not hold: nothing happened, and it can be called
   *   again; `busy` also where the import has ended, because its process seemed to be gone or the store has lost what was
   *   staged: then start it again
   */
  commit(options?: CommitOptions): MaybePromise<CommitResult>
  /** Forgets what was staged. Harmless after `commit`. If it fails, it can be called again, and the store forgets by itself soon. */
  abort(): MaybePromise<void>
}

/** The state of one type. */
export interface TypeState {
  readonly count: number
  /** As `Page.version`. */
  readonly version: string
}

/** A named value, and when it was kept. */
export interface NamedValue {
  readonly value: string
  /**
   * Of the last write that changed anything and named this value: a type that the same write changed has the same
   * version, and no other. Empty beside the content, and if a store of an older format kept it.
   */
  readonly version: string
}

/** A consistent view of everything, unmoved by later writes, until it is closed. */
export interface Snapshot {
  /**
   * Every entity, or those of one type, ascending by type, then id.
   * @throws StorageFault `damaged` in place of a damaged one, while it is walked
   */
  entities(type?: string): Iterable<StoredEntity> | AsyncIterable<StoredEntity>
  close(): MaybePromise<void>
}

/** What one process alone does for all that use a store, from when it was taken until it is given back. */
export interface Lease {
  /** Gives it back. Harmless twice; where it fails, the lease ends by itself. */
  release(): MaybePromise<void>
}

/** Which part of a list is asked for. */
export interface ListOptions extends CallOptions {
  /** Only ids after this one, which need not exist. Absent: from the first on. */
  readonly after?: string | undefined
  /** How many entities at most; 0 asks for the total and the version alone. */
  readonly limit: number
}

/**
 * Read-only data behind a world: a database of your own, another service, an array. `createWorld` serves it as it is, and
 * `sourceSuite` in `suite.ts` is this contract as tests. Failures are `StorageFault`s. Types and ids are well-formed Unicode.
 * Arguments and answers are plain data, but for signals.
 */
export interface Source {
  /**
   * One entity, or undefined if there is none. `id` is compared as given: callers pass NFC.
   * @throws StorageFault `damaged` where what is stored is not what was written
   */
  get(type: string, id: string, options?: CallOptions): MaybePromise<StoredEntity | undefined>
  /**
   * Up to `limit` entities whose ids come after `after`, counting damaged ones, which are named in place of being given.
   * A type without entities has an empty page.
   */
  list(type: string, options: ListOptions): MaybePromise<Page>
  /** Every type that has, or ever had, an entity; ascending. */
  types(options?: CallOptions): MaybePromise<ReadonlyMap<string, TypeState>>
  /** Differs after every change of anything that is read here. Cheap enough for every request. Opaque. */
  version(options?: CallOptions): MaybePromise<string>
  /**
   * The entities that match a query, best first, with the numbers. All from one snapshot. Absent: `scan` reads every entity.
   * @throws StorageFault `damaged` where the entity that `similar` names is
   */
  find?(query: Query): MaybePromise<Found>
  /**
   * For each hit of a search the fields that hold a word of its `matched`, as JSON Pointers. Absent: they are compared word by
   * word.
   */
  matchedIn?(hits: readonly StoredEntity[], matched: readonly string[]): MaybePromise<string[][]>
}

/** Capabilities of an engine beyond the contract. One that leaves all of it out is served all the same. */
export interface Capabilities {
  /**
   * Begins to take over the changes of another store. After the first commit this store has the other's history: the same
   * entities, positions and versions. A store that is to follow is written in no other way. Absent: it is no replica.
   */
  follow?(options?: CallOptions): MaybePromise<Following>
  /** Keeps what others than files wrote of the types that files fill: see `Owner`. Absent: files always win, see `ownedIn`. */
  owned?(options: CallOptions & { readonly limit: number }): MaybePromise<Owned>
  /**
   * Waits until the lease of this name is free, and takes it; then everything can be read that its last holder wrote. A
   * lease ends some time after its holder is gone. It keeps others from doing the same work, not from writing. Absent: processes
   * on several machines cannot open the store.
   */
  lease?(name: string, options?: CallOptions): Promise<Lease>
  /** Replication status of a store that reads from a copy; cheap enough for every request. Absent: what is read is the truth. */
  copyState?(): CopyState
  /**
   * Begins to build the search index again, because a search failed with `index_rebuilding`, and returns at once: searches fail
   * until it is there, all else goes on. Nothing happens if the store was opened for reading.
   */
  repairIndex?(): MaybePromise<void>
}

/**
 * A storage engine. Engines fail with `StorageFault`; every method may be called at any time until `close`, which is
 * harmless twice. Types, ids and names of values are well-formed Unicode. Of writes that were not awaited one by one,
 * any may come first. Arguments and answers are plain data, but for signals, imports and snapshots, so that another
 * process can be asked. `version` differs after every write of any process that changed something, named values included; staging
 * is no write. It is the same in every process, and after opening again.
 */
export interface Store extends Source, Capabilities {
  find(query: Query): MaybePromise<Found>
  /**
   * Applies all operations in order, and keeps the values, or does nothing at all. Durable when it returns. An entity that
   * is damaged can be put again, and deleted: it is there, and has no revision.
   */
  write(operations: readonly Operation[], options?: WriteOptions): MaybePromise<WriteResult>
  /** Begins an import. Several can be under way at once. */
  bulk(options?: ImportStart): MaybePromise<Bulk>
  /**
   * What changed, up to now. A place that is ahead of the store, as a copy's reader may have, gives nothing and itself.
   * @throws StorageFault `expired` where deletions after the place may be forgotten, or the place is of another history;
   *   `invalid_place` for a text that is no place; `damaged` where an entity is damaged that would be among them, unless they are to be named
   */
  changes(options: ChangesOptions): MaybePromise<Changes>
  /**
   * Gives the position whenever it has moved, by any process, until the signal is aborted or the store is closed; not each
   * one that there was. A hint to look, not a promise: it may come late or twice.
   */
  watch(signal: AbortSignal): AsyncIterable<Position>
  /**
   * The small named values whose names begin with a prefix (the world's id, derived descriptions, rules of the index), ascending
   * by name. Names that begin with `~` stand beside the content: `isBeside`.
   */
  values(prefix: string, options?: CallOptions): MaybePromise<ReadonlyMap<string, NamedValue>>
  /** Opens a consistent view of everything. The caller closes it. */
  snapshot(options?: CallOptions): MaybePromise<Snapshot>
  /** Ends the work with the store. Writes under way are finished or undone. */
  close(): MaybePromise<void>
}
