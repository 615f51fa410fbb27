/** Counts matching documents by type. */

import { END } from '../format/postings.ts'
import type { TypeRange } from '../format/segment-head.ts'
import type { Deadline } from './deadline.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import { BITS, type Segment } from './segment.ts'

/** Numbers of matching documents, in total and by type. */
export class Counts {
  /** Counts by type, in any order. Zero counts are omitted. */
  readonly types = new Map<string, number>()
  total = 0
  /** False if the counts are lower bounds. */
  exact = true

  add(type: string, matches: number): void {
    if (matches === 0) return
    this.types.set(type, (this.types.get(type) ?? 0) + matches)
    this.total += matches
  }

  /** Returns the counts by type, in ascending order of type. */
  perType(): Record<string, number> {
    return Object.fromEntries([...this.types].sort(([left], [right]) => (left < right ? -1 : 1)))
  }
}

/** Maximum count of documents that match all of several words. Counting stops there. */
const MAX_COUNTED = 10_000

/** Maximum number of postings read to count the documents that contain any of several terms. */
export const MAX_UNION_POSTINGS = 200_000

/** Returns a function that counts one match and returns true once the count is only a lower bound. */
export function counter(counts: Counts): (type: string) => boolean {
  return (type) => {
    counts.add(type, 1)
    if (counts.total < MAX_COUNTED) return false
    counts.exact = false
    return true
  }
}

/** Counts a list's live documents. Reads at most two blocks per range unless the segment has deleted documents. */
export function countList(
  counts: Counts,
  segment: Segment,
  ranges: readonly TypeRange[],
  postings: PostingsIterator,
  deadline: Deadline,
): void {
  for (const { type, first, end } of ranges) counts.add(type, liveIn(segment, postings, first, end, deadline))
  postings.reset()
}

function liveIn(
  segment: Segment,
  postings: PostingsIterator,
  first: number,
  end: number,
  deadline: Deadline,
): number {
  if (segment.deletedCount === 0) {
    if (first === 0 && end === segment.head.documents) return postings.count
    return postings.countBefore(end) - postings.countBefore(first)
  }
  let live = 0
  for (let at = postings.seek(first); at < end; at = postings.next()) {
    if (deadline.step()) break
    if (!segment.isDeleted(at)) live += 1
  }
  return live
}

/**
 * Counts the live documents in the union of the lists. Reads the shortest lists first and at most `limit` postings. If lists
 * are left over, the counts are lower bounds. Returns the remaining limit and a bitmap of the documents read.
 */
export function countUnion(
  counts: Counts,
  segment: Segment,
  ranges: readonly TypeRange[],
  lists: readonly PostingsIterator[],
  limit: number,
  deadline: Deadline,
): { readonly counted: Uint8Array; readonly left: number } {
  const bits = new Uint8Array((segment.head.documents + 7) >>> 3)
  const ordered = [...lists].sort((left, right) => left.count - right.count)
  let left = limit
  const long = ordered.filter((postings) => {
    if (postings.count > left) return true
    left -= postings.count
    for (let at = postings.next(); at !== END; at = postings.next()) {
      if (deadline.step()) break
      ;(bits[at >>> 3] as number) |= 1 << (at & 7)
    }
    postings.reset()
    return false
  })
  if (long.length > 0) counts.exact = false
  const longest = segment.deletedCount === 0 ? long.at(-1) : undefined
  for (const { type, first, end } of ranges) {
    const marked = left < limit ? liveBits(segment, bits, first, end) : 0
    counts.add(type, Math.max(marked, longest ? longest.countBefore(end) - longest.countBefore(first) : 0))
  }
  longest?.reset()
  return { counted: bits, left }
}

/** Counts the live documents in a bitmap of a segment. */
export function countMarked(
  counts: Counts,
  segment: Segment,
  ranges: readonly TypeRange[],
  bits: Uint8Array,
): void {
  for (const { type, first, end } of ranges) counts.add(type, liveBits(segment, bits, first, end))
}

/** Counts the set bits in `[first, end)` that belong to live documents. */
function liveBits({ deleted }: Segment, bits: Uint8Array, first: number, end: number): number {
  let live = 0
  for (let byte = first >>> 3; byte << 3 < end; byte++) {
    let set = bits[byte] as number
    if (set === 0) continue
    if (deleted) set &= ~(deleted[byte] as number)
    if (byte << 3 < first) set &= 0xff << (first & 7)
    if ((byte + 1) << 3 > end) set &= 0xff >>> (8 - (end & 7))
    live += BITS[set & 0xff] as number
  }
  return live
}
