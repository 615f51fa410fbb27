/** Finds the documents of a segment by their cover (`cover.ts`), regardless of their score. */
import type { TypeRange } from '../format/segment-head.ts'
import type { Deadline } from './deadline.ts'
import { type Collector, matchAny } from './match.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import type { Segment } from './segment.ts'
import { type Hit, TopK } from './top-k.ts'

/** Lists of the words of a query in a segment, and the document ranges of the requested types. */
export interface Covered {
  readonly segment: Segment
  readonly ranges: readonly TypeRange[]
  /** Lists of all words, those without cover included. */
  readonly lists: readonly PostingsIterator[]
}

/** Returns the greatest cover of a document, or 0 if no document holds a telling word. */
export function bestCover(covered: readonly Covered[], deadline: Deadline): number {
  let best = 0
  for (const each of covered)
    collect(each, deadline, {
      admits: (cover) => cover > best,
      offer: (cover) => {
        best = cover
      },
    })
  return best
}

/** Returns the best document by its telling words, which is found although others may hold more, with its whole score. */
export function bestScored(covered: readonly Covered[], deadline: Deadline): Hit | undefined {
  const top = new TopK(1)
  for (const { segment, ranges, lists } of covered) {
    const telling = lists.filter(({ cover }) => cover > 0)
    matchAny({ segment, ranges, top, tierScore: 0, deadline }, telling)
    for (const list of telling) list.reset()
  }
  const [best] = top.hits()
  if (!best) return undefined
  const { document, segment } = best
  const { lists = [] } = covered.find((each) => each.segment === segment) ?? {}
  const score = lists.reduce((sum, list) => (list.seek(document) === document ? sum + list.score : sum), 0)
  for (const list of lists) list.reset()
  return { ...best, score }
}

/** Returns a bitmap of up to `most` documents with a cover of at least `need`, and how many they are. */
export function coveredDocuments(
  covered: Covered,
  need: number,
  deadline: Deadline,
  most = Number.POSITIVE_INFINITY,
): { readonly bits: Uint8Array; readonly count: number } {
  const bits = new Uint8Array((covered.segment.head.documents + 7) >>> 3)
  let count = 0
  collect(covered, deadline, {
    admits: (cover) => cover >= need && count < most,
    offer: (_cover, _segment, document) => {
      ;(bits[document >>> 3] as number) |= 1 << (document & 7)
      count += 1
    },
  })
  return { bits, count }
}

/** Offers the documents to a collector, scored by their cover. Resets the lists afterwards. */
function collect({ segment, ranges, lists }: Covered, deadline: Deadline, top: Collector): void {
  const telling = lists.filter(({ cover }) => cover > 0)
  for (const list of telling) list.byCover = true
  matchAny({ segment, ranges, top, tierScore: 0, deadline }, telling)
  for (const list of telling) {
    list.byCover = false
    list.reset()
  }
}
