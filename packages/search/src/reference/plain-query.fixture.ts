/** Naive query evaluation, which tests every document and uses no index. */
import { metresBetween } from '../columns/sphere.ts'
import type {
  Condition,
  FacetResult,
  GroupResult,
  PropertyPath,
  SortKey,
  SortPosition,
} from '../port/conditions.ts'
import { ANYWHERE, type DocumentKey, type SearchDocument } from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import { facetOf } from './plain-facets.fixture.ts'
import { groupsOf } from './plain-groups.fixture.ts'
import type { PlainDocuments } from './plain-values.fixture.ts'
import { holds } from './plain-where.fixture.ts'

/** Query result without the parts that only an index can provide. */
export interface PlainResult {
  readonly hits: readonly DocumentKey[]
  readonly total: number
  readonly counts: Readonly<Record<string, number>>
  readonly facets?: readonly FacetResult[]
  readonly groups?: GroupResult
  readonly last?: SortPosition
  readonly unindexed?: number
}

/** Score of each document for the text, or undefined if the document does not match. */
export type Scores = readonly (number | undefined)[]

/**
 * Yields the result of a query page by page. Each page continues after the last hit of the previous page.
 * @param scores scores of the documents that match the text of the query; absent if the query has no text
 */
export function* plainQuery(
  query: Query,
  documents: PlainDocuments,
  scores?: Scores,
): Generator<PlainResult> {
  const { limit, facets, group } = query
  const found = foundBy(query, documents, scores)
  const byRelevance: readonly SortKey[] = scores ? [{ by: 'relevance' }] : []
  const sort = query.sort?.length ? query.sort : byRelevance
  const keys = sort.map((key) => orderBy(key, documents, scores))
  const ordered = keys.length > 0 ? orderedBy(keys, found) : found
  const unindexed = unindexedAmong(query, documents)
  const numbers = {
    total: found.length,
    counts: countByType(found.map((at) => documents.all[at] as SearchDocument)),
    ...(facets && { facets: facets.map((facet) => facetOf(facet, documents, found)) }),
    ...(group && { groups: groupsOf(group, documents, found) }),
    ...(unindexed > 0 && { unindexed }),
  }
  let end = 0
  do {
    const page = ordered.slice(end, end + limit)
    end += page.length
    const hits = page.map((at) => keyOf(documents, at))
    const at = page.at(-1) ?? 0
    const last = { ...keyOf(documents, at), values: keys.map(({ value }) => value(at)) }
    yield { hits, ...numbers, ...(hits.length > 0 && end < ordered.length && { last }) }
  } while (limit > 0 && end < ordered.length)
}

function keyOf(documents: PlainDocuments, at: number): DocumentKey {
  const { type, id } = documents.all[at] as SearchDocument
  return { type, id }
}

/** Returns the indexes of the matching documents, in key order. */
function foundBy({ types, where }: Query, documents: PlainDocuments, scores?: Scores): readonly number[] {
  const truths = where && holds(where, documents)
  const found: number[] = []
  for (let at = 0; at < documents.all.length; at++) {
    if (truths && truths[at] !== true) continue
    if (scores && scores[at] === undefined) continue
    if (types?.includes((documents.all[at] as SearchDocument).type) === false) continue
    found.push(at)
  }
  return found
}

function countByType(documents: readonly SearchDocument[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of documents) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

/** One sort key, evaluated on plain documents. */
interface PlainOrder {
  /** Returns the sort rank. Lower ranks sort first. A document without a value has rank Infinity. */
  rank(document: number): number
  /** Returns the value that a sort position contains for the document. */
  value(document: number): SortPosition['values'][number]
}

function orderBy(key: SortKey, documents: PlainDocuments, scores?: Scores): PlainOrder {
  if (key.by === 'relevance') {
    const value = (at: number) => scores?.[at] ?? 0
    return { rank: (at) => -value(at), value }
  }
  if (key.by === 'sample') {
    const value = (at: number) => sampleHash(documents.keys[at] as string)
    return { rank: value, value }
  }
  const { descending } = key
  if (key.by === 'value') {
    const { values, of } = documents.column(key.property, key.kind)
    const first = (at: number) => (descending ? of[at]?.at(-1) : of[at]?.[0])
    return {
      rank: (at) => rankOf(first(at), descending),
      value: (at) => values[first(at) ?? -1] ?? null,
    }
  }
  const { values, of } = documents.places(key.property)
  const metres = values.map((place) => metresBetween(key.from, place))
  const first = of.map((places) => {
    if (places.length === 0) return undefined
    const all = places.map((place) => metres[place] as number)
    return descending ? Math.max(...all) : Math.min(...all)
  })
  return { rank: (at) => rankOf(first[at], descending), value: (at) => first[at] ?? null }
}

/** FNV-1a over the UTF-8 bytes of a key, finished by the last step of MurmurHash3, with exact integers. */
function sampleHash(key: string): number {
  const times = (left: bigint, right: bigint) => (left * right) & 0xffffffffn
  let hash = 0x811c9dc5n
  for (const byte of Buffer.from(key)) hash = times(hash ^ BigInt(byte), 0x01000193n)
  hash = times(hash ^ (hash >> 16n), 0x85ebca6bn)
  hash = times(hash ^ (hash >> 13n), 0xc2b2ae35n)
  return Number(hash ^ (hash >> 16n))
}

function rankOf(number: number | undefined, descending: boolean): number {
  if (number === undefined) return Infinity
  return descending ? -number : number
}

/** Returns the indexes sorted by these keys. Ties keep the order of the indexes. */
function orderedBy(keys: readonly PlainOrder[], found: readonly number[]): readonly number[] {
  const ranks = keys.map(({ rank }) => found.map(rank))
  const order = found.map((_, place) => place)
  order.sort((left, right) => {
    for (const rank of ranks) {
      const [one, other] = [rank[left] as number, rank[right] as number]
      if (one !== other) return one < other ? -1 : 1
    }
    return left - right
  })
  return order.map((place) => found[place] as number)
}

function unindexedAmong(query: Query, documents: PlainDocuments): number {
  const asked = [...pathsOf(query)]
  if (asked.length === 0) return 0
  const unindexed = new Set(
    [ANYWHERE as typeof ANYWHERE, ...asked].flatMap((path) => documents.unindexed(path)),
  )
  const isAsked = (at: number) => query.types?.includes(documents.all[at]?.type ?? '') ?? true
  return [...unindexed].filter(isAsked).length
}

function* pathsOf({ where, sort = [], facets = [], group }: Query): Generator<PropertyPath> {
  if (where) yield* pathsIn(where)
  for (const key of sort) if ('property' in key) yield key.property
  for (const facet of facets) if (facet.facet !== 'referrers') yield facet.property
  for (const key of group?.keys ?? []) yield key.property
  for (const measure of group?.measures ?? []) yield measure.property
}

function* pathsIn(condition: Condition): Generator<PropertyPath> {
  if ('conditions' in condition) for (const each of condition.conditions) yield* pathsIn(each)
  else if ('condition' in condition) yield* pathsIn(condition.condition)
  else if ('property' in condition) yield condition.property
}
