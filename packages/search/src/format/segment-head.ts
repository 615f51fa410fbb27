/** Head of a segment, read when the segment is opened. */
import { IndexDamage } from '../port/index-damage.ts'
import { ByteReader, ByteWriter, compareBytes } from './byte-io.ts'
import { END } from './postings.ts'
import type { RowStart } from './table.ts'

/** Documents of one type, which have consecutive numbers in ascending order of their ids. */
export interface TypeRange {
  readonly type: string
  /** Number of the first document. */
  readonly first: number
  /** Number of the last document plus 1. */
  readonly end: number
}

/** Data that a reader needs about a segment before it reads a row. */
export interface SegmentHead {
  /** Number of documents in the segment, including deleted ones. */
  readonly documents: number
  /** Correction to the number of documents; see `TermEntry.deletionDelta`. */
  readonly deletionDelta: number
  /**
   * Number of documents that were deleted without subtracting their words, which were unknown. The counts of terms and
   * spellings still include these documents.
   */
  readonly unreadable: number
  /** Ranges of the types, in ascending order of type. */
  readonly types: readonly TypeRange[]
  /** Row starts of the dictionary. */
  readonly terms: readonly RowStart[]
  readonly documentRows: readonly RowStart[]
  /** Row starts of the column table. */
  readonly columns: readonly RowStart[]
  /**
   * Time at which the documents were written, in milliseconds since 1970, if it was not known during indexing. Replaces
   * every instant stored as infinity. Undefined if there is no such instant, or if the time is still unknown.
   */
  readonly moment?: number | undefined
}

/** Length of the type in a document's key, in bytes. The type is stored as its index in `SegmentHead.types`. */
export const TYPE_BYTES = 2

/** Writes a document's key, made of the type's index in the head (`TYPE_BYTES` bytes) and the id, into `to`. */
export function documentKey(type: number, id: Uint8Array, idLength: number, to: Uint8Array): void {
  to[0] = type >>> 8
  to[1] = type & 0xff
  for (let at = 0; at < idLength; at++) to[TYPE_BYTES + at] = id[at] as number
}

/** Returns the id bytes in a document's key without copying them. */
export function idOfKey(key: Uint8Array, length: number): Uint8Array {
  return key.subarray(TYPE_BYTES, length)
}

/** Returns a copy of `head` that counts `documents` further deletions for which no words were subtracted. */
export function withoutWords(head: SegmentHead, documents: number): SegmentHead {
  return {
    ...head,
    deletionDelta: head.deletionDelta - documents,
    unreadable: head.unreadable + documents,
  }
}

/** Encodes a segment head as bytes. */
export function headBytes(head: SegmentHead): Uint8Array {
  const { documents, deletionDelta, types, terms, documentRows, columns, moment, unreadable } = head
  const to = new ByteWriter()
  to.varint(documents)
  to.signed(deletionDelta)
  to.varint(types.length)
  for (const { type, end } of types) {
    to.text(type)
    to.varint(end)
  }
  writeStarts(to, terms)
  writeStarts(to, documentRows)
  writeStarts(to, columns)
  to.byte(moment === undefined ? 0 : 1)
  if (moment !== undefined) to.signed(moment)
  if (unreadable > 0) to.varint(unreadable)
  return to.toBytes()
}

/** Decodes a head. @throws IndexDamage if its content is impossible */
export function readHead(bytes: Uint8Array): SegmentHead {
  const from = new ByteReader(bytes)
  const documents = from.varint()
  const deletionDelta = from.signed()
  const types: TypeRange[] = []
  for (let left = from.varint(), first = 0; left > 0; left--) {
    const type = from.text()
    const end = from.varint()
    if (end <= first) throw impossible()
    types.push({ type, first, end })
    first = end
  }
  if (documents !== (types.at(-1)?.end ?? 0) || documents >= END) throw impossible()
  const terms = readStarts(from)
  const documentRows = readStarts(from)
  const columns = readStarts(from)
  const moment = from.byte() === 0 ? undefined : from.signed()
  const unreadable = from.at < bytes.length ? from.varint() : 0
  if ((documentRows.at(-1)?.ordinal ?? -1) >= documents || from.at !== bytes.length) throw impossible()
  if (documents > 0 && documentRows.length === 0) throw impossible()
  return { documents, deletionDelta, unreadable, types, terms, documentRows, columns, moment }
}

function writeStarts(to: ByteWriter, starts: readonly RowStart[]): void {
  to.varint(starts.length)
  for (const { key, ordinal } of starts) {
    to.varint(key.length)
    to.copy(key)
    to.varint(ordinal)
  }
}

function readStarts(from: ByteReader): RowStart[] {
  const starts: RowStart[] = []
  for (let left = from.varint(); left > 0; left--) {
    const length = from.varint()
    const key = from.bytes.slice(from.at, from.at + length)
    from.at += length
    const start = { key, ordinal: from.varint() }
    if (!follows(starts.at(-1), start)) throw impossible()
    starts.push(start)
  }
  return starts
}

/** Reports whether a row is valid after `before`. Equal keys are allowed, since a term and a spelling can share a key. */
function follows(before: RowStart | undefined, { key, ordinal }: RowStart): boolean {
  if (before === undefined) return ordinal === 0
  return ordinal > before.ordinal && compareBytes(key, key.length, before.key, before.key.length) >= 0
}

function impossible(): IndexDamage {
  return new IndexDamage('The head of a segment of the search index is not what was written.')
}
