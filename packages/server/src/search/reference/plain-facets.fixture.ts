/** Facets over plain documents: what they mean, with no regard to speed. */
import type { FacetBucket, FacetRequest, FacetResult } from '../port/conditions.ts'
import { compareKeys, type SearchDocument } from '../port/document.ts'
import { type Comparable, compare, ofKind } from './plain-values.fixture.ts'

/** What a facet over these documents comes to. */
export function facetOf(facet: FacetRequest, documents: readonly SearchDocument[]): FacetResult {
  if (facet.facet === 'referrers') return referrersOf(facet, documents)
  const found = documents.map((document) => ofKind(document, facet.property, facet.kind))
  const present = found.filter((values) => values.length > 0).length
  const numbers = { present, absent: documents.length - present }
  if (facet.facet === 'ranges') {
    const buckets = facet.ranges.map(({ from, to }) => {
      const isIn = (value: Comparable) =>
        (from === undefined || compare(value, from) >= 0) && (to === undefined || compare(value, to) < 0)
      const count = found.filter((values) => values.some(isIn)).length
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), count }
    })
    return { ...numbers, buckets }
  }
  if (facet.facet === 'histogram') return { ...numbers, ...histogramOf(facet.buckets, found as number[][]) }
  const counts = new Map<Comparable, number>()
  for (const value of found.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  const ordered = [...counts].sort(
    ([left, leftCount], [right, rightCount]) => rightCount - leftCount || compare(left, right),
  )
  const buckets = ordered.slice(0, facet.limit).map(([value, count]): FacetBucket => {
    if (facet.kind !== 'reference') return { value, count }
    const [type, ...id] = String(value).split(' ')
    return { value: { type: String(type), id: id.join(' ') }, count }
  })
  return { ...numbers, buckets, ...(ordered.length > facet.limit && { more: true }) }
}

function histogramOf(
  buckets: number,
  found: readonly number[][],
): Pick<FacetResult, 'buckets' | 'minimum' | 'maximum'> {
  const values = found.flat()
  if (values.length === 0) return { buckets: [] }
  const minimum = values.reduce((least, value) => Math.min(least, value))
  const maximum = values.reduce((most, value) => Math.max(most, value))
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
    return { from, to, count: found.filter((each) => each.some(isIn)).length }
  })
  return { minimum, maximum, buckets: named }
}

function referrersOf(
  { target, limit }: Extract<FacetRequest, { facet: 'referrers' }>,
  documents: readonly SearchDocument[],
): FacetResult {
  const counts = new Map<string, FacetBucket>()
  let present = 0
  for (const { type, values = [] } of documents) {
    const paths = new Set<string>()
    for (const value of values)
      if (value.kind === 'reference' && compareKeys(value.value, target) === 0) paths.add(value.path)
    if (paths.size > 0) present += 1
    for (const path of paths) {
      const key = `${type} ${path}`
      counts.set(key, { type, path: JSON.parse(path), count: (counts.get(key)?.count ?? 0) + 1 })
    }
  }
  const ordered = [...counts].sort(
    ([left, { count }], [right, { count: other }]) => other - count || compare(left, right),
  )
  const buckets = ordered.slice(0, limit).map(([, bucket]) => bucket)
  const numbers = { present, absent: documents.length - present }
  return { ...numbers, buckets, ...(ordered.length > limit && { more: true }) }
}
