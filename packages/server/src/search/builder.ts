/** Building a segment from documents. */
import { impactOf, type Slot, takeApart } from './analyse.ts'
import type { SearchDocument } from './document.ts'
import { SegmentWriter } from './segment-writer.ts'
import type { SegmentStore } from './store.ts'
import { titleTerm } from './terms.ts'
import { MAX_TOKEN } from './tokens.ts'

/** The most types a segment can tell apart. */
export const MAX_TYPES = 0xffff
/** Terms collected before a builder says it is full: some 70 MB while it works. */
const FULL_TERMS = 6_000_000
/** Documents collected before a builder says it is full. */
const FULL_DOCUMENTS = 262_144

/** Collects documents and writes them as one segment. A key must not be added twice. */
export class SegmentBuilder {
  readonly #types: string[] = []
  readonly #ids: string[] = []
  /** Where each document's terms begin. */
  readonly #starts: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #spellings = new Map<string, number>()
  /** Corrections for removed documents, by term and by spelling. */
  readonly #termCorrections = new Map<string, number>()
  readonly #spellingCorrections = new Map<string, number>()
  #correction = 0
  #terms = new Uint32Array(4096)
  #impacts = new Uint8Array(4096)
  #used = 0

  /** Adds a document. */
  add(document: SearchDocument): void {
    const { slots, spellings, names } = takeApart(document)
    this.#types.push(document.type)
    this.#ids.push(document.id)
    this.#starts.push(this.#used)
    for (const slot of slots) this.#push(this.#numberOfSlot(slot), impactOf(slot))
    for (const [name, rank] of names) this.#push(this.#numberOf(titleTerm(name)), rank)
    for (const spelling of spellings) count(this.#spellings, spelling, 1)
  }

  /** Accounts for the death of a document that an older segment holds. Its tombstone is the caller's business. */
  remove(document: SearchDocument): void {
    const { slots, spellings, names } = takeApart(document)
    for (const { term } of slots) count(this.#termCorrections, term, -1)
    for (const name of names.keys()) count(this.#termCorrections, titleTerm(name), -1)
    for (const spelling of spellings) count(this.#spellingCorrections, spelling, -1)
    this.#correction -= 1
  }

  /** Nothing was added or removed. */
  get empty(): boolean {
    return this.#ids.length === 0 && this.#correction === 0
  }

  /** It is time to write. */
  get full(): boolean {
    return this.#used >= FULL_TERMS || this.#ids.length >= FULL_DOCUMENTS
  }

  /** Writes the segment, unpublished. */
  write(store: SegmentStore): { readonly segment: number; readonly head: Uint8Array } {
    const writer = new SegmentWriter(store)
    const order = this.#order()
    for (const at of order) writer.document(this.#types[at] as string, Buffer.from(this.#ids[at] as string))
    this.#writeTerms(writer, order)
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

  #writeTerms(writer: SegmentWriter, order: Uint32Array): void {
    const { ends, documents, impacts } = this.#inverted(order)
    const corrected = this.#correction !== 0
    const key = new Uint8Array(MAX_KEY)
    for (const term of sortedKeys([
      this.#numbers,
      this.#spellings,
      this.#termCorrections,
      this.#spellingCorrections,
    ])) {
      const length = encode(term, key)
      const number = this.#numbers.get(term)
      const correction = corrected ? (this.#termCorrections.get(term) ?? 0) : 0
      if (number !== undefined || correction !== 0) {
        const start = number ? (ends[number - 1] as number) : 0
        const listed = number === undefined ? 0 : (ends[number] as number) - start
        writer.term(key, length, documents, impacts, start, listed, correction)
      }
      const spelled = this.#spellings.get(term) ?? 0
      const unspelled = corrected ? (this.#spellingCorrections.get(term) ?? 0) : 0
      if (spelled !== 0 || unspelled !== 0) writer.spelling(key, length, spelled, unspelled)
    }
  }

  /** The postings of all terms, one list after another, each ascending by document: a counting sort. */
  #inverted(order: Uint32Array): { ends: Uint32Array; documents: Uint32Array; impacts: Uint8Array } {
    const places = new Uint32Array(this.#numbers.size + 1)
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

  #numberOfSlot(slot: Slot): number {
    if (slot.owner !== this) {
      slot.owner = this
      slot.number = this.#numberOf(slot.term)
    }
    return slot.number
  }

  #numberOf(term: string): number {
    let number = this.#numbers.get(term)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(term, number)
    }
    return number
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

function grown<T extends Uint32Array | Uint8Array>(array: T, Kind: new (length: number) => T): T {
  const larger = new Kind(2 * array.length)
  larger.set(array)
  return larger
}

/** Bytes of the longest term: every UTF-16 unit of a token takes three at most, and a joined one is no longer. */
const MAX_KEY = 3 * MAX_TOKEN

/** Writes a term as UTF-8 and gives its length. Terms are short and mostly ASCII: a loop is faster than a call. */
function encode(term: string, into: Uint8Array): number {
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at)
    if (code >= 0x80) return encoder.encodeInto(term, into).written
    into[at] = code
  }
  return term.length
}

const encoder = new TextEncoder()

/** Adds to a number of an array and gives what it was. */
function step(numbers: Uint32Array, at: number, by: number): number {
  const before = numbers[at] as number
  numbers[at] = before + by
  return before
}

function count(counts: Map<string, number>, key: string, step: number): void {
  counts.set(key, (counts.get(key) ?? 0) + step)
}

/** The different keys of the maps, ascending by their UTF-8 bytes. */
function sortedKeys([first, ...rest]: readonly ReadonlyMap<string, number>[]): string[] {
  const keys = first ? [...first.keys()] : []
  const known = new Set<string>()
  for (const map of rest) {
    for (const key of map.keys()) {
      if (first?.has(key) || known.has(key)) continue
      known.add(key)
      keys.push(key)
    }
  }
  keys.sort()
  return keys.some((key) => SURROGATE.test(key))
    ? keys.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    : keys
}
