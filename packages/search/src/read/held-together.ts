import { END } from '../format/postings.ts'
import type { TermEntry } from '../format/term-entry.ts'
import type { Deadline } from './deadline.ts'
import { PostingsIterator, type PostingsList } from './postings-iterator.ts'
import type { Segment } from './segment.ts'

/** Returns the segment's documents that contain all terms, including deleted ones, each with its smallest impact. */
export function heldTogether(
  segment: Segment,
  entries: readonly TermEntry[],
  deadline: Deadline,
): PostingsList {
  const lists = entries
    .map((entry) => PostingsIterator.ofTerm(segment.postings, entry, 1))
    .sort((left, right) => left.count - right.count)
  const most = lists[0]?.count ?? 0
  const documents = new Uint32Array(most)
  const impacts = new Uint8Array(most)
  let count = 0
  for (let document = nextOfAll(lists, 0); document !== END; document = nextOfAll(lists, document + 1)) {
    documents[count] = document
    impacts[count++] = Math.min(...lists.map(({ score }) => score))
    if (deadline.step()) break
  }
  return { documents, impacts, count }
}

/** Returns the first document at or after `from` that is in all lists, or `END` if there is none. */
export function nextOfAll(lists: readonly PostingsIterator[], from: number): number {
  let document = from
  for (let agreeing = 0, at = 0; agreeing < lists.length; at = (at + 1) % lists.length) {
    const met = (lists[at] as PostingsIterator).seek(document)
    if (met === END) return END
    agreeing = met === document ? agreeing + 1 : 1
    document = met
  }
  return document
}
