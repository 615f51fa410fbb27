/**
 * The dictionary: every term of a segment with where its postings are, and every word as written that has another stem.
 *
 *     payload  := varint(documents * 4 + spelling? 2 + correction? 1) [signed(correction)] [place]
 *     place    := varint(document) impact:u8            one document
 *               | varint(position)                      up to a block of them
 *               | varint(position) varint(skip bytes)   more
 *
 * A correction makes up for documents that died in older segments: over all segments, documents plus corrections is the
 * number of living documents that hold the term, whatever has been merged.
 */
import type { ByteReader, ByteWriter } from './bytes.ts'
import { BLOCK, type PostingRows, readList } from './postings.ts'

/** What the dictionary of one segment says of a term. */
export interface TermEntry {
  /** Documents in the list, the dead among them included. */
  readonly documents: number
  readonly correction: number
  /** A word as written: it has no list, look up its stem. */
  readonly spelling: boolean
  /** Of the list (see `ListPlace`); unused for a single document. */
  readonly position: number
  readonly skipBytes: number
  /** The only document and its impact, where `documents` is 1. */
  readonly document: number
  readonly impact: number
}

const SPELLING = 2
const CORRECTION = 1

/** Writes an entry's payload. */
export function writeEntry(to: ByteWriter, entry: TermEntry): void {
  to.varint(entry.documents * 4 + (entry.spelling ? SPELLING : 0) + (entry.correction !== 0 ? CORRECTION : 0))
  if (entry.correction !== 0) to.signed(entry.correction)
  if (entry.spelling || entry.documents === 0) return
  if (entry.documents === 1) {
    to.varint(entry.document)
    to.byte(entry.impact)
  } else {
    to.varint(entry.position)
    if (entry.documents > BLOCK) to.varint(entry.skipBytes)
  }
}

/** Reads an entry's payload. */
export function readEntry(from: ByteReader): TermEntry {
  const head = from.varint()
  const documents = Math.floor(head / 4)
  const spelling = (head & SPELLING) !== 0
  const correction = head & CORRECTION ? from.signed() : 0
  const listed = !spelling && documents > 0
  const single = listed && documents === 1
  const document = single ? from.varint() : 0
  const impact = single ? from.byte() : 0
  const position = listed && !single ? from.varint() : 0
  const skipBytes = listed && documents > BLOCK ? from.varint() : 0
  return { documents, correction, spelling, position, skipBytes, document, impact }
}

/** Reads all postings of a term into the arrays from `into`. */
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

/** Passes over an entry's payload. */
export function skipEntry(from: ByteReader): void {
  const head = from.varint()
  if (head & CORRECTION) from.varint()
  if (head & SPELLING) return
  const documents = Math.floor(head / 4)
  if (documents === 0) return
  from.varint()
  if (documents === 1) from.at += 1
  else if (documents > BLOCK) from.varint()
}

/** An entry; the reader stays where it is. */
export function peekEntry(from: ByteReader): TermEntry {
  const { at } = from
  const entry = readEntry(from)
  from.at = at
  return entry
}

/** How many living documents an entry accounts for, without reading on: the reader stays where it is. */
export function peekCount(from: ByteReader): number {
  const { at } = from
  const head = from.varint()
  const count = Math.floor(head / 4) + (head & CORRECTION ? from.signed() : 0)
  from.at = at
  return count
}

/** Whether an entry is a word as written; the reader stays where it is. */
export function peekSpelling(from: ByteReader): boolean {
  return ((from.bytes[from.at] as number) & SPELLING) !== 0
}
