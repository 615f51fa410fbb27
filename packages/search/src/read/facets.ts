import type { Column } from '../columns/column.ts'
import { namesFromKey, REFERENCES } from '../columns/column-key.ts'
import type { FacetBucket, FacetRequest, FacetResult } from '../port/conditions.ts'
import type { Deadline } from './deadline.ts'
import { DocumentSet } from './document-set.ts'
import { eachOrdinal } from './each-ordinal.ts'
import { presentIn, referrersIn, setOf } from './filter.ts'
import { firstOf } from './first-of.ts'
import { before } from './ordinals.ts'
import { Room } from './room.ts'
import type { TypeDocuments } from './type-documents.ts'
import { presentOrdinals, ValueCodes } from './value-codes.ts'

/** The documents of one type in one segment, and the subset that is in the result. */
export interface Matching {
  readonly documents: TypeDocuments
  readonly set: DocumentSet
}

/** A column with the number of result documents per value. */
interface Counted {
  readonly column: Column
  readonly set: DocumentSet
  readonly counts: Uint32Array
}

/** Computes a facet over all documents in the result. */
export function facetOf(facet: FacetRequest, matching: readonly Matching[], deadline: Deadline): FacetResult {
  const total = matching.reduce((sum, { set }) => sum + set.count, 0)
  const result =
    facet.facet === 'referrers' ? referrers(facet, matching) : ofColumns(facet, matching, deadline)
  const { present, ...rest } = result
  return { present, absent: total - present, ...rest, ...(deadline.leftOut && { partial: true }) }
}

type Part = Omit<FacetResult, 'absent'>

function ofColumns(
  facet: Exclude<FacetRequest, { facet: 'referrers' }>,
  matching: readonly Matching[],
  deadline: Deadline,
): Part {
  const counted: Counted[] = []
  let present = 0
  for (const { documents, set } of matching) {
    if (deadline.check()) break
    const column = set.count > 0 ? documents.column(facet.property, facet.kind) : undefined
    if (!column) continue
    const counts = countsOf(column, set)
    counted.push({ column, set, counts })
    present += column.isMultiple
      ? presentIn(column).and(set).count
      : counts.reduce((sum, count) => sum + count, 0)
  }
  if (facet.facet === 'values') return { present, ...valuesFacet(facet, counted, deadline) }
  if (facet.facet === 'ranges') {
    const buckets = facet.ranges.map(({ from, to }) => {
      const count = counted.reduce((sum, each) => sum + inRange(each, facet.kind, from, to, false), 0)
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), count }
    })
    return { present, buckets }
  }
  return { present, ...histogram(facet.buckets, facet.kind, counted) }
}

/** Returns, for each value, the number of documents in the set that have it. */
function countsOf(column: Column, set: DocumentSet): Uint32Array {
  const counts = new Uint32Array(column.values)
  if (set.count === set.size) {
    let start = 0
    for (let ordinal = 0; ordinal < counts.length; ordinal++) {
      const end = column.start(ordinal + 1)
      counts[ordinal] = end - start
      start = end
    }
  } else
    eachOrdinal(column, set, (ordinal) => {
      ;(counts[ordinal] as number)++
    })
  return counts
}

function valuesFacet(
  { kind, limit }: Extract<FacetRequest, { facet: 'values' }>,
  counted: readonly Counted[],
  deadline: Deadline,
): Pick<FacetResult, 'buckets' | 'more'> {
  const parts = counted.map(({ column: { dictionary }, counts }) => ({
    dictionary,
    used: () => counts,
  }))
  const codes = new ValueCodes(parts, new Room(deadline, Number.POSITIVE_INFINITY))
  const totals = new Uint32Array(codes.count)
  for (const [part, { counts }] of counted.entries()) {
    const codeOf = codes.of[part]
    for (let ordinal = 0; ordinal < counts.length; ordinal++) {
      const code = codeOf ? (codeOf[ordinal] ?? -1) : ordinal
      if (code >= 0) (totals[code] as number) += counts[ordinal] as number
    }
  }
  const compare = (one: number, other: number) =>
    (totals[other] as number) - (totals[one] as number) || one - other
  const buckets = Array.from(firstOf(presentOrdinals(totals), limit + 1, compare, deadline), (code) => ({
    value: codes.value(code, kind) as NonNullable<FacetBucket['value']>,
    count: totals[code] as number,
  }))
  return { buckets: buckets.slice(0, limit), ...(buckets.length > limit && { more: true }) }
}

/** Returns the number of result documents with a value in `[from, to)`, or `[from, to]` if `included` is set. */
function inRange(
  { column, set, counts }: Counted,
  kind: 'number' | 'text' | 'instant',
  from: number | string | undefined,
  to: number | string | undefined,
  included: boolean,
): number {
  const operand = (value: number | string) => (kind === 'instant' ? { instant: Number(value) } : value)
  const first = from === undefined ? 0 : before(column, operand(from), false)
  const end = to === undefined ? column.values : before(column, operand(to), included)
  if (first >= end) return 0
  if (column.isMultiple) return setOf(column, [[first, end]]).and(set).count
  let count = 0
  for (let ordinal = first; ordinal < end; ordinal++) count += counts[ordinal] as number
  return count
}

function histogram(
  buckets: number,
  kind: 'number' | 'instant',
  counted: readonly Counted[],
): Pick<FacetResult, 'buckets' | 'minimum' | 'maximum'> {
  let minimum = Number.POSITIVE_INFINITY
  let maximum = Number.NEGATIVE_INFINITY
  for (const { column, counts } of counted) {
    const { numbers } = column.dictionary
    const first = counts.findIndex((count) => count > 0)
    if (!numbers || first < 0) continue
    minimum = Math.min(minimum, numbers.at(first))
    maximum = Math.max(maximum, numbers.at(counts.findLastIndex((count) => count > 0)))
  }
  if (minimum > maximum) return { buckets: [] }
  const count = minimum === maximum ? 1 : buckets
  const edges = Array.from(
    { length: count + 1 },
    (_, at) => minimum * (1 - at / count) + maximum * (at / count),
  )
  edges[0] = minimum
  edges[count] = maximum
  const named = Array.from({ length: count }, (_, at) => {
    const [from = 0, to = 0] = [edges[at], edges[at + 1]]
    const within = counted.reduce((sum, each) => sum + inRange(each, kind, from, to, at === count - 1), 0)
    return { from, to, count: within }
  })
  return { minimum, maximum, buckets: named }
}

function referrers(
  { target, limit }: Extract<FacetRequest, { facet: 'referrers' }>,
  matching: readonly Matching[],
): Part {
  const counts = new Map<string, { type: string; path: string; count: number }>()
  let present = 0
  for (const { documents, set } of matching) {
    const column = documents.columnAt(REFERENCES, 'reference')
    const ranges = column ? referrersIn(column, target) : []
    const { texts } = column?.dictionary ?? {}
    if (!column || !texts) continue
    present += setOf(column, ranges).and(set).count
    for (const [from, end] of ranges) {
      for (let ordinal = from; ordinal < end; ordinal++) {
        const text = Buffer.from(texts.bytes(ordinal)).toString()
        const path = text.slice(text.indexOf('\n') + 1)
        const referring = DocumentSet.ofRun(
          set.size,
          column.sorted,
          column.start(ordinal),
          column.start(ordinal + 1),
        )
        const { type } = documents.range
        const key = `${type} ${path}`
        const known = counts.get(key)?.count ?? 0
        counts.set(key, { type, path, count: known + referring.and(set).count })
      }
    }
  }
  const found = [...counts].filter(([, { count }]) => count > 0)
  found.sort(
    ([left, one], [right, other]) =>
      other.count - one.count || Buffer.compare(Buffer.from(left), Buffer.from(right)),
  )
  const buckets = found
    .slice(0, limit)
    .map(([, { type, path, count }]) => ({ type, path: namesFromKey(path), count }))
  return { present, buckets, ...(found.length > limit && { more: true }) }
}
