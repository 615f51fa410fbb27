/** One list out of many: the documents that hold any of several terms, each with its best impact. */

import type { PostingRows } from '../format/postings.ts'
import { END } from '../format/postings.ts'
import { readEntryList, type TermEntry } from '../format/term-entry.ts'
import type { Clause } from './clauses.ts'
import type { Budget } from './deadline.ts'
import { Cursor, type Gathered, lowerBound } from './postings-iterator.ts'
import type { Segment } from './segment.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Up to this many postings are sorted; more are spread over an array as long as the segment. */
const SORTED = 4096
const IMPACTS = 256

/**
 * A cursor over the documents of a segment that hold a clause; undefined where there are none. Where another cursor is
 * given, documents that it does not hold may be missing.
 */
export function cursorOf(
  segment: Segment,
  clause: Clause,
  vocabulary: Vocabulary,
  budget: Budget,
  within?: Cursor,
): Cursor | undefined {
  const held: Held[] = []
  let postings = 0
  const [first, second] = clause.readings
  for (const { term, share } of clause.readings) {
    const entry = vocabulary.entry(segment, term)
    if (!entry || entry.documents === 0) continue
    if (first && !second && share === 1) return Cursor.ofTerm(segment.postings, entry, clause.weight)
    held.push({ entry, share })
    postings += entry.documents
  }
  if (postings === 0) return undefined
  const narrow = within && within.count < postings ? within : undefined
  if (!narrow && postings <= SORTED) {
    return Cursor.ofGathered(gatheredBySorting(segment.postings, held, postings), clause.weight)
  }
  const lists = held.map(({ entry, share }) => ({ walk: Cursor.ofTerm(segment.postings, entry, 1), share }))
  const gathered = narrow
    ? gatheredWithin(lists, narrow)
    : gatheredBySpreading(lists, segment.head.documents, budget)
  return gathered.count > 0 ? Cursor.ofGathered(gathered, clause.weight) : undefined
}

/** A term that a segment holds. */
interface Held {
  readonly entry: TermEntry
  readonly share: number
}

interface List {
  readonly walk: Cursor
  /** What part of its impacts counts. */
  readonly share: number
}

/** The impact that counts of the document a list stands at. */
function impactAt({ walk, share }: List): number {
  return shareOf(walk.score, share)
}

function shareOf(impact: number, share: number): number {
  return share === 1 ? impact : Math.max(1, Math.round(share * impact))
}

/** Of the documents of `within` only. */
function gatheredWithin(lists: readonly List[], within: Cursor): Gathered {
  const all = new Uint32Array(within.count)
  for (let at = 0; within.next() !== END; at++) all[at] = within.document
  within.rewind()
  const best = new Uint8Array(all.length)
  for (const list of lists) {
    const { walk } = list
    let at = 0
    let document = walk.next()
    while (document !== END && at < all.length) {
      const wanted = all[at] as number
      if (wanted > document) document = walk.seek(wanted)
      else if (wanted < document) at = lowerBound(all, at, all.length, document)
      else {
        best[at] = Math.max(best[at] as number, impactAt(list))
        at += 1
        document = walk.next()
      }
    }
  }
  let count = 0
  for (let at = 0; at < all.length; at++) {
    if (best[at] === 0) continue
    all[count] = all[at] as number
    best[count++] = best[at] as number
  }
  return { documents: all, impacts: best, count }
}

function gatheredBySorting(rows: PostingRows, held: readonly Held[], postings: number): Gathered {
  const pairs = new Float64Array(postings)
  const documents = new Uint32Array(postings)
  const impacts = new Uint8Array(postings)
  let used = 0
  for (const { entry, share } of held) {
    readEntryList(rows, entry, documents, impacts, used)
    for (const end = used + entry.documents; used < end; used++) {
      pairs[used] = (documents[used] as number) * IMPACTS + shareOf(impacts[used] as number, share)
    }
  }
  pairs.sort()
  let count = 0
  for (const pair of pairs) {
    const document = Math.floor(pair / IMPACTS)
    // Of one document the best impact comes last.
    if (count > 0 && documents[count - 1] === document) count -= 1
    documents[count] = document
    impacts[count++] = pair % IMPACTS
  }
  return { documents, impacts, count }
}

function gatheredBySpreading(lists: readonly List[], size: number, budget: Budget): Gathered {
  const spread = new Uint8Array(size)
  let count = 0
  for (const list of lists) {
    if (budget.check()) break
    const { walk } = list
    for (let document = walk.next(); document !== END; document = walk.next()) {
      const impact = impactAt(list)
      const known = spread[document] as number
      if (known === 0) count += 1
      if (impact > known) spread[document] = impact
    }
  }
  const documents = new Uint32Array(count)
  const impacts = new Uint8Array(count)
  let at = 0
  for (let document = 0; at < count; document++) {
    const impact = spread[document] as number
    if (impact === 0) continue
    documents[at] = document
    impacts[at++] = impact
  }
  return { documents, impacts, count }
}
