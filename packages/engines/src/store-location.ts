import type { MaybePromise, Store, StoredEntity } from '@worldwright/core/store'
import type { IndexVerdict, SalvageReport, StoreContent, StoreReport } from '@worldwright/sqlite'

/** Role in which a process opens a store. */
export type StoreRole =
  /** The writer: reads, writes, and keeps the search index up to date. Creates the store if there is none. */
  | 'writer'
  /** Reads an existing store by itself; writing fails with `read_only`. */
  | 'reader'
  /** Answers only searches, for other processes. The store exists; writing fails with `read_only`. */
  | 'searcher'

/** Options for opening a store. */
export interface OpenOptions {
  /** For a writer: lifetime of tombstones, in milliseconds; `Infinity` keeps them for good. Absent: 90 days. */
  readonly deletionsKeptMs?: number
}

/** A store that a URL names, whether it exists or not: the operations on it as a whole. */
export interface StoreLocation {
  /** The URL, as `storeUrl` returns it. */
  readonly url: string
  /** Name in messages: the address of the store, without secrets. */
  readonly name: string
  /** The file that holds it; its other files have names that begin with this one. Absent if no file on this machine does. */
  readonly file?: string
  /** Readers see a replica that an open writer on this machine keeps up to date. Absent: they see the stored data. */
  readonly needsWriter?: true
  /** It has no index of its own: it answers searches for everything, and a cluster must answer all others. */
  readonly hasNoIndex?: true
  /** Reports whether the store exists. */
  exists(): MaybePromise<boolean>
  /** Returns its approximate size in bytes; 0 if there is none. */
  size(): MaybePromise<number>
  /** @throws StorageFault if it cannot be opened, or, as `reader` or `searcher`, does not exist */
  open(role: StoreRole, options?: OpenOptions): MaybePromise<Store>
  /**
   * Copies a snapshot of the store to a new file, and verifies it. Others may read and write meanwhile.
   * @throws StorageFault if the file exists, or if the backup is damaged; then the backup is removed
   */
  backup(file: string): MaybePromise<StoreReport>
  /** Creates this store from a verified backup. @throws StorageFault if the store exists, or the backup is damaged */
  restore(backup: string): MaybePromise<StoreReport>
  /**
   * Reads what can be read of a damaged store, without opening or changing it: every undamaged entity, each once and
   * in no order, and at the end what is missing. Concurrent writes may hide some entities: end the writers first.
   */
  salvage(): Generator<StoredEntity, SalvageReport>
  /** Calls `work` with one snapshot of the whole content. @throws StorageFault if the store cannot be opened */
  withContent<T>(work: (content: StoreContent) => Promise<T>): Promise<T>
  /** Creates this store from another one's content. @throws StorageFault `not_a_store` if it exists already */
  fill(content: StoreContent): Promise<void>
  /** Reads and checks every part of the store. @throws StorageFault if it cannot be opened */
  verify(): MaybePromise<StoreReport>
  /** Compares the search index with the entities. @throws StorageFault if it cannot be opened */
  verifySearchIndex(): MaybePromise<IndexVerdict>
  /**
   * Rebuilds the search index from the entities and returns true. Returns false and does nothing if entities are damaged.
   * @throws StorageFault `busy`, `full`
   */
  rebuildSearchIndex(): MaybePromise<boolean>
}

/** A store as an engine provides it: how to open it, and other operations that the engine supports. */
export type EngineStore = Pick<StoreLocation, 'open'> & Partial<Omit<StoreLocation, 'url'>>

/** A storage engine: the stores of one scheme. Each process of a server opens them in roles of its own. */
export interface Engine {
  /** Returns the store at a URL. `location`: the text after the scheme. */
  at(url: string, location: string): EngineStore
}
