/** Writes a segment: terms with their postings, then documents, and finally the head. */
import { ColumnWriter } from '../columns/column-writer.ts'
import { PostingsWriter } from '../format/postings.ts'
import { documentKey, headBytes, TYPE_BYTES, type TypeRange } from '../format/segment-head.ts'
import { MAX_KEY_BYTES, TableWriter } from '../format/table.ts'
import { writeEntry } from '../format/term-entry.ts'
import { SegmentFile, type SegmentRows } from '../port/segment-store.ts'

/** A segment that is completely written but not yet published. */
export interface WrittenSegment {
  readonly segment: number
  /** Head of the segment, to be passed to `publish`. */
  readonly head: Uint8Array
}

/** Writes one segment. The store removes the rows of a segment that is never published. */
export class SegmentWriter {
  /** Id of the segment in the store. */
  readonly segment: number
  readonly #terms: TableWriter
  readonly #documents: TableWriter
  readonly #postings: PostingsWriter
  /** Writer of the columns. Use it only after all documents have been added. */
  readonly columns: ColumnWriter
  readonly #types: { -readonly [Key in keyof TypeRange]: TypeRange[Key] }[] = []
  readonly #key = new Uint8Array(MAX_KEY_BYTES)

  constructor(store: SegmentRows) {
    const segment = store.create()
    const rowsOf = (file: SegmentFile) => (row: number, bytes: Uint8Array) =>
      store.append(segment, file, row, bytes)
    this.segment = segment
    this.#terms = new TableWriter(rowsOf(SegmentFile.terms))
    this.#documents = new TableWriter(rowsOf(SegmentFile.documents))
    this.#postings = new PostingsWriter(rowsOf(SegmentFile.postings))
    this.columns = new ColumnWriter(rowsOf)
  }

  /** Adds a term with `count` postings from index `start`. Terms must be in order. See `TermEntry` for `deletionDelta`. */
  term(
    key: Uint8Array,
    keyLength: number,
    documents: Uint32Array,
    impacts: Uint8Array,
    start: number,
    count: number,
    deletionDelta: number,
  ): void {
    const place = count > 1 ? this.#postings.list(documents, impacts, start, count) : NO_PLACE
    const single = count === 1
    writeEntry(this.#terms.add(key, keyLength), {
      documents: count,
      deletionDelta,
      spelling: false,
      position: place.position,
      skipBytes: place.skipBytes,
      document: single ? (documents[start] as number) : 0,
      impact: single ? (impacts[start] as number) : 0,
    })
  }

  /** Adds a spelling (see `TermEntry`) in the same ascending order as the terms, after any term with the same key. */
  spelling(key: Uint8Array, keyLength: number, documents: number, deletionDelta: number): void {
    writeEntry(this.#terms.add(key, keyLength), { ...SPELLING, documents, deletionDelta })
  }

  /** Adds the next document. Documents must arrive in ascending order of type, then of id bytes. */
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

  /** Types of the documents added so far. */
  get types(): readonly TypeRange[] {
    return this.#types
  }

  /** Writes the remaining rows. See `SegmentHead` for `deletionDelta` and `unreadable`. */
  finish(deletionDelta: number, unreadable = 0): WrittenSegment {
    this.#terms.end()
    this.#documents.end()
    this.#postings.end()
    this.columns.end()
    const head = headBytes({
      documents: this.#documents.count,
      deletionDelta,
      unreadable,
      types: this.#types,
      terms: this.#terms.starts,
      documentRows: this.#documents.starts,
      columns: this.columns.starts,
    })
    return { segment: this.segment, head }
  }
}

const NO_PLACE = { position: 0, skipBytes: 0 }
const SPELLING = { spelling: true, position: 0, skipBytes: 0, document: 0, impact: 0 }
