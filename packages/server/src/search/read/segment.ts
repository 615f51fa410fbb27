/** Reading a segment: its dictionary, its documents, its tombstones. Everything but the head is read in rows, when needed. */

import type { PostingRows } from '../format/postings.ts'
import {
  documentKey,
  readHead,
  type SegmentHead,
  TYPE_BYTES,
  type TypeRange,
} from '../format/segment-writer.ts'
import { TableCursor } from '../format/table.ts'
import { peekEntry, skipEntry, type TermEntry } from '../format/term-entry.ts'
import type { DocumentKey } from '../port/document.ts'
import { SegmentFile, TOMBSTONE_ROW } from '../port/segment-store.ts'
import type { Pages } from './row-cache.ts'

const NO_PAYLOAD = (): void => {}

/** A published segment, open for reading. */
export class Segment {
  readonly id: number
  readonly head: SegmentHead
  readonly postings: PostingRows
  /** One bit for each dead document; undefined where all live. */
  dead: Uint8Array | undefined
  deadCount = 0
  readonly #pages: Pages
  readonly #terms: TableCursor
  readonly #documents: TableCursor
  readonly #key = new Uint8Array(1024)

  constructor(id: number, head: Uint8Array, pages: Pages) {
    this.id = id
    this.head = readHead(head)
    this.#pages = pages
    this.postings = (row) => pages.row(id, SegmentFile.postings, row)
    this.#terms = this.termCursor()
    this.#documents = this.documentCursor()
  }

  /** A walk through the dictionary. */
  termCursor(): TableCursor {
    return new TableCursor(
      this.head.terms,
      (row) => this.#pages.row(this.id, SegmentFile.terms, row),
      skipEntry,
    )
  }

  /** A walk through the documents in order. */
  documentCursor(): TableCursor {
    return new TableCursor(
      this.head.documentRows,
      (row) => this.#pages.row(this.id, SegmentFile.documents, row),
      NO_PAYLOAD,
    )
  }

  /** What the dictionary says of a term, or of a word as written. */
  entry(key: Uint8Array, spelling = false): TermEntry | undefined {
    const terms = this.#terms
    if (!terms.seek(key)) return undefined
    // A term and a word as written may be spelt the same; the term comes first.
    do {
      if (terms.keyLength !== key.length || Buffer.compare(key, terms.key.subarray(0, key.length)) !== 0) {
        return undefined
      }
      const entry = peekEntry(terms.payload)
      if (entry.spelling === spelling) return entry
    } while (terms.next())
    return undefined
  }

  /** The number of a document, dead or alive; -1 where the segment does not hold it. */
  find({ type, id }: DocumentKey): number {
    const ordinal = this.head.types.findIndex((range) => range.type === type)
    if (ordinal < 0) return -1
    const bytes = Buffer.from(id)
    documentKey(ordinal, bytes, bytes.length, this.#key)
    const key = this.#key.subarray(0, bytes.length + 2)
    const documents = this.#documents
    if (!documents.seek(key) || documents.keyLength !== key.length) return -1
    return Buffer.compare(documents.key.subarray(0, key.length), key) === 0 ? documents.ordinal : -1
  }

  /** How many documents come before a key in the order of ties, whether or not the segment holds it. */
  before({ type, id }: DocumentKey): number {
    const { types } = this.head
    const ordinal = types.findIndex((range) => range.type >= type)
    if (ordinal < 0) return this.head.documents
    const range = types[ordinal] as TypeRange
    if (range.type !== type) return range.first
    const bytes = Buffer.from(id)
    documentKey(ordinal, bytes, bytes.length, this.#key)
    return this.#documents.seek(this.#key.subarray(0, bytes.length + 2))
      ? this.#documents.ordinal
      : this.head.documents
  }

  /** The key of a document. */
  key(document: number): DocumentKey {
    const documents = this.#documents
    documents.seekOrdinal(document)
    const type = this.typeOf(document)
    return { type, id: documents.text(TYPE_BYTES) }
  }

  /** The type of a document. @throws Error where the segment has no such document, which only a damaged index asks for */
  typeOf(document: number): string {
    const found = this.head.types.find((range) => document < range.end)
    if (found) return found.type
    const { documents } = this.head
    throw new Error(
      `The search index is damaged: segment ${this.id} of ${documents} has no document ${document}.`,
    )
  }

  /** Whether a document has been updated or deleted since. */
  isDead(document: number): boolean {
    return this.dead !== undefined && ((this.dead[document >>> 3] as number) & (1 << (document & 7))) !== 0
  }

  /** Takes over the tombstones as the store has them now. */
  readTombstones(rows: Iterable<readonly [row: number, bits: Uint8Array]>): void {
    this.dead = undefined
    this.deadCount = 0
    for (const [row, bits] of rows) {
      this.dead ??= new Uint8Array(Math.ceil(this.head.documents / TOMBSTONE_ROW) * (TOMBSTONE_ROW / 8))
      this.dead.set(bits, (row * TOMBSTONE_ROW) / 8)
      for (const byte of bits) this.deadCount += BITS[byte] as number
    }
  }
}

/** How many bits of a byte are set. */
export const BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)
