/** The head of a segment: what is read of it when it is opened. */
import { ByteReader, ByteWriter } from './byte-io.ts'
import type { RowStart } from './table.ts'

/** The documents of one type have consecutive numbers, ascending by id. */
export interface TypeRange {
  readonly type: string
  /** The number of its first document. */
  readonly first: number
  /** One more than the number of its last. */
  readonly end: number
}

/** What a reader must know of a segment before it reads any row. */
export interface SegmentHead {
  /** Documents in the segment, deleted ones included. */
  readonly documents: number
  /** Of the number of documents; see `TermEntry.deletionDelta`. */
  readonly deletionDelta: number
  /** Ascending by type. */
  readonly types: readonly TypeRange[]
  /** Rows of the dictionary. */
  readonly terms: readonly RowStart[]
  readonly documentRows: readonly RowStart[]
}

/** Bytes of the type in a document's key: its place in `SegmentHead.types`, so that keys sort by type. */
export const TYPE_BYTES = 2

/** Writes the key of a document into `to`; it is `TYPE_BYTES` longer than the id. `type`: its place in the head. */
export function documentKey(type: number, id: Uint8Array, idLength: number, to: Uint8Array): void {
  to[0] = type >>> 8
  to[1] = type & 0xff
  for (let at = 0; at < idLength; at++) to[TYPE_BYTES + at] = id[at] as number
}

/** The bytes of the id in a document's key, not copied. */
export function idOfKey(key: Uint8Array, length: number): Uint8Array {
  return key.subarray(TYPE_BYTES, length)
}

/** The bytes of a head. */
export function headBytes({ documents, deletionDelta, types, terms, documentRows }: SegmentHead): Uint8Array {
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
  return to.toBytes()
}

/** Reads a head from its bytes. */
export function readHead(bytes: Uint8Array): SegmentHead {
  const from = new ByteReader(bytes)
  const documents = from.varint()
  const deletionDelta = from.signed()
  const types: TypeRange[] = []
  for (let left = from.varint(), first = 0; left > 0; left--) {
    const type = from.text()
    const end = from.varint()
    types.push({ type, first, end })
    first = end
  }
  return { documents, deletionDelta, types, terms: readStarts(from), documentRows: readStarts(from) }
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
    starts.push({ key, ordinal: from.varint() })
  }
  return starts
}
