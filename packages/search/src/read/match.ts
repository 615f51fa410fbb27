/** Finds the best documents of a segment among those that occur in every list or in any list. */

import { END } from '../format/postings.ts'
import type { TypeRange } from '../format/segment-head.ts'
import type { Deadline } from './deadline.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import type { Segment } from './segment.ts'

/** Collector of documents, such as a `TopK`. */
export interface Collector {
  /** Reports whether a document would be taken. If not, no later document of the segment with the same score would be. */
  admits(score: number, segment: Segment, document: number): boolean
  /** Receives a document that is admitted. */
  offer(score: number, segment: Segment, document: number): void
}

/** Documents to search and the collector of hits. */
export interface Scope {
  readonly segment: Segment
  /** Document ranges of the requested types. */
  readonly ranges: readonly TypeRange[]
  readonly top: Collector
  /** Number added to every score so that better tiers rank higher. */
  readonly tierScore: number
  readonly deadline: Deadline
}

/**
 * Offers `scope.top` the documents that occur in every list. Calls `count` with each document's type until it returns true.
 * From then on, documents that cannot be among the best are skipped.
 */
export function matchAll(
  scope: Scope,
  lists: readonly PostingsIterator[],
  count: ((type: string) => boolean) | undefined,
): void {
  const { segment, top, tierScore, deadline } = scope
  const ordered = [...lists].sort((left, right) => left.count - right.count)
  const [lead] = ordered
  if (!lead) return
  let counting = count
  for (const { type, first, end } of scope.ranges) {
    let document = lead.seek(first)
    while (document < end) {
      if (deadline.step()) return
      if (!counting) {
        const skipped = skipHopeless(scope, ordered, document)
        if (skipped !== document) {
          document = skipped < end ? lead.seek(skipped) : END
          continue
        }
      }
      const met = align(ordered, document)
      if (met !== document) {
        document = met < end ? lead.seek(met) : END
        continue
      }
      if (!segment.isDeleted(document)) {
        if (counting?.(type)) counting = undefined
        let score = tierScore
        for (const postings of ordered) score += postings.score
        if (top.admits(score, segment, document)) top.offer(score, segment, document)
      }
      document = lead.next()
    }
  }
}

/** Offers `scope.top` the documents of `list` that occur in all `others`. Resets `others` afterwards. */
export function matchTogether(
  scope: Scope,
  list: PostingsIterator,
  others: readonly PostingsIterator[],
): void {
  matchAll(scope, [list, ...others], undefined)
  for (const other of others) other.reset()
}

/** Offers `scope.top` the documents of one list. Reads only blocks that may contain a top document. */
export function matchOne(scope: Scope, postings: PostingsIterator): void {
  const { segment, ranges, top, tierScore, deadline } = scope
  const whole = ranges.length === segment.head.types.length
  for (const block of postings.blocksByImpact()) {
    const { best, first } = postings.boundsOf(block)
    if (deadline.check() || !top.admits(tierScore + best, segment, 0)) break
    if (!top.admits(tierScore + best, segment, first)) continue
    postings.forEachIn(block, (document, score) => {
      if (!top.admits(tierScore + score, segment, document) || segment.isDeleted(document)) return
      if (!whole && !ranges.some((range) => document >= range.first && document < range.end)) return
      top.offer(tierScore + score, segment, document)
    })
  }
  postings.reset()
}

/** Moves all lists to `document` and returns it. If a list does not contain it, returns that list's next document. */
function align(lists: readonly PostingsIterator[], document: number): number {
  for (let at = 1; at < lists.length; at++) {
    const met = (lists[at] as PostingsIterator).seek(document)
    if (met !== document) return met
  }
  return document
}

/** Returns `document` or, if the current blocks contain no top document, the one after the block that ends first. */
function skipHopeless(scope: Scope, lists: readonly PostingsIterator[], document: number): number {
  const { segment, top, tierScore } = scope
  let best = tierScore
  let last = END
  for (const postings of lists) {
    postings.advanceShallow(document)
    best += postings.blockMax
    if (postings.blockLast < last) last = postings.blockLast
  }
  if (top.admits(best, segment, document)) return document
  return last === END ? END : last + 1
}

/**
 * Offers `scope.top` the documents in any list whose covers add up to `need` or more, using block-max MaxScore in windows
 * that do not cross block boundaries.
 */
export function matchAny(scope: Scope, lists: readonly PostingsIterator[], need = 0): void {
  const ordered = [...lists]
  for (const { first, end } of scope.ranges) {
    let from = first
    while (from < end) {
      if (scope.deadline.check()) return
      from = matchWindow(scope, ordered, { from, end, need })
    }
  }
}

/** Documents `[from, end)`, of which those with a cover of `need` or more are searched. */
interface Window {
  readonly from: number
  readonly end: number
  readonly need: number
}

/** Searches the next window and returns the start of the following one. */
function matchWindow(scope: Scope, lists: PostingsIterator[], { from, end, need }: Window): number {
  let start = END
  for (const postings of lists) start = Math.min(start, Math.max(from, postings.document))
  if (start >= end) return end
  let best = scope.tierScore
  let last = end - 1
  for (const postings of lists) {
    postings.advanceShallow(start)
    best += postings.blockMax
    if (postings.blockLast < last) last = postings.blockLast
  }
  if (scope.top.admits(best, scope.segment, start))
    scoreWindow(scope, lists, { from: start, end: last + 1, need })
  return last + 1
}

function scoreWindow(scope: Scope, lists: PostingsIterator[], { from, end, need }: Window): void {
  const { segment, top, tierScore } = scope
  sortByBlockMax(lists)
  // Documents that occur only in lists before `essential` cannot be among the best.
  let essential = 0
  let bound = tierScore
  while (
    essential < lists.length &&
    !top.admits(bound + (lists[essential] as PostingsIterator).blockMax, segment, from)
  ) {
    bound += (lists[essential] as PostingsIterator).blockMax
    essential += 1
  }
  for (let at = essential; at < lists.length; at++) (lists[at] as PostingsIterator).seek(from)
  for (;;) {
    let document = END
    for (let at = essential; at < lists.length; at++) {
      const { document: candidate } = lists[at] as PostingsIterator
      if (candidate < document) document = candidate
    }
    if (document >= end) return
    let score = tierScore
    let cover = 0
    for (let at = essential; at < lists.length; at++) {
      const postings = lists[at] as PostingsIterator
      if (postings.document !== document) continue
      score += postings.score
      cover += postings.cover
      postings.next()
    }
    if (scope.deadline.step()) return
    if (segment.isDeleted(document)) continue
    let rest = bound - tierScore
    for (let at = essential - 1; at >= 0 && top.admits(score + rest, segment, document); at--) {
      const postings = lists[at] as PostingsIterator
      rest -= postings.blockMax
      if (postings.seek(document) !== document) continue
      score += postings.score
      cover += postings.cover
    }
    if (cover >= need && top.admits(score, segment, document)) top.offer(score, segment, document)
  }
}

/** An insertion sort, since there are few lists and they stay nearly in order from window to window. */
function sortByBlockMax(lists: PostingsIterator[]): void {
  for (let at = 1; at < lists.length; at++) {
    const postings = lists[at] as PostingsIterator
    const { blockMax } = postings
    let to = at
    while (to > 0 && (lists[to - 1] as PostingsIterator).blockMax > blockMax) {
      lists[to] = lists[to - 1] as PostingsIterator
      to -= 1
    }
    lists[to] = postings
  }
}
