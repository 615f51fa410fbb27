/** Answers queries with conditions, sort orders, facets or groups in one pass over the segments. */

import type { Condition, PropertyPath, SortKey } from '../port/conditions.ts'
import { ANYWHERE } from '../port/document.ts'
import type { Query, Result, ScoredKey } from '../port/search-query.ts'
import { Counts } from './counts.ts'
import { Deadline } from './deadline.ts'
import { DocumentSet, newBits } from './document-set.ts'
import { facetOf, type Matching } from './facets.ts'
import { Filter, presentIn } from './filter.ts'
import { groupsOf } from './groups.ts'
import { Joins } from './joins.ts'
import { Order } from './order.ts'
import type { QueryContext } from './query-context.ts'
import { QueryPlan } from './query-plan.ts'
import { Searcher } from './searcher.ts'
import type { Segment } from './segment.ts'
import { SimilarSearcher, withoutDocument } from './similar-searcher.ts'
import { type TypeDocuments, typeDocumentsOf } from './type-documents.ts'

/** Reports whether a query has conditions, a sort order, a position, facets, groups or an example document. */
export function isPrecise({ similar, where, sort, after, facets, group }: Query): boolean {
  const isNarrowed = [similar, where, after, group].some((part) => part !== undefined)
  return isNarrowed || (sort?.length ?? 0) > 0 || (facets?.length ?? 0) > 0
}

/** Answers a query from segments that have `documents` live documents. */
export function preciseSearch(
  segments: readonly Segment[],
  documents: number,
  query: Query,
  context: QueryContext,
): Result<ScoredKey> {
  const deadline = new Deadline(query.budgetMs, query.signal)
  const all = typeDocumentsOf(segments, query.types, new Joins(segments, deadline))
  const filtered = all.map((each) => ({
    documents: each,
    set: new Filter(each, deadline).matches(query.where),
  }))
  const unindexed = unindexedIn(all, query)
  const result =
    (query.text ?? '').trim() === '' && query.similar === undefined
      ? answered(query, filtered, deadline)
      : withScores({ segments, documents, query, context }, filtered, deadline)
  return { ...result, ...(unindexed > 0 && { unindexed }) }
}

/** Sorts and counts the documents of the result. */
function answered(
  query: Query,
  matching: readonly Matching[],
  deadline: Deadline,
  order = new Order(query.sort ?? [], query.after, query.limit + 1, deadline),
): Result<ScoredKey> {
  const counts = new Counts()
  for (const { documents, set } of matching) counts.add(documents.range.type, set.count)
  const placed = query.limit > 0 ? order.first(matching) : []
  const hits = placed.slice(0, query.limit)
  const last = placed.length > hits.length ? order.positionOf(hits.length - 1) : undefined
  const facets = query.facets?.map((facet) => facetOf(facet, matching, deadline))
  const groups = query.group && groupsOf(query.group, matching, deadline)
  const partial = deadline.leftOut
  return {
    hits,
    total: counts.total,
    counts: counts.perType(),
    totalIsLowerBound: partial,
    partial,
    matched: [],
    ...(facets && { facets }),
    ...(groups && { groups }),
    ...(last && { last }),
  }
}

/** Inputs for scoring documents. */
interface Scored {
  readonly segments: readonly Segment[]
  readonly documents: number
  readonly query: Query
  readonly context: QueryContext
}

/**
 * Searches for the text, or for documents similar to a given one, among the filtered documents. Words are
 * weighted by the statistics of the whole index, so conditions filter the matches without changing what counts as a match.
 */
function withScores(
  { segments, documents, query, context }: Scored,
  filtered: readonly Matching[],
  deadline: Deadline,
): Result<ScoredKey> {
  const held = query.where ? segments.map((segment) => without(segment, filtered)) : segments
  const narrowed = query.similar ? withoutDocument(held, query.similar) : held
  const { facets, sort = [], ...asked } = query
  const byRelevance = sort.length === 0 || (sort.length === 1 && sort[0]?.by === 'relevance')
  const hasScores = sort.some(({ by }) => by === 'relevance')
  const searched = byRelevance
    ? asked
    : { ...asked, after: undefined, limit: hasScores ? Number.MAX_SAFE_INTEGER : 0 }
  const searcher = query.similar
    ? new SimilarSearcher(narrowed, documents, { query: searched, terms: context.terms, deadline })
    : textSearcher({ segments, documents, query: searched, context }, narrowed, deadline)
  const result = searcher.run()
  if (byRelevance && !facets?.length && !query.group) return result
  const found = new Map(narrowed.map((segment) => [segment.id, searcher.documentsIn(segment)]))
  const matching = filtered.map(({ documents }) => ({
    documents,
    set: setIn(documents, found.get(documents.segment.id)),
  }))
  if (byRelevance) {
    const { hits: _, matched: __, ...counted } = answered({ ...query, limit: 0 }, matching, deadline)
    return { ...result, ...counted }
  }
  const scores = new Map(
    searcher.hits().map(({ segment, document, score }) => [`${segment.id} ${document}`, score] as const),
  )
  const scoreOf = ({ segment, range }: TypeDocuments, document: number) =>
    scores.get(`${segment.id} ${range.first + document}`) ?? 0
  const order = new Order(sort, query.after, query.limit + 1, deadline, scoreOf)
  return { ...answered(query, matching, deadline, order), matched: result.matched }
}

/** Returns a searcher for the narrowed segments. It follows the plan of a search without conditions. */
function textSearcher(
  { segments, documents, query, context: { synonyms, superlative } }: Scored,
  narrowed: readonly Segment[],
  deadline: Deadline,
): Searcher {
  const plan = new QueryPlan(deadline)
  if (query.where)
    new Searcher(
      segments,
      documents,
      { ...query, after: undefined, limit: 0 },
      { synonyms, superlative, plan },
    ).run()
  return new Searcher(narrowed, documents, query, { synonyms, superlative, plan: plan.restarted() })
}

/** Returns a segment in which all documents except those in `filtered` are marked as deleted. */
function without(segment: Segment, filtered: readonly Matching[]): Segment {
  const deleted = new Uint8Array((segment.head.documents + 7) >>> 3).fill(0xff)
  for (const { documents, set } of filtered) {
    if (documents.segment !== segment) continue
    const { first } = documents.range
    set.each((document) => {
      ;(deleted[(first + document) >>> 3] as number) &= ~(1 << ((first + document) & 7))
      return true
    })
  }
  // Bits after the last document must be clear.
  for (let at = segment.head.documents; at < deleted.length * 8; at++)
    (deleted[at >>> 3] as number) &= ~(1 << (at & 7))
  return segment.without(deleted)
}

/** Returns the documents of one type whose bits are set in `found`, a bitmap of the segment. */
function setIn({ range, size }: TypeDocuments, found: Uint8Array | undefined): DocumentSet {
  if (!found) return DocumentSet.none(size)
  const bits = newBits(size)
  for (let document = 0; document < size; document++) {
    const at = range.first + document
    const byte = found[at >>> 3] as number
    if (byte === 0 && (at & 7) === 0) document += 7
    else if (byte & (1 << (at & 7))) (bits[document >>> 5] as number) |= 1 << (document & 31)
  }
  return DocumentSet.ofBits(size, bits)
}

function unindexedIn(all: readonly TypeDocuments[], query: Query): number {
  const paths = [...new Map([...pathsOf(query)].map((path) => [JSON.stringify(path), path])).values()]
  if (paths.length === 0) return 0
  let count = 0
  for (const documents of all) {
    let found = DocumentSet.none(documents.size)
    const omitted = documents.columnAt(ANYWHERE, 'unindexed')
    for (const column of [omitted, ...paths.flatMap((path) => documents.unindexed(path))])
      if (column) found = found.or(presentIn(column))
    if (found.count > 0) count += found.and(documents.live).count
  }
  return count
}

/** Yields the paths that a query uses, possibly with duplicates. */
export function* pathsOf({ where, sort = [], facets = [], group }: Query): Generator<PropertyPath> {
  if (where) yield* pathsIn(where)
  for (const key of sort as readonly SortKey[]) if ('property' in key) yield key.property
  for (const facet of facets) if (facet.facet !== 'referrers') yield facet.property
  for (const { property } of [...(group?.keys ?? []), ...(group?.measures ?? [])]) yield property
}

function* pathsIn(condition: Condition): Generator<PropertyPath> {
  if ('conditions' in condition) for (const each of condition.conditions) yield* pathsIn(each)
  else if ('condition' in condition) yield* pathsIn(condition.condition)
  else if ('property' in condition) yield condition.property
}
