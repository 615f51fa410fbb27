/** Merging segments into one, in small steps, without the documents that have died. */
import { compareBytes } from '../format/bytes.ts'
import { sortPostings } from '../format/postings.ts'
import { idOfKey, SegmentWriter } from '../format/segment-writer.ts'
import type { TableCursor } from '../format/table.ts'
import { peekEntry, readEntryList, type TermEntry } from '../format/term-entry.ts'
import type { SegmentStore } from '../port/segment-store.ts'
import { END } from '../read/postings-iterator.ts'
import type { Segment } from '../read/segment.ts'

/** A merged segment, written but not published. */
export interface Merged {
  readonly segment: number
  readonly head: Uint8Array
  /** For each of the merged segments, the new number of each document, or `END` for those left out. */
  readonly numbers: readonly Uint32Array[]
}

/** Entries handled between two pauses: some tenths of a millisecond. */
const PAUSE = 128

/** Merges segments as their tombstones stand now. Every `yield` is a place to stop for a while. */
export function* mergeSegments(
  store: SegmentStore,
  segments: readonly Segment[],
): Generator<number, Merged, void> {
  const writer = new SegmentWriter(store)
  const merge = new Merge(writer, segments)
  yield writer.segment
  for (let at = 1; merge.document(); at++) if (at % PAUSE === 0) yield writer.segment
  merge.beginTerms()
  for (let at = 1; merge.term(); at++) if (at % PAUSE === 0) yield writer.segment
  return { segment: writer.segment, head: writer.finish(merge.correction()), numbers: merge.numbers }
}

/** One of the merged segments, with a walk through its documents, then its terms. */
interface Input {
  readonly segment: Segment
  /** Its tombstones when the merge began. */
  readonly dead: Uint8Array | undefined
  readonly numbers: Uint32Array
  walk: TableCursor
  /** The walk stands at an entry. */
  open: boolean
  type: string
  entry: TermEntry | undefined
}

class Merge {
  readonly numbers: readonly Uint32Array[]
  readonly #writer: SegmentWriter
  readonly #inputs: readonly Input[]
  #documentsWritten = 0
  #documents = new Uint32Array(1024)
  #impacts = new Uint8Array(1024)
  #used = 0

  constructor(writer: SegmentWriter, segments: readonly Segment[]) {
    this.#writer = writer
    this.#inputs = segments.map((segment) => ({
      segment,
      dead: segment.dead?.slice(),
      numbers: new Uint32Array(segment.head.documents).fill(END),
      walk: segment.documentCursor(),
      open: true,
      type: '',
      entry: undefined,
    }))
    this.numbers = this.#inputs.map(({ numbers }) => numbers)
    for (const input of this.#inputs) nextDocument(input)
  }

  /** Writes the next document. False where there is none. */
  document(): boolean {
    let first: Input | undefined
    for (const input of this.#inputs) {
      if (input.open && (!first || compareDocuments(input, first) < 0)) first = input
    }
    if (!first) return false
    const { walk, type, numbers } = first
    this.#writer.document(type, idOfKey(walk.key, walk.keyLength))
    numbers[walk.ordinal] = this.#documentsWritten++
    nextDocument(first)
    return true
  }

  /** Turns from documents to terms. */
  beginTerms(): void {
    for (const input of this.#inputs) {
      input.walk = input.segment.termCursor()
      nextTerm(input)
    }
  }

  /** Writes the next entry of the dictionary. False where there is none. */
  term(): boolean {
    let first: Input | undefined
    for (const input of this.#inputs) {
      if (input.open && (!first || compareTerms(input, first) < 0)) first = input
    }
    if (!first) return false
    const same: Input[] = []
    for (const input of this.#inputs) if (input.open && compareTerms(input, first) === 0) same.push(input)
    let living = 0
    for (const { entry } of same) if (entry) living += entry.documents + entry.correction
    const { key, keyLength } = first.walk
    if (first.entry?.spelling) {
      if (living !== 0) {
        this.#writer.spelling(key, keyLength, Math.max(0, living), Math.min(0, living))
      }
    } else this.#writeTerm(key, keyLength, same, living)
    for (const input of same) nextTerm(input)
    return true
  }

  /** What makes the number of documents right over all segments. */
  correction(): number {
    let living = 0
    for (const { segment } of this.#inputs) living += segment.head.documents + segment.head.correction
    return living - this.#documentsWritten
  }

  #writeTerm(key: Uint8Array, keyLength: number, same: readonly Input[], living: number): void {
    this.#used = 0
    for (const input of same) this.#take(input)
    sortPostings(this.#documents, this.#impacts, this.#used)
    if (this.#used === 0 && living === 0) return
    this.#writer.term(key, keyLength, this.#documents, this.#impacts, 0, this.#used, living - this.#used)
  }

  /** Adds the living documents of an input's list under their new numbers. */
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

/** Steps to the next document that lived when the merge began. */
function nextDocument(input: Input): void {
  const { walk, dead, segment } = input
  do {
    input.open = walk.next()
  } while (input.open && dead && ((dead[walk.ordinal >>> 3] as number) & (1 << (walk.ordinal & 7))) !== 0)
  if (input.open) input.type = segment.typeOf(walk.ordinal)
}

function compareDocuments(left: Input, right: Input): number {
  if (left.type !== right.type) return left.type < right.type ? -1 : 1
  const [leftId, rightId] = [
    idOfKey(left.walk.key, left.walk.keyLength),
    idOfKey(right.walk.key, right.walk.keyLength),
  ]
  return compareBytes(leftId, leftId.length, rightId, rightId.length)
}

function nextTerm(input: Input): void {
  const { walk } = input
  input.open = walk.next()
  if (!input.open) return
  input.entry = peekEntry(walk.payload)
}

function compareTerms(left: Input, right: Input): number {
  const order = compareBytes(left.walk.key, left.walk.keyLength, right.walk.key, right.walk.keyLength)
  return order === 0 ? Number(left.entry?.spelling) - Number(right.entry?.spelling) : order
}
