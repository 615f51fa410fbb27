/** Merges segments into one in small steps, omitting deleted documents. */
import { compareBytes, hasBit } from '../format/byte-io.ts'
import { END, sortPostings } from '../format/postings.ts'
import { idOfKey } from '../format/segment-head.ts'
import type { TableIterator } from '../format/table.ts'
import { peekEntry, readEntryList, type TermEntry } from '../format/term-entry.ts'
import type { SegmentRows } from '../port/segment-store.ts'
import type { Segment } from '../read/segment.ts'
import { mergeColumns } from './column-merge.ts'
import { SegmentWriter, type WrittenSegment } from './segment-writer.ts'

/** A merged segment that is written but not published. */
export interface MergedSegment extends WrittenSegment {
  /** For each input, the new number of each document, or `END` if the document was omitted. */
  readonly numbers: readonly Uint32Array[]
}

/** Number of entries per step. A step takes a few tenths of a millisecond. */
const STEP = 128

/** One input. `iterator` runs over its documents first, and then over its terms. */
interface Input {
  readonly segment: Segment
  /** Tombstones of the segment when the merge began. */
  readonly deleted: Uint8Array | undefined
  readonly numbers: Uint32Array
  iterator: TableIterator
  /** True while the iterator is at an entry. */
  open: boolean
  type: string
  entry: TermEntry | undefined
}

/** A merge of segments, based on the tombstones that exist when it begins. */
export class SegmentMerge {
  /** Id of the segment being written. */
  readonly segment: number
  readonly #writer: SegmentWriter
  readonly #inputs: readonly Input[]
  #documentsWritten = 0
  #columns: Generator<void> | undefined
  #writingTerms = false
  #documents = new Uint32Array(1024)
  #impacts = new Uint8Array(1024)
  #used = 0

  constructor(store: SegmentRows, segments: readonly Segment[]) {
    this.#writer = new SegmentWriter(store)
    this.segment = this.#writer.segment
    this.#inputs = segments.map((segment) => ({
      segment,
      deleted: segment.deleted?.slice(),
      numbers: new Uint32Array(segment.head.documents).fill(END),
      iterator: segment.documentIterator(),
      open: true,
      type: '',
      entry: undefined,
    }))
    for (const input of this.#inputs) nextDocument(input)
  }

  /** Segments being merged. */
  get inputs(): readonly Segment[] {
    return this.#inputs.map(({ segment }) => segment)
  }

  /** Works for a few tenths of a millisecond. Returns the merged segment, or undefined until the merge is finished. */
  step(): MergedSegment | undefined {
    if (this.#columns) return this.#columns.next().done ? this.#finish() : undefined
    for (let entries = 0; entries < STEP && !this.#columns; entries++) {
      if (this.#writingTerms) {
        if (!this.#writeTerm())
          this.#columns ??= mergeColumns(this.#writer.columns, this.#inputs, this.#writer.types)
      } else if (!this.#writeDocument()) this.#beginTerms()
    }
    return undefined
  }

  /** Does all remaining work and returns the merged segment. */
  finish(): MergedSegment {
    for (;;) {
      const merged = this.step()
      if (merged) return merged
    }
  }

  /** Writes the next document. Returns false if there is none. */
  #writeDocument(): boolean {
    const first = this.#first(compareDocuments)
    if (!first) return false
    const { iterator, type, numbers } = first
    this.#writer.document(type, idOfKey(iterator.key, iterator.keyLength))
    numbers[iterator.ordinal] = this.#documentsWritten++
    nextDocument(first)
    return true
  }

  #beginTerms(): void {
    this.#writingTerms = true
    for (const input of this.#inputs) {
      input.iterator = input.segment.termIterator()
      nextTerm(input)
    }
  }

  /** Writes the next entry of the dictionary. Returns false if there is none. */
  #writeTerm(): boolean {
    const first = this.#first(compareTerms)
    if (!first) return false
    const same: Input[] = []
    for (const input of this.#inputs) if (input.open && compareTerms(input, first) === 0) same.push(input)
    let live = 0
    for (const { entry } of same) if (entry) live += entry.documents + entry.deletionDelta
    const { key, keyLength } = first.iterator
    if (first.entry?.spelling) {
      if (live !== 0) this.#writer.spelling(key, keyLength, Math.max(0, live), Math.min(0, live))
    } else this.#writePostings(key, keyLength, same, live)
    for (const input of same) nextTerm(input)
    return true
  }

  #writePostings(key: Uint8Array, keyLength: number, same: readonly Input[], live: number): void {
    this.#used = 0
    for (const input of same) this.#take(input)
    sortPostings(this.#documents, this.#impacts, this.#used)
    if (this.#used === 0 && live === 0) return
    this.#writer.term(key, keyLength, this.#documents, this.#impacts, 0, this.#used, live - this.#used)
  }

  #finish(): MergedSegment {
    let live = 0
    let unreadable = 0
    for (const { segment } of this.#inputs) {
      live += segment.head.documents + segment.head.deletionDelta
      unreadable += segment.head.unreadable
    }
    const written = this.#writer.finish(live - this.#documentsWritten, unreadable)
    return { ...written, numbers: this.#inputs.map(({ numbers }) => numbers) }
  }

  #first(compare: (left: Input, right: Input) => number): Input | undefined {
    let first: Input | undefined
    for (const input of this.#inputs) {
      if (input.open && (!first || compare(input, first) < 0)) first = input
    }
    return first
  }

  /** Adds the postings of an input's current term under their new document numbers, omitting deleted documents. */
  #take({ entry, segment, numbers }: Input): void {
    if (!entry || entry.documents === 0) return
    const from = this.#used
    this.#reserve(entry.documents)
    readEntryList(segment.postings, entry, this.#documents, this.#impacts, from)
    for (let at = from; at < from + entry.documents; at++) {
      const number = numbers[this.#documents[at] as number] as number
      if (number === END) continue
      this.#documents[this.#used] = number
      this.#impacts[this.#used++] = this.#impacts[at] as number
    }
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#documents.length) return
    const size = Math.max(2 * this.#documents.length, this.#used + count)
    const documents = new Uint32Array(size)
    const impacts = new Uint8Array(size)
    documents.set(this.#documents)
    impacts.set(this.#impacts)
    this.#documents = documents
    this.#impacts = impacts
  }
}

/** Advances to the next document that was not deleted when the merge began. */
function nextDocument(input: Input): void {
  const { iterator, deleted, segment } = input
  do {
    input.open = iterator.next()
  } while (input.open && deleted && hasBit(deleted, iterator.ordinal))
  if (input.open) input.type = segment.typeOf(iterator.ordinal)
}

function nextTerm(input: Input): void {
  input.open = input.iterator.next()
  if (input.open) input.entry = peekEntry(input.iterator.payload, input.segment.head.documents)
}

function compareDocuments(left: Input, right: Input): number {
  if (left.type !== right.type) return left.type < right.type ? -1 : 1
  const leftId = idOfKey(left.iterator.key, left.iterator.keyLength)
  const rightId = idOfKey(right.iterator.key, right.iterator.keyLength)
  return compareBytes(leftId, leftId.length, rightId, rightId.length)
}

function compareTerms({ iterator: left, entry }: Input, { iterator: right, entry: other }: Input): number {
  const order = compareBytes(left.key, left.keyLength, right.key, right.keyLength)
  return order === 0 ? Number(entry?.spelling) - Number(other?.spelling) : order
}
