import { encode, grown } from '../format/byte-io.ts'
import { MAX_KEY_BYTES } from '../format/table.ts'
import type { SearchDocument } from '../port/document.ts'
import type { SegmentRows } from '../port/segment-store.ts'
import { Analyser } from './analyser.ts'
import { ColumnBuilder } from './column-builder.ts'
import { NamePostings } from './name-postings.ts'
import { SegmentWriter, type WrittenSegment } from './segment-writer.ts'

/** Number of postings at which a builder is full. Writing that many needs about 160 MB. */
const FULL_POSTINGS = 16_000_000
/** Number of documents at which a builder is full. */
const FULL_DOCUMENTS = 2_000_000
const SURROGATE = /[\ud800-\udfff]/

/** Collects documents in memory and writes them as one segment. Document keys must be distinct. */
export class SegmentBuilder {
  readonly #types: string[] = []
  readonly #ids: string[] = []
  /** For each document, the index of its first term in `#terms`. */
  readonly #starts: number[] = []
  readonly #analyser = new Analyser()
  readonly #names = new NamePostings()
  readonly #columns = new ColumnBuilder()
  /** Counts of added documents by spelling, and of removed documents by term and by spelling. */
  readonly #spellings = new Tally()
  readonly #termsRemoved = new Tally()
  readonly #spellingsRemoved = new Tally()
  #removed = 0
  #terms = new Uint32Array(1024)
  #impacts = new Uint8Array(1024)
  #used = 0

  add(document: SearchDocument): void {
    const analyser = this.#analyser
    analyser.analyse(document)
    this.#names.add(analyser.names, this.#ids.length)
    if (document.values) this.#columns.add(document.type, document.values, this.#ids.length)
    this.#types.push(document.type)
    this.#ids.push(document.id)
    this.#starts.push(this.#used)
    const { terms, termCount } = analyser
    for (let at = 0; at < termCount; at++) {
      const term = terms[at] as number
      this.#push(term, analyser.impact(term))
    }
    this.#spellings.addAll(analyser.spellings, analyser.spellingCount)
  }

  /** Subtracts a document of an older segment from the statistics. The caller must set the tombstone. */
  remove(document: SearchDocument): void {
    const analyser = this.#analyser
    analyser.analyse(document)
    this.#names.remove(analyser.names)
    this.#termsRemoved.addAll(analyser.terms, analyser.termCount)
    this.#spellingsRemoved.addAll(analyser.spellings, analyser.spellingCount)
    this.#removed += 1
  }

  /** Reports whether no document has been added or removed. */
  get empty(): boolean {
    return this.#ids.length === 0 && this.#removed === 0
  }

  /** Number of postings in memory. Each takes 5 bytes. */
  get postings(): number {
    return this.#used
  }

  /** Reports whether the segment should be written now to limit memory use. */
  get full(): boolean {
    return this.#used >= FULL_POSTINGS || this.#ids.length >= FULL_DOCUMENTS
  }

  /** Writes the segment. The caller publishes it. */
  write(store: SegmentRows): WrittenSegment {
    const writer = new SegmentWriter(store)
    const order = this.#order()
    const key = new Uint8Array(MAX_KEY_BYTES)
    for (const at of order) {
      const id = this.#ids[at] as string
      writer.document(this.#types[at] as string, key, encode(id, 0, id.length, key, 0))
    }
    const numbers = new Uint32Array(order.length)
    for (const [number, at] of order.entries()) numbers[at] = number
    this.#names.write(writer, numbers)
    this.#writeTerms(writer, order, key)
    this.#columns.write(writer.columns, writer.types, numbers)
    return writer.finish(-this.#removed)
  }

  /** Returns, for each document number, the insertion index of the document. */
  #order(): Uint32Array {
    const order = Uint32Array.from(this.#ids.keys())
    // UTF-16 order equals UTF-8 order, except beyond U+FFFF.
    const plain = !this.#ids.some((id) => SURROGATE.test(id))
    const compare = (left: number, right: number): number => {
      const leftType = this.#types[left] as string
      const rightType = this.#types[right] as string
      if (leftType !== rightType) return leftType < rightType ? -1 : 1
      const [leftId, rightId] = [this.#ids[left] as string, this.#ids[right] as string]
      if (plain) return leftId < rightId ? -1 : 1
      return Buffer.compare(Buffer.from(leftId), Buffer.from(rightId))
    }
    // Documents usually arrive in order, which makes sorting unnecessary.
    for (let at = 1; at < order.length; at++) if (compare(at - 1, at) > 0) return order.sort(compare)
    return order
  }

  #writeTerms(writer: SegmentWriter, order: Uint32Array, key: Uint8Array): void {
    const { words } = this.#analyser
    const { ends, documents, impacts } = this.#inverted(order)
    for (const word of words.sorted()) {
      const length = words.copy(word, key)
      const start = word === 0 ? 0 : (ends[word - 1] as number)
      const count = (ends[word] as number) - start
      const removed = this.#termsRemoved.of(word)
      if (count + removed > 0) writer.term(key, length, documents, impacts, start, count, -removed)
      const spelled = this.#spellings.of(word)
      const spelledRemoved = this.#spellingsRemoved.of(word)
      if (spelled + spelledRemoved > 0) writer.spelling(key, length, spelled, -spelledRemoved)
    }
  }

  /** Builds the concatenated posting lists of all terms by a counting sort. Each list is in ascending document order. */
  #inverted(order: Uint32Array): { ends: Uint32Array; documents: Uint32Array; impacts: Uint8Array } {
    const places = new Uint32Array(this.#analyser.words.count + 1)
    for (let at = 0; at < this.#used; at++) postIncrement(places, (this.#terms[at] as number) + 1, 1)
    for (let at = 1; at < places.length; at++) postIncrement(places, at, places[at - 1] as number)
    const documents = new Uint32Array(this.#used)
    const impacts = new Uint8Array(this.#used)
    for (let document = 0; document < order.length; document++) {
      const from = order[document] as number
      const end = this.#starts[from + 1] ?? this.#used
      for (let at = this.#starts[from] as number; at < end; at++) {
        const place = postIncrement(places, this.#terms[at] as number, 1)
        documents[place] = document
        impacts[place] = this.#impacts[at] as number
      }
    }
    return { ends: places, documents, impacts }
  }

  #push(term: number, impact: number): void {
    if (this.#used === this.#terms.length) {
      this.#terms = grown(this.#terms, Uint32Array)
      this.#impacts = grown(this.#impacts, Uint8Array)
    }
    this.#terms[this.#used] = term
    this.#impacts[this.#used++] = impact
  }
}

function postIncrement(numbers: Uint32Array, at: number, by: number): number {
  const before = numbers[at] as number
  numbers[at] = before + by
  return before
}

/** Counters by word, initially 0. */
class Tally {
  #counts = new Uint32Array(16)

  /** Increments the counters of the first `length` words. */
  addAll(words: Uint32Array, length: number): void {
    for (let at = 0; at < length; at++) {
      const word = words[at] as number
      while (word >= this.#counts.length) this.#counts = grown(this.#counts, Uint32Array)
      this.#counts[word] = (this.#counts[word] as number) + 1
    }
  }

  of(word: number): number {
    return this.#counts[word] ?? 0
  }
}
