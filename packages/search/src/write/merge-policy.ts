/** Merge policy that divides segments into size classes and allows only a few per class. */
import type { Segment } from '../read/segment.ts'

/** Number of segments in a size class that triggers their merge. Also the size ratio between classes. */
const MERGE_FACTOR = 4
/** Maximum number of documents in a segment of the smallest class. */
const SMALLEST = 64
/** Maximum fraction of deleted documents. Segments with more deletions are rewritten. */
const MAX_DELETED = 0.3

/** Number of documents from which a segment is merged with no other. A merge needs some 40 bytes of memory per document. */
export const LARGEST_MERGED = 2 ** 20

/** Returns the segments to merge next, smallest size class first, or an empty array if no merge is due. */
export function segmentsToMerge(segments: readonly Segment[]): readonly Segment[] {
  const mergeable = segments.filter(({ head }) => head.documents < LARGEST_MERGED)
  const classes = Map.groupBy(mergeable, ({ head }) => sizeClass(head.documents))
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
