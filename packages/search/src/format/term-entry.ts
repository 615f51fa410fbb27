/**
 * Dictionary entries. A segment's dictionary contains every term with the position of its postings, and every spelling. A
 * spelling is a surface form that differs from its term, the stem.
 *
 *     payload  := varint(documents * 4 + spelling? 2 + delta? 1) [signed(delta)] [place]
 *     place    := varint(document) impact:u8            one document
 *               | varint(position)                      up to a block of them
 *               | varint(position) varint(skip bytes)   more
 */
import { IndexDamage } from '../port/index-damage.ts'
import type { ByteReader, ByteWriter } from './byte-io.ts'
import { BLOCK, type PostingRows, readList } from './postings.ts'

/** A term's entry in the dictionary of one segment. */
export interface TermEntry {
  /** Number of documents in the list, including deleted documents. */
  readonly documents: number
  /**
   * Correction to `documents` for deletions. The sum of `documents` and `deletionDelta` over all segments is the number of
   * live documents with the term. A deletion counts as -1 in the segment that is written with it, and as +1 in a merged
   * segment if the merge dropped the document but did not include that segment.
   */
  readonly deletionDelta: number
  /** Set for a spelling, which has no posting list. Readers look up the stem of the spelling instead. */
  readonly spelling: boolean
  /** Position of the list (see `ListPlace`). Unused for a single document. */
  readonly position: number
  readonly skipBytes: number
  /** If `documents` is 1, the only document in the list and the impact of the term in it. */
  readonly document: number
  readonly impact: number
}

const SPELLING = 2
const DELTA = 1

/** Writes an entry's payload after its key. */
export function writeEntry(to: ByteWriter, entry: TermEntry): void {
  const { documents, deletionDelta } = entry
  to.varint(documents * 4 + (entry.spelling ? SPELLING : 0) + (deletionDelta !== 0 ? DELTA : 0))
  if (deletionDelta !== 0) to.signed(deletionDelta)
  if (entry.spelling || documents === 0) return
  if (documents === 1) {
    to.varint(entry.document)
    to.byte(entry.impact)
  } else {
    to.varint(entry.position)
    if (documents > BLOCK) to.varint(entry.skipBytes)
  }
}

function readEntry(from: ByteReader): TermEntry {
  const head = from.varint()
  const documents = Math.floor(head / 4)
  const spelling = (head & SPELLING) !== 0
  const deletionDelta = head & DELTA ? from.signed() : 0
  const listed = !spelling && documents > 0
  const single = listed && documents === 1
  const document = single ? from.varint() : 0
  const impact = single ? from.byte() : 0
  const position = listed && !single ? from.varint() : 0
  const skipBytes = listed && documents > BLOCK ? from.varint() : 0
  return { documents, deletionDelta, spelling, position, skipBytes, document, impact }
}

/** Reads all postings of a term into the arrays from index `into`. */
export function readEntryList(
  rows: PostingRows,
  entry: TermEntry,
  documents: Uint32Array,
  impacts: Uint8Array,
  into: number,
): void {
  if (entry.documents === 1) {
    documents[into] = entry.document
    impacts[into] = entry.impact
  } else if (entry.documents > 1) readList(rows, entry, entry.documents, documents, impacts, into)
}

/** Moves the reader past an entry's payload. */
export function skipEntry(from: ByteReader): void {
  const head = from.varint()
  if (head & DELTA) from.varint()
  if (head & SPELLING) return
  const documents = Math.floor(head / 4)
  if (documents === 0) return
  from.varint()
  if (documents === 1) from.at += 1
  else if (documents > BLOCK) from.varint()
}

/** Reads an entry without advancing the reader. `documents` is the segment's document count. @throws IndexDamage */
export function peekEntry(from: ByteReader, documents: number): TermEntry {
  const { at } = from
  const entry = readEntry(from)
  from.at = at
  if (!entry.spelling && (entry.documents > documents || entry.document >= Math.max(1, documents)))
    throw new IndexDamage('A term of the search index has more documents than there are.')
  return entry
}

/** Returns an entry's contribution to the number of live documents, without advancing the reader. */
export function peekCount(from: ByteReader): number {
  const { at } = from
  const head = from.varint()
  const count = Math.floor(head / 4) + (head & DELTA ? from.signed() : 0)
  from.at = at
  return count
}

/** Reports whether an entry is a spelling, without advancing the reader. */
export function peekSpelling(from: ByteReader): boolean {
  return ((from.bytes[from.at] as number) & SPELLING) !== 0
}
