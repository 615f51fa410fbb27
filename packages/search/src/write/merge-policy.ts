/** Merge policy: size classes, each of which holds a few segments at most. */
import type { Segment } from '../read/segment.ts'

/** Number of segments of one size class that are merged together, and the ratio of the next class to this one. */
const MERGE_FACTOR = 4
/** Maximum documents of a segment in the smallest class. */
const SMALLEST = 64
/** Maximum fraction of deleted documents: a segment with more is rewritten. */
const MAX_DELETED = 0.3

/** Returns the segments to merge next, small ones before large ones; none if no merge is due. */
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
