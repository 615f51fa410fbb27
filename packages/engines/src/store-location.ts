import type { MaybePromise, Store, StoredEntity } from '@worldwright/core/store'
import type { IndexVerdict, SalvageReport, StoreContent, StoreReport } from '@worldwright/sqlite'

/** What a process does with the store that it opens. */
export type StoreRole =
  /** Reads and writes, and keeps the search index up to date. Makes the store where there is none. */
  | 'owner'
  /** Reads an existing store by itself; writing fails with `read_only`. */
  | 'reader'
  /** Answers nothing but searches, for other processes. The store exists; writing fails with `read_only`. */
  | 'searcher'

/** How a store is opened. */
export interface OpenOptions {
  /** For an owner: how long it remembers deletions, in milliseconds; `Infinity` for good. Absent: 90 days. */
  readonly deletionsKeptMs?: number
}

/** A store as its URL names it, whether it exists or not: what can be asked of it as a whole. */
export interface StoreLocation {
  /** As `storeUrl` gives it. */
  readonly url: string
  /** How people call it, for messages: where it is, and no secret. */
  readonly name: string
  /** The file that holds it; its other files have names that begin with this one. Absent where none on this machine does. */
  readonly file?: string
  /** Readers see what an owner that is open on this machine keeps up to date. Absent: they see what is stored. */
  readonly needsOwner?: true
  /** It has no index of its own: of searches it answers those for everything, and a cluster has to answer all others. */
  readonly hasNoIndex?: true
  /** Whether there is such a store. */
  exists(): MaybePromise<boolean>
  /** Its size in bytes, roughly; 0 where there is none. */
  size(): MaybePromise<number>
  /** @throws StorageFault where it cannot be opened, or, as `reader` or `searcher`, does not exist */
  open(role: StoreRole, options?: OpenOptions): MaybePromise<Store>
  /**
   * Copies the store to a new file, as it is at one moment, and verifies the copy. Others read and write meanwhile.
   * @throws StorageFault where the file exists, or where the copy is damaged; then nothing is left of it
   */
  backup(file: string): MaybePromise<StoreReport>
  /** Makes this store from a backup, verified first. @throws StorageFault where the store exists, or the backup is damaged */
  restore(backup: string): MaybePromise<StoreReport>
  /**
   * Reads what can be read of a damaged store, without opening or changing it: every entity that is what was written, each once
   * and in no order, and at the end what is missing. While others write the store, some may be missed: end them first.
   */
  salvage(): Generator<StoredEntity, SalvageReport>
  /** Reads all that it keeps, as it is at one moment, while the work goes on. @throws StorageFault where it cannot be opened */
  withContent<T>(work: (content: StoreContent) => Promise<T>): Promise<T>
  /** Makes this store of another one's content. @throws StorageFault `not_a_store` where there is one already */
  fill(content: StoreContent): Promise<void>
  /** Reads every part of it. @throws StorageFault where it cannot be opened */
  verify(): MaybePromise<StoreReport>
  /** Compares the search index with the entities. @throws StorageFault where it cannot be opened */
  verifySearchIndex(): MaybePromise<IndexVerdict>
  /**
   * Builds the search index from the entities: true. False, with nothing done, where entities are damaged.
   * @throws StorageFault `busy`, `full`
   */
  rebuildSearchIndex(): MaybePromise<boolean>
}

/** A store as an engine gives it: how it is opened, and what else the engine can do with it as a whole. */
export type EngineStore = Pick<StoreLocation, 'open'> & Partial<Omit<StoreLocation, 'url'>>

/** A storage engine: the stores of one scheme. Each process of a server opens them in roles of its own. */
export interface Engine {
  /** The store at a URL. `location`: what follows the scheme. */
  at(url: string, location: string): EngineStore
}
