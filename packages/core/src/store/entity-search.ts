/** Search for stores that hold their entities in memory: an index that is passed in and updated with every write. */
import type { EntityKey, Found, Query, StoredEntity, TypeState } from './contract.ts'

/** The entities and named values of a store, as its index reads them. */
export interface SearchedEntities {
  get(type: string, id: string): StoredEntity | undefined
  /** Returns the first entities of a type, ascending by id. */
  first(type: string, limit: number): readonly StoredEntity[]
  /** Ascending by type. */
  types(): ReadonlyMap<string, TypeState>
  /** Returns the value of this name. */
  value(key: string): string | undefined
}

/**
 * A change of one entity: its JSON before and after; undefined if there is none. If the entity before is damaged, its JSON is
 * empty.
 */
export interface EntityChange extends EntityKey {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The index of one store. */
export interface EntityIndex {
  /** Applies the changes of one write, before the store shows them. */
  change(changes: readonly EntityChange[]): void
  /** Rebuilds the index from all entities. */
  rebuild(entities: Iterable<StoredEntity>): void
  find(query: Query): Found
  matchedIn(hits: readonly StoredEntity[], terms: readonly string[]): Promise<string[][]>
}

/** A search engine: creates the empty index of a store. */
export type EntitySearch = (store: SearchedEntities) => EntityIndex
