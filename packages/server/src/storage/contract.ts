/**
 * What a storage engine does: entities in, entities out. No cursor, status, header or URL crosses this line.
 * `suite.ts` is this contract as tests; an engine is right when it passes them.
 */
import type { Entity } from '@worldwright/client/protocol'
import type { Query, Result } from '../search/port/search-query.ts'
import type { CopyState } from './copy-state.ts'
import type { IndexRules } from './index-rules.ts'
import type { Changes, ChangesOptions, Following, Position } from './log-contract.ts'
import type { AddOptions, ImportStart, Owned, UnstagedCount } from './owner-contract.ts'
import type { Precondition } from './precondition.ts'
import type { CallOptions, EntityKey, MaybePromise, MetadataRecord, StoredEntity } from './stored-values.ts'

export type * from '../search/port/conditions.ts'
export type { Client, Query, Result } from '../search/port/search-query.ts'
export type { CopyState } from './copy-state.ts'
export type { AttributeRule, IndexRules } from './index-rules.ts'
export { instantOf, isDay } from './instant.ts'
export type * from './log-contract.ts'
export type * from './owner-contract.ts'
export { type Precondition, preconditionHolds } from './precondition.ts'
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
 * All operations happened and are durable, and so is the metadata; or a condition failed, and then nothing happened.
 * Of several that fail, metadata is named first, and then the first operation.
 */
export type WriteResult =
  /** `position`: of this write; where it changed no entity, of the last one that did. */
  | { readonly done: true; readonly outcomes: readonly Outcome[]; readonly position: Position }
  /** The precondition of the operation at this index. `current`: what is stored under its key; absent if nothing does. */
  | { readonly done: false; readonly failed: number; readonly current?: StoredEntity }
  /** The name of a value that is not what `ifMetadata` says. */
  | { readonly done: false; readonly failedMetadata: string }

/** Metadata that goes with a write. */
export interface MetadataChange {
  /** Values to keep in the same step; undefined removes one. */
  readonly metadata?: MetadataRecord | undefined
  /** Nothing happens unless these values stand right before; undefined: there is none of that name. */
  readonly ifMetadata?: MetadataRecord | undefined
}

/** How a write is made. */
export interface WriteOptions extends CallOptions, MetadataChange {}

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
export interface CommitOptions extends CallOptions, MetadataChange {
  /** Of these types, entities that were not staged are deleted. */
  readonly replace?: readonly string[] | undefined
  /** Only while these types have these versions, as `Storage.versions` said; empty: never had an entity. */
  readonly ifVersions?: ReadonlyMap<string, string> | undefined
}

/** How an import is previewed. */
export interface PreviewOptions extends CallOptions, Pick<CommitOptions, 'replace'> {}

/** A staged import: nothing is seen by readers before `commit`, and then everything at once. */
export interface Import {
  /**
   * Stages entities. Of the same key twice the first one counts: answers which of these were left out for that, as
   * places among them, ascending. Throws after `commit` or `abort`.
   */
  add(entities: readonly Entity[], options?: AddOptions): MaybePromise<readonly number[]>
  /** The mark that the staged entity of this key came with; undefined if none is staged, or it came without. */
  markOf(key: EntityKey, options?: CallOptions): MaybePromise<number | undefined>
  /** What is stored under these keys is not deleted by `replace`, whether anything is staged for them or not. */
  protect(keys: readonly EntityKey[], options?: CallOptions): MaybePromise<void>
  /** Of these types: which entities stand that were not staged, and that no other owner keeps. */
  unstaged(types: readonly string[], options?: CallOptions): MaybePromise<ReadonlyMap<string, UnstagedCount>>
  /** What `commit` would come to now, changing nothing. */
  preview(options?: PreviewOptions): MaybePromise<ImportCounts>
  /**
   * Makes what was staged visible and durable in one step. Entities whose content is the same keep their times.
   * Throws after `commit` or `abort`.
   * @throws StorageFault `stale` where `ifVersions` or `ifMetadata` does not hold: nothing happened, and it can be called
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
export interface Metadata {
  readonly value: string
  /**
   * Of the last write that changed anything and named this value: a type that the same write changed has the same
   * version, and no other. Empty if a store of an older format kept it.
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

/** A token as it is kept: the store does not know what it means. */
export interface StoredToken {
  readonly id: string
  /** What its maker keeps of it: a digest, never the secret. */
  readonly value: string
  /** As it was noted last. Absent: never. */
  readonly lastUsed?: string
}

/**
 * Tokens lie beside the content: what happens to them moves no version and empties no cache. Every process sees a change
 * with its next call.
 */
export interface TokenStore {
  /** The token, or undefined if there is none of this id. */
  get(id: string, options?: CallOptions): MaybePromise<StoredToken | undefined>
  /** All tokens, ascending by id. */
  list(options?: CallOptions): MaybePromise<readonly StoredToken[]>
  /** Keeps a token, durably, instead of one of the same id. */
  put(id: string, value: string, options?: CallOptions): MaybePromise<void>
  /** Removes a token, durably. False if there is none of this id. */
  remove(id: string, options?: CallOptions): MaybePromise<boolean>
  /** Notes when a token was used last. Nothing happens if there is none of this id. */
  noteUse(id: string, at: string, options?: CallOptions): MaybePromise<void>
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
 * A storage engine. Engines fail with `StorageFault`; every method may be called at any time until `close`, which is
 * harmless twice. Types, ids and names of values are well-formed Unicode. Of writes that were not awaited one by one,
 * any may come first. Arguments and answers are plain data, but for signals, imports and snapshots, so that another
 * process can be asked.
 */
export interface Storage {
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
  /**
   * The entities that match a query, best first, with the numbers. All from one snapshot.
   * @throws StorageFault `damaged` where the entity that `similar` names is
   */
  find(query: Query): MaybePromise<Found>
  /**
   * Applies all operations in order, and keeps the metadata, or does nothing at all. Durable when it returns. An entity that
   * is damaged can be put again, and deleted: it is there, and has no revision.
   */
  write(operations: readonly Operation[], options?: WriteOptions): MaybePromise<WriteResult>
  /** Begins an import. Several can be under way at once. */
  import(options?: ImportStart): MaybePromise<Import>
  /** What others than files wrote of the types that files fill: see `Owner`. `limit`: of the shadowed entities. */
  owned(options: CallOptions & { readonly limit: number }): MaybePromise<Owned>
  /** Every type that has, or ever had, an entity; ascending. */
  versions(options?: CallOptions): MaybePromise<ReadonlyMap<string, TypeState>>
  /**
   * Differs after every write of any process that changed something, metadata included; staging is no write. The same
   * in every process, and after opening again. Cheap enough for every request. Opaque.
   */
  version(options?: CallOptions): MaybePromise<string>
  /** The position of the last write that changed an entity. */
  position(options?: CallOptions): MaybePromise<Position>
  /**
   * Whether the store has come as far as a position of its own history; undefined if the position is of another one,
   * or none.
   */
  hasReached(position: Position, options?: CallOptions): MaybePromise<boolean | undefined>
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
   * Begins to take over the changes of another store. After the first commit this store has the other's history: the same
   * entities, positions and versions. A store that is to follow is written in no other way.
   */
  follow(options?: CallOptions): MaybePromise<Following>
  /** A small named value kept with the data (the world's id, derived descriptions); undefined if there is none. */
  metadata(key: string, options?: CallOptions): MaybePromise<Metadata | undefined>
  /** What lets programs in, kept apart from the content. */
  readonly tokens: TokenStore
  /**
   * Lets attributes be indexed as these rules say, from now on, durably, also for what is there already: where
   * they differ from those before, the search index is built again in one step, which blocks the process. The same
   * rules again are no write.
   */
  setIndexRules(rules: IndexRules, options?: CallOptions): MaybePromise<void>
  /** The rules that hold now; no members where none were set. A copy needs them to answer alike. */
  indexRules(options?: CallOptions): MaybePromise<IndexRules>
  /**
   * Begins to build the search index again, because a search failed with `index_rebuilding`, and returns at once: searches fail
   * until it is there, all else goes on. The owner's alone: nothing happens where the store was opened for reading.
   */
  repairIndex(): MaybePromise<void>
  /**
   * Waits until the lease of this name is free, and takes it; then everything can be read that its last holder wrote. A
   * lease ends some time after its holder is gone. It keeps others from doing the same work, not from writing. Absent: processes
   * on several machines cannot open the store.
   */
  lease?(name: string, options?: CallOptions): Promise<Lease>
  /** How a store stands that reads from a copy; cheap enough for every request. Absent: what is read is the truth. */
  copyState?(): CopyState
  /** Opens a consistent view of everything. The caller closes it. */
  snapshot(options?: CallOptions): MaybePromise<Snapshot>
  /** Ends the work with the store. Writes under way are finished or undone. */
  close(): MaybePromise<void>
}
