/** From what an engine's index or its types say to the result of a query: the same for every engine. */

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

/** An entity as an engine found it: `damaged` where what is stored is not what was written. */
export type ReadEntity = StoredEntity | 'damaged' | undefined

/** Entities of one type in their order, and the ids of those among them that are damaged. */
export interface Listing {
  readonly entities: readonly StoredEntity[]
  readonly damaged?: readonly string[]
}

/** What of its own an engine is asked while it answers one query, all of it from one snapshot. */
export interface QuerySource {
  /** Asks the index. */
  search(query: Query, context: QueryContext): Result<ScoredKey>
  /** Of the operator's own. */
  synonyms(): Synonyms
  /** By which the index was built. */
  rules(): IndexRules
  /** The entities under these keys, in the keys' order. */
  entities(keys: readonly EntityKey[]): readonly ReadEntity[]
  /** Ascending by type. */
  types(): ReadonlyMap<string, TypeState>
  /** The first entities of a type, ascending by id. */
  first(type: string, limit: number): Listing
}

/**
 * Answers a query: by the index where it asks for something, else with everything.
 * @throws StorageFault `damaged` where the entity that `similar` names is
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

/** The terms of an entity as the index has them; none of one that is not there. */
function termsOf(source: QuerySource, key: EntityKey): DocumentTerm[] {
  const [entity] = source.entities([key])
  if (entity === 'damaged') throw damagedEntity(key)
  return entity ? documentTerms(searchDocumentOf(JSON.parse(entity.json), source.rules()[key.type])) : []
}

/** The result with the entities that were found. */
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

/** A type of which the first entities are asked for. */
interface Part {
  readonly type: string
  readonly limit: number
}

/** What has to be listed for everything there is: of which types, in their order, how many entities. */
export function partsOf(types: ReadonlyMap<string, TypeState>, query: Query): Part[] {
  let room = query.limit
  return wantedTypes(types, query).flatMap(([type, { count }]) => {
    const limit = Math.min(room, count)
    room -= limit
    return limit > 0 ? [{ type, limit }] : []
  })
}

/** The answer to everything there is. `listings`: of the parts, in their order. */
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
