/** Finds the best documents of a segment: those that all lists have, or any of them. */

import { END } from '../format/postings.ts'
import type { TypeRange } from '../format/segment-head.ts'
import type { Deadline } from './deadline.ts'
import type { PostingsIterator } from './postings-iterator.ts'
import type { Segment } from './segment.ts'
import type { TopK } from './top-k.ts'

/** Documents to search, and the collector of the hits. */
export interface Scope {
  readonly segment: Segment
  /** Requested types. */
  readonly ranges: readonly TypeRange[]
  readonly top: TopK
  /** Added to every score, so that better kinds of matches rank higher. */
  readonly tierScore: number
  readonly deadline: Deadline
}

/**
 * Offers the documents that every list has. `count` is called with the type of each until it returns true, as it has counted
 * enough; from then on, documents that cannot be among the best are skipped.
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

/** Offers the documents that one list and all others have. The others are reset to their beginning. */
export function matchTogether(
  scope: Scope,
  list: PostingsIterator,
  others: readonly PostingsIterator[],
): void {
  matchAll(scope, [list, ...others], undefined)
  for (const other of others) other.reset()
}

/** Offers the documents of one list, reading only blocks that may hold some of the best. */
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

/** Moves all lists to `document`, or returns the later document that one of them has instead. */
function align(lists: readonly PostingsIterator[], document: number): number {
  for (let at = 1; at < lists.length; at++) {
    const met = (lists[at] as PostingsIterator).seek(document)
    if (met !== document) return met
  }
  return document
}

/** Returns `document` or, if the current blocks cannot hold one of the best, the first document after one of them. */
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

/** Offers the documents that any of the lists has: block-max MaxScore, in windows within which no block ends. */
export function matchAny(scope: Scope, lists: readonly PostingsIterator[]): void {
  const ordered = [...lists]
  for (const { first, end } of scope.ranges) {
    let from = first
    while (from < end) {
      if (scope.deadline.check()) return
      from = matchWindow(scope, ordered, from, end)
    }
  }
}

/** Searches the next window and returns the beginning of the one after it. */
function matchWindow(scope: Scope, lists: PostingsIterator[], from: number, end: number): number {
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
  if (scope.top.admits(best, scope.segment, start)) scoreWindow(scope, lists, start, last)
  return last + 1
}

function scoreWindow(scope: Scope, lists: PostingsIterator[], start: number, last: number): void {
  const { segment, top, tierScore } = scope
  sortByBlockMax(lists)
  // Documents that occur only in lists before `essential` cannot be among the best.
  let essential = 0
  let bound = tierScore
  while (
    essential < lists.length &&
    !top.admits(bound + (lists[essential] as PostingsIterator).blockMax, segment, start)
  ) {
    bound += (lists[essential] as PostingsIterator).blockMax
    essential += 1
  }
  for (let at = essential; at < lists.length; at++) (lists[at] as PostingsIterator).seek(start)
  for (;;) {
    let document = END
    for (let at = essential; at < lists.length; at++) {
      const { document: candidate } = lists[at] as PostingsIterator
      if (candidate < document) document = candidate
    }
    if (document > last) return
    let score = tierScore
    for (let at = essential; at < lists.length; at++) {
      const postings = lists[at] as PostingsIterator
      if (postings.document !== document) continue
      score += postings.score
      postings.next()
    }
    if (scope.deadline.step()) return
    if (segment.isDeleted(document)) continue
    let rest = bound - tierScore
    for (let at = essential - 1; at >= 0 && top.admits(score + rest, segment, document); at--) {
      const postings = lists[at] as PostingsIterator
      rest -= postings.blockMax
      if (postings.seek(document) === document) score += postings.score
    }
    if (top.admits(score, segment, document)) top.offer(score, segment, document)
  }
}

/** Sorts by insertion: the lists are few, and nearly in order from window to window. */
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
