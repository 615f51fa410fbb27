/** Building a segment from documents. */

import { encode, grown } from '../format/bytes.ts'
import { SegmentWriter } from '../format/segment-writer.ts'
import type { SearchDocument } from '../port/document.ts'
import type { SegmentRows } from '../port/segment-store.ts'
import { Analyser } from './analyser.ts'
import { NamePostings } from './name-postings.ts'

/** The most types a segment can tell apart. */
export const MAX_TYPES = 0xffff
/** Postings collected before a builder says it is full: some 160 MB when it writes. */
const FULL_POSTINGS = 16_000_000
/** Documents collected before a builder says it is full. */
const FULL_DOCUMENTS = 2_000_000
/** Bytes of the longest term, and of the longest id. */
const MAX_KEY = 1024

/** Collects documents and writes them as one segment. A key must not be added twice. */
export class SegmentBuilder {
  readonly #types: string[] = []
  readonly #ids: string[] = []
  /** Where each document's terms begin. */
  readonly #starts: number[] = []
  readonly #analyser = new Analyser()
  readonly #names = new NamePostings()
  readonly #spellings = new Tally()
  /** Corrections for removed documents, by term and by spelling. */
  readonly #termCorrections = new Tally()
  readonly #spellingCorrections = new Tally()
  #correction = 0
  #terms = new Uint32Array(1024)
  #impacts = new Uint8Array(1024)
  #used = 0

  /** Adds a document. */
  add(document: SearchDocument): void {
    const analyser = this.#analyser
    analyser.take(document)
    this.#names.add(analyser.names, this.#ids.length)
    this.#types.push(document.type)
    this.#ids.push(document.id)
    this.#starts.push(this.#used)
    const { terms, termCount } = analyser
    for (let at = 0; at < termCount; at++) {
      const term = terms[at] as number
      this.#push(term, analyser.impact(term))
    }
    for (const spelling of analyser.spellings) this.#spellings.add(spelling, 1)
  }

  /** Accounts for the death of a document that an older segment holds. Its tombstone is the caller's business. */
  remove(document: SearchDocument): void {
    const analyser = this.#analyser
    analyser.take(document)
    this.#names.remove(analyser.names)
    for (let at = 0; at < analyser.termCount; at++) {
      this.#termCorrections.add(analyser.terms[at] as number, -1)
    }
    for (const spelling of analyser.spellings) this.#spellingCorrections.add(spelling, -1)
    this.#correction -= 1
  }

  /** Nothing was added or removed. */
  get empty(): boolean {
    return this.#ids.length === 0 && this.#correction === 0
  }

  /** How many postings were collected. */
  get postings(): number {
    return this.#used
  }

  /** It is time to write. */
  get full(): boolean {
    return this.#used >= FULL_POSTINGS || this.#ids.length >= FULL_DOCUMENTS
  }

  /** Writes the segment, unpublished. */
  write(store: SegmentRows): { readonly segment: number; readonly head: Uint8Array } {
    const writer = new SegmentWriter(store)
    const order = this.#order()
    const key = new Uint8Array(MAX_KEY)
    for (const at of order) {
      const id = this.#ids[at] as string
      writer.document(this.#types[at] as string, key, encode(id, 0, id.length, key, 0))
    }
    const numbers = new Uint32Array(order.length)
    for (const [number, at] of order.entries()) numbers[at] = number
    this.#names.write(writer, numbers)
    this.#writeTerms(writer, order, key)
    return { segment: writer.segment, head: writer.finish(this.#correction) }
  }

  /** Documents by their future number. */
  #order(): Uint32Array {
    const order = Uint32Array.from(this.#ids.keys())
    // UTF-16 order is UTF-8 order, except beyond U+FFFF.
    const plain = !this.#ids.some((id) => SURROGATE.test(id))
    const compare = (left: number, right: number): number => {
      const leftType = this.#types[left] as string
      const rightType = this.#types[right] as string
      if (leftType !== rightType) return leftType < rightType ? -1 : 1
      const [leftId, rightId] = [this.#ids[left] as string, this.#ids[right] as string]
      if (plain) return leftId < rightId ? -1 : 1
      return Buffer.compare(Buffer.from(leftId), Buffer.from(rightId))
    }
    // Documents mostly come in order, and then there is nothing to sort.
    for (let at = 1; at < order.length; at++) if (compare(at - 1, at) > 0) return order.sort(compare)
    return order
  }

  #writeTerms(writer: SegmentWriter, order: Uint32Array, key: Uint8Array): void {
    const { words } = this.#analyser
    const { ends, documents, impacts } = this.#inverted(order)
    for (const word of words.sorted()) {
      const length = words.copy(word, key)
      const start = word === 0 ? 0 : (ends[word - 1] as number)
      const listed = (ends[word] as number) - start
      const correction = this.#termCorrections.of(word)
      if (listed !== 0 || correction !== 0)
        writer.term(key, length, documents, impacts, start, listed, correction)
      const spelled = this.#spellings.of(word)
      const unspelled = this.#spellingCorrections.of(word)
      if (spelled !== 0 || unspelled !== 0) writer.spelling(key, length, spelled, unspelled)
    }
  }

  /** The postings of all terms, one list after another, each ascending by document: a counting sort. */
  #inverted(order: Uint32Array): { ends: Uint32Array; documents: Uint32Array; impacts: Uint8Array } {
    const places = new Uint32Array(this.#analyser.words.count + 1)
    for (let at = 0; at < this.#used; at++) step(places, (this.#terms[at] as number) + 1, 1)
    for (let at = 1; at < places.length; at++) step(places, at, places[at - 1] as number)
    const documents = new Uint32Array(this.#used)
    const impacts = new Uint8Array(this.#used)
    for (let document = 0; document < order.length; document++) {
      const from = order[document] as number
      const end = this.#starts[from + 1] ?? this.#used
      for (let at = this.#starts[from] as number; at < end; at++) {
        const place = step(places, this.#terms[at] as number, 1)
        documents[place] = document
        impacts[place] = this.#impacts[at] as number
      }
    }
    return { ends: places, documents, impacts }
  }

  #push(number: number, impact: number): void {
    if (this.#used === this.#terms.length) {
      this.#terms = grown(this.#terms, Uint32Array)
      this.#impacts = grown(this.#impacts, Uint8Array)
    }
    this.#terms[this.#used] = number
    this.#impacts[this.#used++] = impact
  }
}

const SURROGATE = /[\ud800-\udfff]/

/** Adds to a number of an array and gives what it was. */
function step(numbers: Uint32Array, at: number, by: number): number {
  const before = numbers[at] as number
  numbers[at] = before + by
  return before
}

/** Numbers by word, 0 at first. */
class Tally {
  #numbers = new Int32Array(16)

  add(word: number, by: number): void {
    while (word >= this.#numbers.length) this.#numbers = grown(this.#numbers, Int32Array)
    this.#numbers[word] = (this.#numbers[word] as number) + by
  }

  of(word: number): number {
    return this.#numbers[word] ?? 0
  }
}
