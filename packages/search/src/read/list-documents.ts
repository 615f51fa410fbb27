/** Bitmaps of the live documents in posting lists, regardless of score. */
import { END } from '../format/postings.ts'
import type { Deadline } from './deadline.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import type { Segment } from './segment.ts'

/** Returns the documents that occur in any of the lists. */
export function documentsOfAny(
  segment: Segment,
  lists: readonly PostingsIterator[],
  deadline: Deadline,
): Uint8Array {
  const bits = newBits(segment)
  for (const postings of lists) {
    for (let at = postings.next(); at !== END; at = postings.next()) {
      if (deadline.step()) return bits
      if (!segment.isDeleted(at)) (bits[at >>> 3] as number) |= 1 << (at & 7)
    }
  }
  return bits
}

/** Returns the documents that occur in every list, or none if there are no lists. The shortest list must be first. */
export function documentsOfAll(
  segment: Segment,
  [lead, ...others]: readonly PostingsIterator[],
  deadline: Deadline,
): Uint8Array {
  const bits = newBits(segment)
  if (!lead) return bits
  for (let at = lead.next(); at !== END; ) {
    if (deadline.step()) return bits
    let met = at
    for (const postings of others) {
      met = postings.seek(at)
      if (met !== at) break
    }
    if (met === at) {
      if (!segment.isDeleted(at)) (bits[at >>> 3] as number) |= 1 << (at & 7)
      at = lead.next()
    } else at = met === END ? END : lead.seek(met)
  }
  return bits
}

function newBits(segment: Segment): Uint8Array {
  return new Uint8Array((segment.head.documents + 7) >>> 3)
}
