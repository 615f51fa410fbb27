import type { MaybePromise, Store, StoredEntity } from '@worldwright/core/store'
import type { StoreMigration } from '@worldwright/postgres'
import type { IndexVerdict, SalvageReport, StoreContent, StoreReport } from '@worldwright/sqlite'

/** Role in which a process opens a store. */
export type StoreRole =
  /** Reads, writes, and keeps the search index up to date. Creates the store if it does not exist. */
  | 'writer'
  /** Only reads. The store must exist; writes fail with `read_only`. */
  | 'reader'
  /** Only serves searches for other processes. The store must exist; writes fail with `read_only`. */
  | 'searcher'

/** Options for opening a store. */
export interface OpenOptions {
  /** Tombstone lifetime for a writer, in milliseconds. `Infinity` keeps tombstones forever. Default: 90 days. */
  readonly deletionsKeptMs?: number
}

/** The store at a URL, with operations on the whole store. The store need not exist. */
export interface StoreLocation {
  /** The URL, as `storeUrl` returns it. */
  readonly url: string
  /** Display name for messages: the store's address, without secrets. */
  readonly name: string
  /** Path of the store's main file, which is a prefix of all its file paths; absent if it has no file on this machine. */
  readonly file?: string
  /** True if readers use a replica that a writer on this machine updates; absent if they read the store itself. */
  readonly needsWriter?: true
  /** True if the store has no search index: it answers only match-all searches, and a cluster must answer all others. */
  readonly hasNoIndex?: true
  /** Migrates the store to the format of this version; absent if a writer does so when it opens the store. */
  readonly migration?: StoreMigration
  /** Reports whether the store exists. */
  exists(): MaybePromise<boolean>
  /** Returns the store's approximate size in bytes; 0 if it does not exist. */
  size(): MaybePromise<number>
  /** Opens the store. @throws StoreFault if it cannot be opened, or does not exist and `role` is `reader` or `searcher` */
  open(role: StoreRole, options?: OpenOptions): MaybePromise<Store>
  /**
   * Copies a snapshot of the store to a new file and verifies it. Other processes may read and write meanwhile.
   * @throws StoreFault if the file exists, or if the backup is damaged and has been deleted
   */
  backup(file: string): MaybePromise<StoreReport>
  /** Creates this store from a verified backup. @throws StoreFault if the store exists, or the backup is damaged */
  restore(backup: string): MaybePromise<StoreReport>
  /**
   * Creates this node's replica from a backup of another node, in a file or at an http or https URL. Returns false if this
   * node has a replica already. Absent if the store has no replica on this machine.
   * @throws StoreFault if the backup is damaged, or the store does not continue it; nothing of it is left behind
   */
  seed?(backup: string, signal: AbortSignal): MaybePromise<boolean>
  /**
   * Yields every undamaged entity of a damaged store once, in no particular order, without opening or changing the store.
   * Returns a report of missing entities. Concurrent writes may hide entities, so stop writers first.
   */
  salvage(): Generator<StoredEntity, SalvageReport>
  /** Calls `work` with a snapshot of the whole content. @throws StoreFault if the store cannot be opened */
  withContent<T>(work: (content: StoreContent) => Promise<T>): Promise<T>
  /** Creates this store from another store's content. @throws StoreFault `not_a_store` if it exists already */
  fill(content: StoreContent): Promise<void>
  /** Reads and checks every part of the store. @throws StoreFault if it cannot be opened */
  verify(): MaybePromise<StoreReport>
  /** Compares the search index with the entities. @throws StoreFault if it cannot be opened */
  verifySearchIndex(): MaybePromise<IndexVerdict>
  /**
   * Rebuilds the search index from the entities and returns true. Returns false and does nothing if entities are damaged.
   * @throws StoreFault `busy`, `full`
   */
  rebuildSearchIndex(): MaybePromise<boolean>
}

/** Part of a store that its engine implements: `open`, and any other operations that it supports. */
export type EngineStore = Pick<StoreLocation, 'open'> & Partial<Omit<StoreLocation, 'url'>>

/** Storage engine for one URL scheme. Each process of a server opens stores in its own role. */
export interface Engine {
  /** Returns the store at a URL. `location` is the part after the scheme. */
  at(url: string, location: string): EngineStore
}
