/** When segments are merged: size classes, of which each holds a few segments at most. */
import type { Segment } from '../read/segment.ts'

/** Segments of one size class that are merged together, and how much larger the next class is. */
const MERGE_FACTOR = 4
/** The largest segment of the smallest class, in documents. */
const SMALLEST = 64
/** A segment of which more than this part is deleted is rewritten. */
const MAX_DELETED = 0.3

/** The segments to merge next, small ones before large ones; none where no merge is due. */
export function segmentsToMerge(segments: readonly Segment[]): readonly Segment[] {
  const classes = Map.groupBy(segments, ({ head }) => sizeClass(head.documents))
  for (const [, same] of [...classes].sort(([left], [right]) => left - right)) {
    if (same.length >= MERGE_FACTOR) return same
  }
  const decayed = segments.find(
    ({ deletedCount, head }) => deletedCount > MAX_DELETED * head.documents && head.documents > SMALLEST,
  )
  return decayed ? [decayed] : []
}

function sizeClass(documents: number): number {
  return documents <= SMALLEST ? 0 : Math.ceil(Math.log(documents / SMALLEST) / Math.log(MERGE_FACTOR))
}
