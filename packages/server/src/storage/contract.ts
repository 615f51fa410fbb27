/**
 * What a storage engine does: entities in, entities out. No cursor, status, header or URL crosses this line.
 * `suite.ts` is this contract as tests; an engine is right when it passes them.
 */
import type { Entity } from '@worldwright/client/protocol'

/** A value, or a promise of it: engines differ in whether they have to wait. */
export type MaybePromise<T> = T | Promise<T>

/** An entity as engines keep it: addressed, versioned, and serialised once so that reads pass it on unparsed. */
export interface StoredEntity {
  readonly type: string
  readonly id: string
  /** Identifies the content (see `revisionOf`): equal content has equal revisions in every store. */
  readonly revision: string
  /** The whole entity as it goes on the wire, `createdAt`, `updatedAt` and `revision` included. */
  readonly json: string
}

/** Consecutive entities of one type with their totals, all read from one snapshot. */
export interface Page {
  /** Ascending by id in UTF-8 byte order. */
  readonly entities: readonly StoredEntity[]
  /** How many entities of the type exist. */
  readonly total: number
  /** Differs after every write that touched the type, and from every other store's versions. Opaque. */
  readonly version: string
}

/** What to look for. */
export interface SearchQuery {
  /** Only these types. Absent: all. Unknown ones match nothing; an empty list matches nothing. */
  readonly types?: readonly string[]
  /** Free text, any at all. Absent or blank: everything, ordered by type, then id. */
  readonly text?: string
  /** How many entities at most; 0 asks for the numbers alone. */
  readonly limit: number
  /** How much work, in milliseconds, before the best answer so far is given as `partial`. */
  readonly budgetMs: number
}

/** What was found. */
export interface Found {
  /** Best first, then by type, then by id. */
  readonly entities: readonly StoredEntity[]
  /** All matches within the types asked for. */
  readonly total: number
  /** Matches per type, without zeros, ascending by type. */
  readonly counts: Readonly<Record<string, number>>
  /** `total` and `counts` are lower bounds. */
  readonly totalIsLowerBound: boolean
  /** The budget ended the search early. */
  readonly partial: boolean
  /** The words of the index that matched, ascending. Empty without text. */
  readonly matched: readonly string[]
}

/** One write. The entity has been validated; `createdAt`, `updatedAt` and `revision` on it are ignored. */
export type Operation =
  | { readonly put: Entity; readonly precondition?: Precondition }
  | { readonly delete: { readonly type: string; readonly id: string }; readonly precondition?: Precondition }

/** What must be true of the stored entity for an operation to happen. */
export type Precondition =
  /** It exists with this revision. */
  | { readonly ifRevision: string }
  /** It exists. */
  | { readonly ifPresent: true }
  /** It does not exist. */
  | { readonly ifAbsent: true }

/** What one operation came to. `missing`: a delete of something that was not there. */
export interface Outcome {
  readonly change: 'created' | 'changed' | 'unchanged' | 'deleted' | 'missing'
  /** The entity as it now stands; absent after a delete. */
  readonly entity?: StoredEntity
}

/**
 * All operations happened and are durable, or one precondition failed, the first, and then none happened: `failed` is
 * its index, and `current` what stands under its key now that all is undone; absent where nothing does.
 */
export type WriteResult =
  | { readonly done: true; readonly outcomes: readonly Outcome[] }
  | { readonly done: false; readonly failed: number; readonly current?: StoredEntity }

/** How many entities an import touched. */
export interface ImportCounts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly deleted: number
}

/** A store within a write, after the entities of the write are in place. */
export interface Within {
  metadata(key: string): string | undefined
  /** As `Storage.versions`. */
  versions(): ReadonlyMap<string, TypeState>
}

/**
 * Named values to keep in the same step as a write: they are all there, or neither they nor the entities are. Called
 * within the write, so that it sees what others wrote before; undefined removes a value. It must not wait.
 */
export type Notes = (store: Within) => Readonly<Record<string, string | undefined>>

/** How an import is put in place. */
export interface CommitOptions {
  /** Of these types, entities that were not staged are deleted. */
  readonly replace?: readonly string[]
  /** Only while these types have these versions, as `Storage.versions` said; empty: never had an entity. */
  readonly ifVersions?: ReadonlyMap<string, string>
  readonly notes?: Notes
}

/** A staged import: nothing is seen by readers before `commit`, and then everything at once. */
export interface Import {
  /**
   * Stages entities. Of the same key twice the first one counts: answers which of these were left out for that, as
   * places among them, ascending. Throws after `commit` or `abort`.
   */
  add(entities: readonly Entity[]): MaybePromise<readonly number[]>
  /** What `commit` would come to now, changing nothing. */
  preview(options?: Pick<CommitOptions, 'replace'>): MaybePromise<ImportCounts>
  /**
   * Makes what was staged visible and durable in one step. Entities whose content is the same keep their times.
   * Throws after `commit` or `abort`.
   * @throws StorageFault `stale`, and can be called again; `busy` also where another process took the import for dead; it has to be started again
   */
  commit(options?: CommitOptions): MaybePromise<ImportCounts>
  /** Forgets what was staged. Harmless after `commit`. Where it fails, it can be called again, and the store forgets by itself soon. */
  abort(): MaybePromise<void>
}

/**
 * How much text in attributes counts in searches, by type and attribute: 1 as ordinary text, 2 twice as much, 0 not at
 * all. What is not named counts as it does by itself: `aliases` as names, all else 1.
 */
export type SearchWeights = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The state of one type. */
export interface TypeState {
  readonly count: number
  /** As `Page.version`. */
  readonly version: string
}

/** A consistent view of everything, unmoved by later writes, until it is closed. */
export interface Snapshot {
  /** Every entity, or those of one type, ascending by type, then id. */
  entities(type?: string): Iterable<StoredEntity> | AsyncIterable<StoredEntity>
  close(): MaybePromise<void>
}

/**
 * A storage engine. Engines fail with `StorageFault`; every method may be called at any time until `close`, which is
 * harmless twice. Types, ids and names of values are well-formed Unicode. Of writes that were not awaited one by one,
 * any may come first.
 */
export interface Storage {
  /** One entity, or undefined where there is none. `id` is compared as given: callers pass NFC. */
  get(type: string, id: string): MaybePromise<StoredEntity | undefined>
  /** Up to `limit` entities whose ids come after `after`. A type without entities has an empty page. */
  list(type: string, options: { readonly after?: string; readonly limit: number }): MaybePromise<Page>
  search(query: SearchQuery): MaybePromise<Found>
  /** Applies all operations in order, and keeps the notes, or none. Durable when it returns. */
  write(operations: readonly Operation[], notes?: Notes): MaybePromise<WriteResult>
  import(): MaybePromise<Import>
  /** Every type that has, or ever had, an entity; ascending. */
  versions(): MaybePromise<ReadonlyMap<string, TypeState>>
  /**
   * Differs after every write of any process that changed something, metadata included; staging is no write. The same
   * in every process, and after opening again. Cheap enough for every request. Opaque.
   */
  version(): MaybePromise<string>
  /** A small named value kept with the data (the world's id, derived descriptions); undefined where unset. */
  metadata(key: string): MaybePromise<string | undefined>
  /** The names of the values that begin with `prefix`, ascending. */
  metadataKeys(prefix: string): MaybePromise<readonly string[]>
  /** Keeps a named value, durably; undefined removes it. The same value again is no write. */
  setMetadata(key: string, value: string | undefined): MaybePromise<void>
  /**
   * Weighs attributes so in searches from now on, durably, also for what is there already: where that differs from
   * before, the search index is built anew in one step, which blocks the process. The same weights again are no write.
   */
  weigh(weights: SearchWeights): MaybePromise<void>
  snapshot(): MaybePromise<Snapshot>
  close(): MaybePromise<void>
}

/** Why an engine could not do its work. */
export type StorageFaultCode =
  /** Another writer held the store for two seconds, or ended this import; trying again may work. */
  | 'busy'
  /** A type has another version than this was decided by; nothing was written. Decide again. */
  | 'stale'
  /** The disk, or a limit of it, is full; nothing was written. */
  | 'full'
  /** The store was written by a newer format than this engine knows. */
  | 'newer_format'
  /** The file is not one of our stores, or is damaged. Nothing of it was touched. */
  | 'not_a_store'
  /** The store was opened for reading alone, or its file may not be written. */
  | 'read_only'
  /** The SQLite library in this runtime is one known to corrupt data. */
  | 'unsafe_engine'

/** A storage engine's failure: a code to branch on, and a message that says what to do. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault'
  readonly code: StorageFaultCode

  constructor(code: StorageFaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
