import type { TypeRange } from '../format/segment-head.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import type { Segment } from './segment.ts'

/** Reports whether the postings of any segment contain a live document in the ranges of that segment. */
export function occursInAny(
  parts: readonly { readonly segment: Segment; readonly ranges: readonly TypeRange[] }[],
  postingsIn: (segment: Segment) => PostingsIterator | undefined,
): boolean {
  return parts.some(({ segment, ranges }) => {
    const postings = postingsIn(segment)
    return postings !== undefined && occurs(postings, segment, ranges)
  })
}

function occurs(postings: PostingsIterator, segment: Segment, ranges: readonly TypeRange[]): boolean {
  return ranges.some(({ first, end }) => {
    let document = postings.seek(first)
    while (document < end && segment.isDeleted(document)) document = postings.next()
    return document < end
  })
}
