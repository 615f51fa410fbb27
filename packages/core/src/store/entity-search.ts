/** Search interface for stores that keep their entities in memory, with an index that is updated by every write. */
import type { EntityKey, Found, Query, StoredEntity, TypeState } from './contract.ts'

/** An index's read access to the entities and named values of its store. */
export interface SearchedEntities {
  get(type: string, id: string): StoredEntity | undefined
  /** Returns the first `limit` entities of a type, ascending by id. */
  first(type: string, limit: number): readonly StoredEntity[]
  /** Returns the state of every type, ascending by type. */
  types(): ReadonlyMap<string, TypeState>
  /** Returns a named value, or undefined if there is none. */
  value(key: string): string | undefined
}

/**
 * A change to one entity: its JSON before and after the change, each undefined if the entity does not exist at that time. If
 * the old entity is damaged, `before` is empty.
 */
export interface EntityChange extends EntityKey {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Search index of one store. */
export interface EntityIndex {
  /** Applies the changes of one write before they become visible. */
  change(changes: readonly EntityChange[]): void
  /** Rebuilds the index from all entities. */
  rebuild(entities: Iterable<StoredEntity>): void
  find(query: Query): Found
  matchedIn(hits: readonly StoredEntity[], terms: readonly string[]): Promise<string[][]>
}

/** Search engine, as a function that creates an empty index for a store. */
export type EntitySearch = (store: SearchedEntities) => EntityIndex
