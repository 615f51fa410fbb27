import type { Column } from '../columns/column.ts'
import type { Measure } from '../port/conditions.ts'
import type { DocumentGroups, GroupedPart } from './document-groups.ts'
import { eachOrdinal } from './each-ordinal.ts'
import { ExactSums } from './exact-sums.ts'
import { FEW_GROUPS } from './first-of.ts'
import type { Room } from './room.ts'
import { usedIn, ValueCodes } from './value-codes.ts'

/** A measure of each group. */
export interface Measured {
  /** Rank of each group in the order of the measure, NaN for null. */
  readonly ranks: Float64Array
  /** Returns the value of a rank. */
  value(rank: number): number | string
}

/** A part of the result in which some document has a value. */
interface Valued extends GroupedPart {
  readonly column: Column
}

/** Computes a measure of all groups. */
export function measured(
  { op, property, kind }: Measure,
  { parts, counts: { length: groups } }: DocumentGroups,
  room: Room,
): Measured {
  const valued = parts.flatMap((part) => {
    const column = part.documents.column(property, kind)
    return column ? { ...part, column } : []
  })
  const nothing = () => new Float64Array(groups).fill(Number.NaN)
  const plain = (make: () => Float64Array) => ({ ranks: room.within(make), value: (rank: number) => rank })
  // Ranks, and two numbers of each group from which they are made.
  if (!room.take(3 * groups)) return plain(nothing)
  if (op === 'count') return plain(() => counted(valued, groups, room))
  if (op === 'sum' || op === 'avg') return plain(() => summed(op, valued, groups, room))
  const coded = () => {
    const parts = valued.map(({ column, set }) => ({
      dictionary: column.dictionary,
      used: () => usedIn(column, set),
    }))
    return new ValueCodes(parts, room)
  }
  if (op === 'min' || op === 'max') {
    const codes = coded()
    const ranks = codes.isComplete ? extreme(op, codes, valued, groups, room) : nothing()
    return { ranks, value: (rank) => codes.value(rank, kind) as number | string }
  }
  return plain(() => {
    const codes = coded()
    const sorted = sortedByCode(codes, valued, room)
    if (op === 'distinct') return differing(sorted, groups)
    return medians(sorted, groups, (code) => Number(codes.value(code, kind)))
  })
}

/** Visits each value of each document once for each of its groups. */
function eachEntry(
  { set, lists, column }: Valued,
  { deadline }: Room,
  visit: (group: number, ordinal: number) => void,
): void {
  const each = (ordinal: number, document: number) => {
    const group = lists.first[document] as number
    if (group >= 0) visit(group, ordinal)
    else lists.each(document, (group) => visit(group, ordinal))
  }
  eachOrdinal(column, set, each, deadline)
}

/** Visits the code of each value of each document once for each of its groups. */
function eachCode(
  codes: ValueCodes,
  valued: readonly Valued[],
  room: Room,
  visit: (code: number, group: number) => void,
): void {
  for (const [part, each] of valued.entries()) {
    const codeOf = codes.of[part]
    eachEntry(each, room, (group, ordinal) => visit(codeOf ? (codeOf[ordinal] as number) : ordinal, group))
  }
}

function counted(valued: readonly Valued[], groups: number, { deadline }: Room): Float64Array {
  const counts = new Float64Array(groups)
  for (const { column, set, lists } of valued) {
    let last = -1
    const each = (_: number, document: number) => {
      if (document === last) return
      last = document
      lists.each(document, (group) => {
        ;(counts[group] as number)++
      })
    }
    eachOrdinal(column, set, each, deadline)
  }
  return counts
}

function summed(op: 'sum' | 'avg', valued: readonly Valued[], groups: number, room: Room): Float64Array {
  const sums = new ExactSums(groups, room)
  const counts = new Float64Array(groups)
  for (const part of valued) {
    const { numbers } = part.column.dictionary
    if (!numbers) continue
    // Reading each value in advance costs less if there are fewer values than documents.
    const { values } = part.column
    const isRead = part.set.count > values && !room.deadline.check()
    const table = isRead ? new Float64Array(values) : undefined
    for (let ordinal = 0; table && ordinal < values; ordinal++) table[ordinal] = numbers.at(ordinal)
    eachEntry(part, room, (group, ordinal) => {
      ;(counts[group] as number)++
      sums.add(group, table ? (table[ordinal] as number) : numbers.at(ordinal))
    })
  }
  return counts.map((count, group) => {
    if (count === 0 || (group > FEW_GROUPS && room.deadline.step())) return Number.NaN
    const result = sums.quotient(group, op === 'avg' ? count : 1)
    return Number.isFinite(result) ? result : Number.NaN
  })
}

/** Returns the least or greatest code of each group. */
function extreme(
  op: 'min' | 'max',
  codes: ValueCodes,
  valued: readonly Valued[],
  groups: number,
  room: Room,
): Float64Array {
  const best = new Float64Array(groups).fill(Number.NaN)
  eachCode(codes, valued, room, (code, group) => {
    const known = best[group] as number
    if (!(op === 'min' ? known <= code : known >= code)) best[group] = code
  })
  return best
}

/** Groups of the documents with each value, in ascending order of the values. */
interface Sorted {
  /** Groups, or -1 for those that were not reached in time. */
  readonly groups: Int32Array
  /** For each code, the end of its groups. */
  readonly ends: Uint32Array
}

const NOT_SORTED: Sorted = { groups: new Int32Array(0), ends: new Uint32Array(0) }

/** Sorts the groups of all values by counting. */
function sortedByCode(codes: ValueCodes, valued: readonly Valued[], room: Room): Sorted {
  if (!codes.isComplete || !room.take(codes.count / 2)) return NOT_SORTED
  const ends = new Uint32Array(codes.count)
  eachCode(codes, valued, room, (code) => {
    ;(ends[code] as number)++
  })
  let count = 0
  for (let code = 0; code < ends.length; code++) {
    const length = ends[code] as number
    ends[code] = count
    count += length
  }
  if (!room.take(count / 2)) return NOT_SORTED
  const groups = new Int32Array(count).fill(-1)
  eachCode(codes, valued, room, (code, group) => {
    groups[(ends[code] as number)++] = group
  })
  return { groups, ends }
}

function eachSorted({ groups, ends }: Sorted, visit: (group: number, code: number) => void): void {
  for (let code = 0, at = 0; code < ends.length; code++)
    for (; at < (ends[code] as number); at++)
      if ((groups[at] as number) >= 0) visit(groups[at] as number, code)
}

/** Returns the number of distinct values of each group. */
function differing(sorted: Sorted, count: number): Float64Array {
  const distinct = new Float64Array(count)
  const last = new Int32Array(count).fill(-1)
  eachSorted(sorted, (group, code) => {
    if (last[group] !== code) (distinct[group] as number)++
    last[group] = code
  })
  return distinct
}

/** Returns the middle value of each group, or the mean of the middle two. */
function medians(sorted: Sorted, count: number, numberOf: (code: number) => number): Float64Array {
  const lengths = new Uint32Array(count)
  for (const group of sorted.groups) if (group >= 0) (lengths[group] as number)++
  const seen = new Uint32Array(count)
  const middles = new Float64Array(count).fill(Number.NaN)
  eachSorted(sorted, (group, code) => {
    const place = seen[group] as number
    seen[group] = place + 1
    const length = lengths[group] as number
    if (place === (length - 1) >>> 1) middles[group] = numberOf(code)
    if (place === length >>> 1 && length % 2 === 0)
      middles[group] = mean(middles[group] as number, numberOf(code))
  })
  return middles
}

/** Returns the correctly rounded mean. Halving is exact, unless the sum is small and exact itself. */
function mean(one: number, other: number): number {
  const sum = one + other
  return Number.isFinite(sum) ? sum / 2 + 0 : one / 2 + other / 2
}
