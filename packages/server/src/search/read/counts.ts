/** How many documents match, of each type. */

import { hasBit } from '../format/bytes.ts'
import { END } from '../format/postings.ts'
import type { TypeRange } from '../format/segment-head.ts'
import type { Budget } from './deadline.ts'
import type { Cursor } from './postings-iterator.ts'
import { BITS, type Segment } from './segment.ts'

/** Numbers of matches, which may be lower bounds. */
export class Counts {
  readonly types = new Map<string, number>()
  total = 0
  exact = true

  /** Counts matches of a type. */
  add(type: string, matches: number): void {
    if (matches === 0) return
    this.types.set(type, (this.types.get(type) ?? 0) + matches)
    this.total += matches
  }

  /** By type, ascending. */
  perType(): Record<string, number> {
    return Object.fromEntries([...this.types].sort(([left], [right]) => (left < right ? -1 : 1)))
  }
}

/** Counts the living documents of one list, without looking at each where all live. */
export function countList(
  counts: Counts,
  segment: Segment,
  ranges: readonly TypeRange[],
  cursor: Cursor,
  budget: Budget,
): void {
  for (const { type, first, end } of ranges) counts.add(type, livingIn(segment, cursor, first, end, budget))
  cursor.rewind()
}

function livingIn(segment: Segment, cursor: Cursor, first: number, end: number, budget: Budget): number {
  if (segment.deletedCount === 0) {
    if (first === 0 && end === segment.head.documents) return cursor.count
    return cursor.rank(end) - cursor.rank(first)
  }
  let living = 0
  for (let at = cursor.seek(first); at < end; at = cursor.next()) {
    if (budget.step()) break
    if (!segment.isDeleted(at)) living += 1
  }
  return living
}

/** Which documents of a segment some lists hold. */
export interface Union {
  has(document: number): boolean
}

/**
 * Counts the living documents that any of the lists holds. Lists that would take more than `postings` to go through are
 * left out, the longest first; the counts are then lower bounds. Gives what was counted, and how many postings are left.
 */
export function countUnion(
  counts: Counts,
  segment: Segment,
  ranges: readonly TypeRange[],
  cursors: readonly Cursor[],
  postings: number,
  budget: Budget,
): { readonly union: Union; readonly left: number } {
  const bits = new Uint8Array((segment.head.documents + 7) >>> 3)
  const ordered = [...cursors].sort((left, right) => left.count - right.count)
  let left = postings
  const long = ordered.filter((cursor) => {
    if (cursor.count > left) return true
    left -= cursor.count
    for (let at = cursor.next(); at !== END; at = cursor.next()) {
      if (budget.step()) break
      ;(bits[at >>> 3] as number) |= 1 << (at & 7)
    }
    cursor.rewind()
    return false
  })
  if (long.length > 0) counts.exact = false
  const longest = segment.deletedCount === 0 ? long.at(-1) : undefined
  for (const { type, first, end } of ranges) {
    const marked = left < postings ? ones(segment, bits, first, end) : 0
    counts.add(type, Math.max(marked, longest ? longest.rank(end) - longest.rank(first) : 0))
  }
  longest?.rewind()
  return { union: { has: (at) => hasBit(bits, at) }, left }
}

function ones(segment: Segment, bits: Uint8Array, first: number, end: number): number {
  const { deleted } = segment
  let found = 0
  for (let byte = first >>> 3; byte << 3 < end; byte++) {
    let set = bits[byte] as number
    if (set === 0) continue
    if (deleted) set &= ~(deleted[byte] as number)
    if (byte << 3 < first) set &= 0xff << (first & 7)
    if ((byte + 1) << 3 > end) set &= 0xff >>> (8 - (end & 7))
    found += BITS[set & 0xff] as number
  }
  return found
}
