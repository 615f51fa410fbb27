/** Union of several terms' postings as a list of the documents that contain any term, each with its best impact. */
import { END, type PostingRows } from '../format/postings.ts'
import { readEntryList, type TermEntry } from '../format/term-entry.ts'
import { type Clause, mostHolding } from './clauses.ts'
import type { Deadline } from './deadline.ts'
import { heldTogether } from './held-together.ts'
import { lowerBound, PostingsIterator, type PostingsList } from './postings-iterator.ts'
import { heldPostings } from './reading.ts'
import type { Segment } from './segment.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Maximum number of postings to sort. Larger unions use an array with an element per document. */
const MAX_SORTED = 4096
/** Number of distinct impacts, including 0. A posting is encoded as `document * IMPACTS + impact`. */
const IMPACTS = 256

/**
 * Returns the documents of a segment that match a clause, or undefined if there are none. If `within` is given, documents
 * outside that list may be missing.
 */
export function postingsOf(
  segment: Segment,
  clause: Clause,
  vocabulary: Vocabulary,
  deadline: Deadline,
  within?: PostingsIterator,
): PostingsIterator | undefined {
  const { expansions, weight } = clause
  const found: Found[] = []
  let postings = 0
  for (const { term, and = [], held, boost } of expansions) {
    if (held) {
      const source = heldPostings(segment, held)
      if (source.count > 0) found.push({ source, count: source.count, boost })
      postings += source.count
      continue
    }
    const entries = [term, ...and].flatMap((each) => vocabulary.entry(segment, each) ?? [])
    const [entry] = entries
    if (!entry || entries.length <= and.length || entries.some(({ documents }) => documents === 0)) continue
    if (expansions.length === 1 && boost === 1 && and.length === 0) {
      return PostingsIterator.ofTerm(segment.postings, entry, weight)
    }
    const source = and.length === 0 ? entry : heldTogether(segment, entries, deadline)
    const count = 'count' in source ? source.count : source.documents
    if (count === 0) continue
    found.push({ source, count, boost })
    postings += count
  }
  if (postings === 0) return undefined
  const narrow = within && within.count < postings ? within : undefined
  if (!narrow && postings <= MAX_SORTED) {
    return PostingsIterator.ofList(unionBySorting(segment.postings, found, postings), weight)
  }
  const lists = found.map(({ source, boost }) => ({
    iterator:
      'count' in source
        ? PostingsIterator.ofList(source, 1)
        : PostingsIterator.ofTerm(segment.postings, source, 1),
    boost,
  }))
  const union = narrow
    ? unionWithin(lists, narrow)
    : unionBySpreading(lists, segment.head.documents, deadline)
  return union.count > 0 ? PostingsIterator.ofList(union, weight) : undefined
}

/** An expansion that occurs in the segment. */
interface Found {
  /** Dictionary entry of the term or, for several terms, the list of documents that contain all of them. */
  readonly source: TermEntry | PostingsList
  readonly count: number
  readonly boost: number
}

interface List {
  readonly iterator: PostingsIterator
  readonly boost: number
}

function boosted(impact: number, boost: number): number {
  return boost === 1 ? impact : Math.max(1, Math.round(boost * impact))
}

/** Returns the part of the union that is also in `within`. */
function unionWithin(lists: readonly List[], within: PostingsIterator): PostingsList {
  const all = new Uint32Array(within.count)
  for (let at = 0; within.next() !== END; at++) all[at] = within.document
  within.reset()
  const best = new Uint8Array(all.length)
  for (const { iterator, boost } of lists) {
    let at = 0
    let document = iterator.next()
    while (document !== END && at < all.length) {
      const wanted = all[at] as number
      if (wanted > document) document = iterator.seek(wanted)
      else if (wanted < document) at = lowerBound(all, at, all.length, document)
      else {
        best[at] = Math.max(best[at] as number, boosted(iterator.score, boost))
        at += 1
        document = iterator.next()
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

function unionBySorting(rows: PostingRows, found: readonly Found[], postings: number): PostingsList {
  const pairs = new Float64Array(postings)
  const documents = new Uint32Array(postings)
  const impacts = new Uint8Array(postings)
  let used = 0
  for (const { source, count, boost } of found) {
    if ('count' in source) {
      documents.set(source.documents.subarray(0, count), used)
      impacts.set(source.impacts.subarray(0, count), used)
    } else readEntryList(rows, source, documents, impacts, used)
    for (const end = used + count; used < end; used++) {
      pairs[used] = (documents[used] as number) * IMPACTS + boosted(impacts[used] as number, boost)
    }
  }
  pairs.sort()
  let count = 0
  for (const pair of pairs) {
    const document = Math.floor(pair / IMPACTS)
    // The best impact of a document is the last one.
    if (count > 0 && documents[count - 1] === document) count -= 1
    documents[count] = document
    impacts[count++] = pair % IMPACTS
  }
  return { documents, impacts, count }
}

/** Number of documents that are skipped together if none of them has an impact. */
const TOGETHER = Uint32Array.BYTES_PER_ELEMENT

function unionBySpreading(lists: readonly List[], size: number, deadline: Deadline): PostingsList {
  const spread = new Uint8Array(Math.ceil(size / TOGETHER) * TOGETHER)
  let count = 0
  for (const { iterator, boost } of lists) {
    if (deadline.check()) break
    const impacts = Uint8Array.from({ length: IMPACTS }, (_, impact) => boosted(impact, boost))
    for (let document = iterator.next(); document !== END; document = iterator.next()) {
      const impact = impacts[iterator.score] as number
      const known = spread[document] as number
      if (known === 0) count += 1
      if (impact > known) spread[document] = impact
    }
  }
  return gathered(spread, count)
}

/** Returns the `count` documents with nonzero impacts, in order. */
function gathered(spread: Uint8Array, count: number): PostingsList {
  const documents = new Uint32Array(count)
  const impacts = new Uint8Array(count)
  const groups = new Uint32Array(spread.buffer)
  let at = 0
  for (let group = 0; at < count; group++) {
    if (groups[group] === 0) continue
    for (let document = group * TOGETHER; document < (group + 1) * TOGETHER; document++) {
      const impact = spread[document] as number
      if (impact === 0) continue
      documents[at] = document
      impacts[at++] = impact
    }
  }
  return { documents, impacts, count }
}

/** Returns a list per clause, rarest clause first. Returns undefined if any list is empty, since nothing matches then. */
export function postingsOfAll(
  segment: Segment,
  clauses: readonly Clause[],
  vocabulary: Vocabulary,
  deadline: Deadline,
): PostingsIterator[] | undefined {
  const sizeOf = ({ expansions }: Clause) =>
    expansions.reduce((sum, expansion) => sum + mostHolding(expansion, vocabulary), 0)
  // The rarest clause is first. For the others, only documents in its list are needed.
  const ordered = clauses.map((clause) => ({ clause, size: sizeOf(clause) }))
  ordered.sort((left, right) => left.size - right.size)
  const lists: PostingsIterator[] = []
  for (const { clause } of ordered) {
    const postings = postingsOf(segment, clause, vocabulary, deadline, lists[0])
    if (!postings) return undefined
    lists.push(postings)
  }
  return lists
}
