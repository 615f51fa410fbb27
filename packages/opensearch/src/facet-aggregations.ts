/** Converts facet requests to OpenSearch aggregations, and their results to facets. */
import type { FacetBucket, FacetRequest, FacetResult } from '@worldwright/core/store'
import type { EngineQuery } from './clause-queries.ts'
import { pointerPrefix, targetOf, valueField } from './documents.ts'
import { existsQuery } from './where-query.ts'

/** OpenSearch aggregations, keyed by name. */
export type Aggregations = Readonly<Record<string, unknown>>

// biome-ignore lint/suspicious/noExplicitAny: answers of the cluster have the shapes that were asked for.
type Answer = any

/** Number of top values that each shard returns, large enough to include the most frequent values overall. */
const SHARD_VALUES = 2_000

/** Returns the aggregations for a facet. For a histogram, they are the first of two steps (see `histogramAggregations`). */
export function facetAggregations(facet: FacetRequest): Aggregations {
  if (facet.facet === 'referrers') {
    const begins = pointerPrefix(facet.target)
    const include = `${begins.replaceAll(/[^A-Za-z0-9 ]/g, (sign) => (sign < '\u0080' ? `\\${sign}` : sign))}.*`
    return {
      present: { filter: { term: { targets: targetOf(facet.target) } } },
      buckets: { terms: { field: 'pointers', include, size: facet.limit + 1, ...MOST_FREQUENT } },
    }
  }
  const field = valueField(facet.property, facet.kind)
  const present = { filter: existsQuery(facet.property, facet.kind) }
  if (facet.facet === 'values')
    return facet.limit === 0
      ? { present }
      : { present, buckets: { terms: { field, size: facet.limit, ...MOST_FREQUENT } } }
  if (facet.facet === 'ranges') {
    const filters = facet.ranges.map(({ from, to }) => rangeQuery(field, from, to, false))
    return filters.length === 0 ? { present } : { present, buckets: { filters: { filters } } }
  }
  return { present, minimum: { min: { field } }, maximum: { max: { field } } }
}

/** Returns the aggregations for a histogram's second step, given the first step's result. Empty if there are no values. */
export function histogramAggregations(
  facet: Extract<FacetRequest, { facet: 'histogram' }>,
  answer: Answer,
): Aggregations {
  const field = valueField(facet.property, facet.kind)
  const ranges = rangesOf(facet, answer)
  if (ranges.length === 0) return {}
  const filters = ranges.map(({ from, to }, at) => rangeQuery(field, from, to, at === ranges.length - 1))
  return { buckets: { filters: { filters } } }
}

/** Returns the result of a facet over `total` documents. `answer` contains the aggregation results of all steps. */
export function facetIn(facet: FacetRequest, answer: Answer, total: number): FacetResult {
  const present: number = answer.present.doc_count
  const numbers = { present, absent: total - present }
  const found: { key: unknown; doc_count: number }[] = answer.buckets?.buckets ?? []
  const isBound = (answer.buckets?.doc_count_error_upper_bound ?? 0) > 0
  const bounds = isBound ? { partial: true as const } : {}
  if (facet.facet === 'values') {
    const buckets = found.map(({ key, doc_count: count }) => ({ value: facetValue(facet.kind, key), count }))
    const isMore = facet.limit === 0 ? present > 0 : answer.buckets.sum_other_doc_count > 0
    return { ...numbers, buckets, ...(isMore && { more: true }), ...bounds }
  }
  if (facet.facet === 'referrers') {
    const begins = pointerPrefix(facet.target)
    const buckets = found.slice(0, facet.limit).map(({ key, doc_count: count }) => {
      const pointer = String(key).slice(begins.length)
      const space = pointer.indexOf(' ')
      return { type: pointer.slice(0, space), path: JSON.parse(pointer.slice(space + 1)), count }
    })
    return { ...numbers, buckets, ...(found.length > facet.limit && { more: true }), ...bounds }
  }
  if (facet.facet === 'ranges') {
    const buckets = facet.ranges.map(({ from, to }, at) => ({
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      count: found[at]?.doc_count ?? 0,
    }))
    return { ...numbers, buckets }
  }
  const ranges = rangesOf(facet, answer)
  if (ranges.length === 0) return { ...numbers, buckets: [] }
  const buckets = ranges.map((range, at) => ({ ...range, count: found[at]?.doc_count ?? 0 }))
  return { ...numbers, minimum: answer.minimum.value, maximum: answer.maximum.value, buckets }
}

const MOST_FREQUENT = { shard_size: SHARD_VALUES, order: [{ _count: 'desc' }, { _key: 'asc' }] }

function rangeQuery(
  field: string,
  from: number | string | undefined,
  to: number | string | undefined,
  hasEnd: boolean,
): EngineQuery {
  return { range: { [field]: { gte: from, [hasEnd ? 'lte' : 'lt']: to } } }
}

/** Returns the bucket ranges of a histogram (see `FacetRequest`). */
function rangesOf(
  { buckets }: Extract<FacetRequest, { facet: 'histogram' }>,
  answer: Answer,
): { readonly from: number; readonly to: number }[] {
  const [minimum, maximum]: (number | null)[] = [answer.minimum.value, answer.maximum.value]
  if (minimum === null || maximum === null || minimum === undefined || maximum === undefined) return []
  const count = minimum === maximum ? 1 : buckets
  const edges = Array.from({ length: count + 1 }, (_, at) =>
    at === 0 ? minimum : at === count ? maximum : minimum * (1 - at / count) + maximum * (at / count),
  )
  return edges.slice(1).map((to, at) => ({ from: edges[at] as number, to }))
}

function facetValue(kind: string, key: unknown): NonNullable<FacetBucket['value']> {
  if (kind === 'boolean') return key === 'true'
  if (kind !== 'reference') return key as string | number
  const text = String(key)
  const space = text.indexOf(' ')
  return { type: text.slice(0, space), id: text.slice(space + 1) }
}
