/** Finding the best documents of one segment. */

import { END } from '../format/postings.ts'
import type { TypeRange } from '../format/segment-head.ts'
import type { Budget } from './deadline.ts'
import type { Cursor } from './postings-iterator.ts'
import type { Segment } from './segment.ts'
import type { Top } from './top-k.ts'

/** Where to look, and what for. */
export interface Task {
  readonly segment: Segment
  /** The types asked for. */
  readonly ranges: readonly TypeRange[]
  readonly top: Top
  /** Added to every score: what keeps better kinds of matches above. */
  readonly tier: number
  readonly budget: Budget
}

/**
 * Offers the documents that every cursor holds. `count` is told the type of each one, until it says that it knows
 * enough; from then on documents that cannot be among the best are not looked at.
 */
export function matchAll(
  task: Task,
  cursors: readonly Cursor[],
  count: ((type: string) => boolean) | undefined,
): void {
  const { segment, top, tier, budget } = task
  const ordered = [...cursors].sort((left, right) => left.count - right.count)
  const [lead] = ordered
  if (!lead) return
  let counting = count
  for (const { type, first, end } of task.ranges) {
    let document = lead.seek(first)
    while (document < end) {
      if (budget.step()) return
      if (!counting) {
        const skipped = skipHopeless(task, ordered, document)
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
        let score = tier
        for (const cursor of ordered) score += cursor.score
        if (top.admits(score, segment, document) && !top.has(segment, document)) {
          top.offer(score, segment, document)
        }
      }
      document = lead.next()
    }
  }
}

/** Offers the documents of one cursor, looking only at blocks that may hold some of the best. */
export function matchOne({ segment, ranges, top, tier, budget }: Task, cursor: Cursor): void {
  const whole = ranges.length === segment.head.types.length
  for (const block of cursor.strongestBlocks()) {
    const { best, first } = cursor.boundsOf(block)
    if (budget.check() || !top.admits(tier + best, segment, 0)) break
    if (!top.admits(tier + best, segment, first)) continue
    cursor.visit(block, (document, score) => {
      if (!top.admits(tier + score, segment, document) || segment.isDeleted(document)) return
      if (!whole && !ranges.some((range) => document >= range.first && document < range.end)) return
      if (!top.has(segment, document)) top.offer(tier + score, segment, document)
    })
  }
  cursor.rewind()
}

/** Moves all cursors to `document`, or gives the first document that one of them has instead. */
function align(cursors: readonly Cursor[], document: number): number {
  for (let at = 1; at < cursors.length; at++) {
    const met = (cursors[at] as Cursor).seek(document)
    if (met !== document) return met
  }
  return document
}

/** The first document from `document` on whose blocks hold enough between them. */
function skipHopeless({ segment, top, tier }: Task, cursors: readonly Cursor[], document: number): number {
  let best = tier
  let last = END
  for (const cursor of cursors) {
    cursor.glance(document)
    best += cursor.blockMax
    if (cursor.blockLast < last) last = cursor.blockLast
  }
  if (top.admits(best, segment, document)) return document
  return last === END ? END : last + 1
}

/** Offers the documents that any of the cursors holds: MaxScore within windows that no block ends in. */
export function matchSome(task: Task, cursors: readonly Cursor[]): void {
  const ordered = [...cursors]
  for (const { first, end } of task.ranges) {
    let from = first
    while (from < end) {
      if (task.budget.check()) return
      from = window(task, ordered, from, end)
    }
  }
}

/** Looks through one window and gives where the next one begins. */
function window(task: Task, cursors: Cursor[], from: number, end: number): number {
  const { segment, top, tier } = task
  let start = END
  for (const cursor of cursors) start = Math.min(start, Math.max(from, cursor.document))
  if (start >= end) return end
  let best = tier
  let last = end - 1
  for (const cursor of cursors) {
    cursor.glance(start)
    best += cursor.blockMax
    if (cursor.blockLast < last) last = cursor.blockLast
  }
  if (top.admits(best, segment, start)) search(task, cursors, start, last)
  return last + 1
}

function search(task: Task, cursors: Cursor[], start: number, last: number): void {
  const { segment, top, tier } = task
  sortByBlockMax(cursors)
  // Documents that only the first cursors hold, up to `optional`, cannot be among the best.
  let optional = 0
  let bound = tier
  while (
    optional < cursors.length &&
    !top.admits(bound + (cursors[optional] as Cursor).blockMax, segment, start)
  ) {
    bound += (cursors[optional] as Cursor).blockMax
    optional += 1
  }
  for (let at = optional; at < cursors.length; at++) (cursors[at] as Cursor).seek(start)
  for (;;) {
    let document = END
    for (let at = optional; at < cursors.length; at++) {
      const { document: candidate } = cursors[at] as Cursor
      if (candidate < document) document = candidate
    }
    if (document > last) return
    let score = tier
    for (let at = optional; at < cursors.length; at++) {
      const cursor = cursors[at] as Cursor
      if (cursor.document !== document) continue
      score += cursor.score
      cursor.next()
    }
    if (task.budget.step()) return
    if (segment.isDeleted(document)) continue
    let rest = bound - tier
    for (let at = optional - 1; at >= 0 && top.admits(score + rest, segment, document); at--) {
      const cursor = cursors[at] as Cursor
      rest -= cursor.blockMax
      if (cursor.seek(document) === document) score += cursor.score
    }
    if (top.admits(score, segment, document) && !top.has(segment, document))
      top.offer(score, segment, document)
  }
}

/** Few and nearly in order from window to window: insertion sort. */
function sortByBlockMax(cursors: Cursor[]): void {
  for (let at = 1; at < cursors.length; at++) {
    const cursor = cursors[at] as Cursor
    const { blockMax } = cursor
    let to = at
    while (to > 0 && (cursors[to - 1] as Cursor).blockMax > blockMax) {
      cursors[to] = cursors[to - 1] as Cursor
      to -= 1
    }
    cursors[to] = cursor
  }
}
