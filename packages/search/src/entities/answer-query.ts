/** Answers queries from an engine's index and types. All engines share this code, so all return the same results. */

import type {
  EntityKey,
  Found,
  IndexRules,
  Query,
  Result,
  StoredEntity,
  TypeState,
} from '@worldwright/core/store'
import { damagedEntity } from '@worldwright/core/store'
import { documentTerms } from '../document-terms.ts'
import { compareKeys, type DocumentTerm } from '../port/document.ts'
import type { ScoredKey } from '../port/search-query.ts'
import { isPrecise } from '../read/precise-search.ts'
import type { QueryContext } from '../read/query-context.ts'
import type { Synonyms } from '../text/synonyms.ts'
import { searchDocumentOf } from './search-document.ts'

/** An entity as read by an engine, or `damaged` if the stored bytes have changed since they were written. */
export type ReadEntity = StoredEntity | 'damaged' | undefined

/** Entities of one type in ascending order, and the ids of damaged ones. */
export interface Listing {
  readonly entities: readonly StoredEntity[]
  readonly damaged?: readonly string[]
}

/** Data that an engine provides for one query from a single snapshot. */
export interface QuerySource {
  /** Searches the index. */
  search(query: Query, context: QueryContext): Result<ScoredKey>
  /** Returns the operator's synonyms. */
  synonyms(): Synonyms
  /** Returns the rules with which the index was built. */
  rules(): IndexRules
  /** Returns the entities with these keys, in the order of the keys. */
  entities(keys: readonly EntityKey[]): readonly ReadEntity[]
  /** Returns the types in ascending order. */
  types(): ReadonlyMap<string, TypeState>
  /** Returns up to `limit` entities of a type, lowest ids first. */
  first(type: string, limit: number): Listing
}

/**
 * Answers a query from the index. For a query that has no text and is not precise, lists all entities of its types.
 * @throws StoreFault `damaged` if the entity named by `similar` is damaged
 */
export function answerQuery(source: QuerySource, query: Query): Found {
  if ((query.text ?? '').trim() === '' && !isPrecise(query)) {
    const types = source.types()
    const listings = partsOf(types, query).map(({ type, limit }) => source.first(type, limit))
    return everything(types, query, listings)
  }
  const terms = query.similar ? termsOf(source, query.similar) : []
  return found(source, source.search(query, { terms, synonyms: source.synonyms() }))
}

/** Returns an entity's index terms, or an empty array if the entity does not exist. */
function termsOf(source: QuerySource, key: EntityKey): DocumentTerm[] {
  const [entity] = source.entities([key])
  if (entity === 'damaged') throw damagedEntity(key)
  return entity ? documentTerms(searchDocumentOf(JSON.parse(entity.json), source.rules()[key.type])) : []
}

/** Replaces the keys in a result with their entities. */
function found(source: QuerySource, result: Result<ScoredKey>): Found {
  const hits: StoredEntity[] = []
  const damaged: EntityKey[] = []
  const keys = result.hits.map(({ key: { type, id } }) => ({ type, id }))
  for (const [at, found] of source.entities(keys).entries()) {
    if (found === 'damaged') damaged.push(keys[at] as EntityKey)
    else if (found !== undefined) hits.push(found)
  }
  return { ...result, hits, ...(damaged.length > 0 && { damaged }) }
}

/** A type, and how many of its entities to list, starting with the first. */
interface Part {
  readonly type: string
  readonly limit: number
}

/** Splits a listing of all entities by type. Returns the types in order, each with its share of the query's limit. */
export function partsOf(types: ReadonlyMap<string, TypeState>, query: Query): Part[] {
  let room = query.limit
  return wantedTypes(types, query).flatMap(([type, { count }]) => {
    const limit = Math.min(room, count)
    room -= limit
    return limit > 0 ? [{ type, limit }] : []
  })
}

/** Answers a query that matches every entity. `listings` contains one listing per part, in the order of `partsOf`. */
export function everything(
  types: ReadonlyMap<string, TypeState>,
  query: Query,
  listings: readonly Listing[],
): Found {
  const counts = Object.fromEntries(wantedTypes(types, query).map(([type, { count }]) => [type, count]))
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const hits = listings.flatMap(({ entities }) => entities)
  const damaged = partsOf(types, query).flatMap(({ type }, at) =>
    (listings[at]?.damaged ?? []).map((id) => ({ type, id })),
  )
  const numbers = { total, counts, totalIsLowerBound: false, partial: false, matched: [] }
  const last = total > hits.length + damaged.length ? lastOf(hits.at(-1), damaged.at(-1)) : undefined
  return {
    hits,
    ...numbers,
    ...(last && { last: { type: last.type, id: last.id, values: [] } }),
    ...(damaged.length > 0 && { damaged }),
  }
}

function wantedTypes(types: ReadonlyMap<string, TypeState>, query: Query): [string, TypeState][] {
  const wanted = query.types && new Set(query.types)
  return [...types].filter(([type, { count }]) => count > 0 && wanted?.has(type) !== false)
}

function lastOf(hit: EntityKey | undefined, damaged: EntityKey | undefined): EntityKey | undefined {
  if (hit === undefined || damaged === undefined) return hit ?? damaged
  return compareKeys(hit, damaged) < 0 ? damaged : hit
}
