/** Naive facets over plain documents. */
import type { FacetBucket, FacetRequest, FacetResult } from '../port/conditions.ts'
import { type Comparable, compare, type PlainColumn, type PlainDocuments } from './plain-values.fixture.ts'

/** Computes a facet over the documents whose indexes are in `found`. */
export function facetOf(
  facet: FacetRequest,
  documents: PlainDocuments,
  found: readonly number[],
): FacetResult {
  const column =
    facet.facet === 'referrers'
      ? documents.referrers(facet.target)
      : documents.column(facet.property, facet.kind)
  const present = found.filter((document) => column.of[document]?.length).length
  const numbers = { present, absent: found.length - present }
  switch (facet.facet) {
    case 'ranges':
      return { ...numbers, buckets: rangesOf(facet.ranges, column, found) }
    case 'histogram':
      return { ...numbers, ...histogramOf(facet.buckets, column as PlainColumn<number>, found) }
    default: {
      const counted = mostFrequent(column, found)
      const buckets = counted.slice(0, facet.limit).map(([value, count]) => bucketOf(facet, value, count))
      return { ...numbers, buckets, ...(counted.length > facet.limit && { more: true }) }
    }
  }
}

function bucketOf(facet: FacetRequest, value: Comparable, count: number): FacetBucket {
  const [type = '', ...rest] = String(value).split(' ')
  if (facet.facet === 'referrers') return { type, path: JSON.parse(rest.join(' ')), count }
  if (facet.facet === 'values' && facet.kind === 'reference')
    return { value: { type, id: rest.join(' ') }, count }
  return { value, count }
}

/** Returns the number of documents per value, in ascending order of the values, without zero counts. */
function countsOf({ values, of }: PlainColumn, found: readonly number[]): (readonly [Comparable, number])[] {
  const counts = values.map(() => 0)
  for (const document of found) for (const at of of[document] ?? []) counts[at] = (counts[at] ?? 0) + 1
  return counts.flatMap((count, at) => (count > 0 ? [[values[at] as Comparable, count] as const] : []))
}

function mostFrequent(column: PlainColumn, found: readonly number[]): (readonly [Comparable, number])[] {
  // A stable sort keeps equally frequent values in ascending order.
  return countsOf(column, found).sort(([, left], [, right]) => right - left)
}

/** Returns the number of documents with a value that passes `fit`. */
function countOf<Value>(
  { values, of }: PlainColumn<Value>,
  found: readonly number[],
  fit: (value: Value) => boolean,
): number {
  const fitting = values.map(fit)
  return found.filter((document) => of[document]?.some((at) => fitting[at])).length
}

function rangesOf(
  ranges: Extract<FacetRequest, { facet: 'ranges' }>['ranges'],
  column: PlainColumn,
  found: readonly number[],
): FacetBucket[] {
  return ranges.map(({ from, to }) => {
    const isIn = (value: Comparable) =>
      (from === undefined || compare(value, from) >= 0) && (to === undefined || compare(value, to) < 0)
    const count = countOf(column, found, isIn)
    return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), count }
  })
}

function histogramOf(
  buckets: number,
  column: PlainColumn<number>,
  found: readonly number[],
): Pick<FacetResult, 'buckets' | 'minimum' | 'maximum'> {
  const values = countsOf(column, found).map(([value]) => Number(value))
  const [minimum, maximum] = [values[0], values.at(-1)]
  if (minimum === undefined || maximum === undefined) return { buckets: [] }
  const count = minimum === maximum ? 1 : buckets
  const edges = Array.from(
    { length: count + 1 },
    (_, at) => minimum * (1 - at / count) + maximum * (at / count),
  )
  edges[0] = minimum
  edges[count] = maximum
  const named = Array.from({ length: count }, (_, at) => {
    const [from = 0, to = 0] = [edges[at], edges[at + 1]]
    const isIn = (value: number) => value >= from && (at === count - 1 || value < to)
    return { from, to, count: countOf(column, found, isIn) }
  })
  return { minimum, maximum, buckets: named }
}
