/** The head of a segment, which is read when it is opened. */
import { IndexDamage } from '../port/index-damage.ts'
import { ByteReader, ByteWriter, compareBytes } from './byte-io.ts'
import { END } from './postings.ts'
import type { RowStart } from './table.ts'

/** The documents of one type: they have consecutive numbers, ascending by id. */
export interface TypeRange {
  readonly type: string
  /** Number of its first document. */
  readonly first: number
  /** One more than the number of its last. */
  readonly end: number
}

/** Everything that a reader needs to know of a segment before it reads a row. */
export interface SegmentHead {
  /** Documents in the segment, deleted ones included. */
  readonly documents: number
  /** Corrects the number of documents; see `TermEntry.deletionDelta`. */
  readonly deletionDelta: number
  /**
   * Number of documents that were deleted when their words were no longer known: the counts of terms and spellings still
   * include them.
   */
  readonly unreadable: number
  /** Ascending by type. */
  readonly types: readonly TypeRange[]
  /** Starts of the rows of the dictionary. */
  readonly terms: readonly RowStart[]
  readonly documentRows: readonly RowStart[]
  /** Starts of the rows of the column table. */
  readonly columns: readonly RowStart[]
  /**
   * Moment at which the documents were written, in milliseconds since 1970, if it was not known when they were indexed: it
   * replaces every instant that is stored as infinity. Undefined if there is none, or it is still unknown.
   */
  readonly moment?: number | undefined
}

/** Bytes of the type in a document's key: its index in `SegmentHead.types`, so that keys sort by type. */
export const TYPE_BYTES = 2

/** Writes the key of a document into `to`; it is `TYPE_BYTES` longer than the id. `type`: its index in the head. */
export function documentKey(type: number, id: Uint8Array, idLength: number, to: Uint8Array): void {
  to[0] = type >>> 8
  to[1] = type & 0xff
  for (let at = 0; at < idLength; at++) to[TYPE_BYTES + at] = id[at] as number
}

/** Returns the bytes of the id in a document's key, without copying them. */
export function idOfKey(key: Uint8Array, length: number): Uint8Array {
  return key.subarray(TYPE_BYTES, length)
}

/** Returns the head of a segment that also deletes this many documents whose words it does not subtract. */
export function withoutWords(head: SegmentHead, documents: number): SegmentHead {
  return {
    ...head,
    deletionDelta: head.deletionDelta - documents,
    unreadable: head.unreadable + documents,
  }
}

/** Encodes a head as bytes. */
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

/** Reads a head from its bytes. @throws IndexDamage if its content is impossible */
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

/** Reports whether a row may follow another one. A term and a spelling may have the same key. */
function follows(before: RowStart | undefined, { key, ordinal }: RowStart): boolean {
  if (before === undefined) return ordinal === 0
  return ordinal > before.ordinal && compareBytes(key, key.length, before.key, before.key.length) >= 0
}

function impossible(): IndexDamage {
  return new IndexDamage('The head of a segment of the search index is not what was written.')
}
