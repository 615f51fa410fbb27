/** A segment open for reading. Everything except its head is read on demand, in rows. */
import { compareBytes, hasBit } from '../format/byte-io.ts'
import type { PostingRows } from '../format/postings.ts'
import {
  documentKey,
  idOfKey,
  readHead,
  type SegmentHead,
  TYPE_BYTES,
  type TypeRange,
} from '../format/segment-head.ts'
import { MAX_KEY_BYTES, TableIterator } from '../format/table.ts'
import { peekEntry, skipEntry, type TermEntry } from '../format/term-entry.ts'
import type { DocumentKey } from '../port/document.ts'
import { IndexDamage } from '../port/index-damage.ts'
import { SegmentFile, TOMBSTONE_ROW } from '../port/segment-store.ts'
import { Columns } from './columns.ts'
import type { RowCache } from './row-cache.ts'

const TOMBSTONE_BYTES = TOMBSTONE_ROW / 8
const NO_PAYLOAD = (): void => {}

/** Number of set bits in each byte value. */
export const BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

/** Dictionary entries of a word as a term and as a spelling. An entry that does not exist is undefined. */
export interface WordEntries {
  readonly term: TermEntry | undefined
  readonly spelling: TermEntry | undefined
}

/** The dictionary, documents, postings and tombstones of one segment. */
export class Segment {
  /** Id in the store. */
  readonly id: number
  readonly head: SegmentHead
  /** Columns with the values of the segment's documents. */
  readonly columns: Columns
  /** Rows from which postings are read. */
  readonly postings: PostingRows
  /** Bitmap of deleted documents, or undefined if no document is deleted. */
  deleted: Uint8Array | undefined
  deletedCount = 0
  readonly #cache: RowCache
  readonly #terms: TableIterator
  readonly #documents: TableIterator
  readonly #key = new Uint8Array(MAX_KEY_BYTES)

  constructor(id: number, head: Uint8Array | SegmentHead, cache: RowCache) {
    this.id = id
    this.head = head instanceof Uint8Array ? readHead(head) : head
    this.#cache = cache
    this.postings = {
      documents: this.head.documents,
      row: (row) => cache.row(id, SegmentFile.postings, row),
    }
    this.#terms = this.termIterator()
    this.#documents = this.documentIterator()
    this.columns = new Columns(this.head, cache, id)
  }

  /** Returns a segment with the same contents, but with `deleted` as the bitmap of deleted documents. */
  without(deleted: Uint8Array): Segment {
    const narrowed = new Segment(this.id, this.head, this.#cache)
    narrowed.#delete(deleted)
    return narrowed
  }

  /** Returns an iterator over the dictionary. */
  termIterator(): TableIterator {
    const read = (row: number) => this.#cache.row(this.id, SegmentFile.terms, row)
    return new TableIterator(this.head.terms, read, skipEntry)
  }

  /** Returns an iterator over the documents in ascending order of number, including deleted documents. */
  documentIterator(): TableIterator {
    const read = (row: number) => this.#cache.row(this.id, SegmentFile.documents, row)
    return new TableIterator(this.head.documentRows, read, NO_PAYLOAD)
  }

  /** Returns the dictionary entries of a word. Missing entries are undefined. */
  entries(key: Uint8Array): WordEntries {
    const terms = this.#terms
    let term: TermEntry | undefined
    let spelling: TermEntry | undefined
    for (let found = terms.seek(key); found; found = terms.next()) {
      if (compareBytes(terms.key, terms.keyLength, key, key.length) !== 0) break
      const entry = peekEntry(terms.payload, this.head.documents)
      if (entry.spelling) spelling = entry
      else term = entry
    }
    return { term, spelling }
  }

  /** Returns the number of the document with this key, even if it is deleted, or -1 if the segment does not contain it. */
  find({ type, id }: DocumentKey): number {
    const ordinal = this.head.types.findIndex((range) => range.type === type)
    if (ordinal < 0) return -1
    const key = this.#keyOf(ordinal, id)
    const documents = this.#documents
    if (!documents.seek(key) || documents.keyLength !== key.length) return -1
    return Buffer.compare(documents.key.subarray(0, key.length), key) === 0 ? documents.ordinal : -1
  }

  /** Returns how many documents sort before a key, which need not be in the segment. */
  before({ type, id }: DocumentKey): number {
    const { types } = this.head
    const ordinal = types.findIndex((range) => range.type >= type)
    if (ordinal < 0) return this.head.documents
    const range = types[ordinal] as TypeRange
    return range.type === type ? this.beforeId(ordinal, Buffer.from(id)) : range.first
  }

  /** Returns how many documents sort before a key, given as the index of its type in the head and the bytes of its id. */
  beforeId(type: number, id: Uint8Array): number {
    const length = Math.min(id.length, MAX_KEY_BYTES - TYPE_BYTES)
    documentKey(type, id, length, this.#key)
    const found = this.#documents.seek(this.#key.subarray(0, length + TYPE_BYTES))
    return found ? this.#documents.ordinal : this.head.documents
  }

  /** Returns the bytes of a document's id. */
  idBytes(document: number): Uint8Array {
    this.#documents.seekOrdinal(document)
    return idOfKey(this.#documents.key, this.#documents.keyLength).slice()
  }

  /** Returns the key of a document, given its number. */
  key(document: number): DocumentKey {
    this.#documents.seekOrdinal(document)
    return { type: this.typeOf(document), id: this.#documents.text(TYPE_BYTES) }
  }

  /** Returns the type of a document. @throws IndexDamage if the segment has no such document */
  typeOf(document: number): string {
    const found = this.head.types.find((range) => document < range.end)
    if (found) return found.type
    const { documents } = this.head
    throw new IndexDamage(
      `The search index is damaged: segment ${this.id} of ${documents} has no document ${document}.`,
    )
  }

  /** Reports whether a document has been replaced or deleted since the segment was written. */
  isDeleted(document: number): boolean {
    return this.deleted !== undefined && hasBit(this.deleted, document)
  }

  /** Marks a document as deleted, in memory only. */
  markDeleted(document: number): void {
    if (this.isDeleted(document)) return
    this.deleted ??= this.#noTombstones()
    this.deleted[document >>> 3] = (this.deleted[document >>> 3] as number) | (1 << (document & 7))
    this.deletedCount += 1
  }

  /** Returns one row of tombstones in the store's format. */
  tombstones(row: number): Uint8Array {
    return (this.deleted ?? this.#noTombstones()).slice(row * TOMBSTONE_BYTES, (row + 1) * TOMBSTONE_BYTES)
  }

  /** Replaces the tombstones with rows read from the store. */
  readTombstones(rows: Iterable<readonly [row: number, bits: Uint8Array]>): void {
    this.deleted = undefined
    this.deletedCount = 0
    for (const [row, bits] of rows) {
      this.deleted ??= this.#noTombstones()
      if (row * TOMBSTONE_BYTES + bits.length > this.deleted.length)
        throw new IndexDamage(`The search index is damaged: segment ${this.id} has no documents to delete.`)
      this.deleted.set(bits, row * TOMBSTONE_BYTES)
      for (const byte of bits) this.deletedCount += BITS[byte] as number
    }
  }

  #delete(deleted: Uint8Array): void {
    this.deleted = deleted
    for (const byte of deleted) this.deletedCount += BITS[byte] as number
  }

  #noTombstones(): Uint8Array {
    return new Uint8Array(Math.ceil(this.head.documents / TOMBSTONE_ROW) * TOMBSTONE_BYTES)
  }

  /** Returns the bytes of a document's key, valid until the next call. `type` is its index in the head. */
  #keyOf(type: number, id: string): Uint8Array {
    const bytes = Buffer.from(id)
    documentKey(type, bytes, bytes.length, this.#key)
    return this.#key.subarray(0, bytes.length + TYPE_BYTES)
  }
}
