/** Writing a segment: terms with their postings, then documents, then its head. */

import { SegmentFile, type SegmentRows } from '../port/segment-store.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { PostingsWriter } from './postings.ts'
import { type RowStart, TableWriter } from './table.ts'
import { type TermEntry, writeEntry } from './term-entry.ts'

/** Documents of one type have consecutive numbers, ascending by id. */
export interface TypeRange {
  readonly type: string
  /** The number of its first document. */
  readonly first: number
  /** One more than the number of its last. */
  readonly end: number
}

/** What a segment's head says. */
export interface SegmentHead {
  readonly documents: number
  /** See `TermEntry.correction`; of the number of documents. */
  readonly correction: number
  readonly types: readonly TypeRange[]
  readonly terms: readonly RowStart[]
  readonly documentRows: readonly RowStart[]
}

/** Bytes of a document's type in its key, as the type's place in the head: keys then sort by type. */
export const TYPE_BYTES = 2

/** Writes one segment; a segment whose `finish` was not published is swept away. */
export class SegmentWriter {
  readonly segment: number
  readonly #terms: TableWriter
  readonly #documents: TableWriter
  readonly #postings: PostingsWriter
  readonly #types: { type: string; first: number; end: number }[] = []
  #key = new Uint8Array(1024)

  constructor(store: SegmentRows) {
    const segment = store.create()
    this.segment = segment
    this.#terms = new TableWriter((row, bytes) => store.append(segment, SegmentFile.terms, row, bytes))
    this.#documents = new TableWriter((row, bytes) =>
      store.append(segment, SegmentFile.documents, row, bytes),
    )
    this.#postings = new PostingsWriter((row, bytes) =>
      store.append(segment, SegmentFile.postings, row, bytes),
    )
  }

  /** Adds a term with `count` postings from `start`. Terms come ascending. */
  term(
    key: Uint8Array,
    keyLength: number,
    documents: Uint32Array,
    impacts: Uint8Array,
    start: number,
    count: number,
    correction: number,
  ): void {
    const place = count > 1 ? this.#postings.list(documents, impacts, start, count) : NO_PLACE
    const single = count === 1
    const entry: TermEntry = {
      documents: count,
      correction,
      spelling: false,
      position: place.position,
      skipBytes: place.skipBytes,
      document: single ? (documents[start] as number) : 0,
      impact: single ? (impacts[start] as number) : 0,
    }
    writeEntry(this.#terms.add(key, keyLength), entry)
  }

  /** Adds a word as written. */
  spelling(key: Uint8Array, keyLength: number, documents: number, correction: number): void {
    writeEntry(this.#terms.add(key, keyLength), { ...NO_ENTRY, documents, correction })
  }

  /** Adds the next document. Documents come ascending by type, then by the bytes of the id. */
  document(type: string, id: Uint8Array, idLength = id.length): void {
    let last = this.#types.at(-1)
    if (last?.type !== type) {
      last = { type, first: this.#documents.count, end: 0 }
      this.#types.push(last)
    }
    documentKey(this.#types.length - 1, id, idLength, this.#key)
    this.#documents.add(this.#key, idLength + TYPE_BYTES)
    last.end = this.#documents.count
  }

  /** Writes what is left and gives the head. */
  finish(correction: number): Uint8Array {
    this.#terms.end()
    this.#documents.end()
    this.#postings.end()
    const head = new ByteWriter()
    head.varint(this.#documents.count)
    head.signed(correction)
    head.varint(this.#types.length)
    for (const { type, end } of this.#types) {
      head.text(type)
      head.varint(end)
    }
    writeStarts(head, this.#terms.starts)
    writeStarts(head, this.#documents.starts)
    return head.taken()
  }
}

const NO_PLACE = { position: 0, skipBytes: 0 }
const NO_ENTRY = { spelling: true, position: 0, skipBytes: 0, document: 0, impact: 0 }

/** Writes the key of a document into `to`; it is `TYPE_BYTES` longer than the id. */
export function documentKey(type: number, id: Uint8Array, idLength: number, to: Uint8Array): void {
  to[0] = type >>> 8
  to[1] = type & 0xff
  for (let at = 0; at < idLength; at++) to[TYPE_BYTES + at] = id[at] as number
}

/** The bytes of the id in a document's key. */
export function idOfKey(key: Uint8Array, length: number): Uint8Array {
  return key.subarray(TYPE_BYTES, length)
}

function writeStarts(to: ByteWriter, starts: readonly RowStart[]): void {
  to.varint(starts.length)
  for (const { key, ordinal } of starts) {
    to.varint(key.length)
    to.copy(key)
    to.varint(ordinal)
  }
}

/** Reads a segment's head. */
export function readHead(bytes: Uint8Array): SegmentHead {
  const from = new ByteReader(bytes)
  const documents = from.varint()
  const correction = from.signed()
  const types: TypeRange[] = []
  for (let left = from.varint(), first = 0; left > 0; left--) {
    const type = from.text()
    const end = from.varint()
    types.push({ type, first, end })
    first = end
  }
  return { documents, correction, types, terms: readStarts(from), documentRows: readStarts(from) }
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
