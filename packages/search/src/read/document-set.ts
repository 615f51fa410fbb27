/** Sets of documents of one type in one segment. Documents are numbered from the first of that type. */

import { eachRun, type Numbers } from '../columns/packed.ts'
import { lowerBound } from './postings-iterator.ts'

/** Density threshold. Sets with at most one in this many documents are stored as lists, and denser sets as bitmaps. */
const SPARSE = 256

/** Reports whether a set of `count` out of `size` documents is stored as a list. */
export function isFew(count: number, size: number): boolean {
  return count * SPARSE <= size
}

/** A known number of documents that are found lazily, since often only their number and the first few are needed. */
export interface Sought {
  /** Finds all documents. Returns a bitmap over the documents of the type. */
  bits(): Uint32Array
  has(document: number): boolean
  /** Visits the documents as `DocumentSet.each` does. */
  each(visit: (document: number) => boolean, from: number): void
}

/** A set of documents, stored as an ascending list if sparse and otherwise as a lazily filled bitmap. */
export class DocumentSet {
  /** Number of documents of the type in the segment, whether or not they are in the set. */
  readonly size: number
  readonly list: Uint32Array | undefined
  /** Number of documents in the set. */
  readonly count: number
  readonly #sought: Sought | undefined
  #bits: Uint32Array | undefined
  /** Complement of the set, cached if the set is nearly complete. */
  #others: Uint32Array | undefined

  private constructor(
    size: number,
    count: number,
    { list, bits, sought }: { list?: Uint32Array; bits?: Uint32Array; sought?: Sought },
  ) {
    this.size = size
    this.count = count
    this.list = list
    this.#bits = bits
    this.#sought = sought
  }

  /** Bitmap of the set, or undefined if the set is stored as a list. */
  get bits(): Uint32Array | undefined {
    if (this.#bits === undefined && this.#sought) this.#bits = this.#sought.bits()
    return this.#bits
  }

  /** Returns the empty set. */
  static none(size: number): DocumentSet {
    return new DocumentSet(size, 0, { list: EMPTY })
  }

  /** Returns the set of all documents. */
  static all(size: number): DocumentSet {
    return new DocumentSet(size, size, { sought: new Every(size) })
  }

  /** Returns the set of the documents in `list`, which must be ascending and free of duplicates. */
  static ofList(size: number, list: Uint32Array): DocumentSet {
    return new DocumentSet(size, list.length, { list })
  }

  /** Returns the set of documents whose bits are set. Bits from `size` on must be clear. */
  static ofBits(size: number, bits: Uint32Array, count = countBits(bits)): DocumentSet {
    if (!isFew(count, size)) return new DocumentSet(size, count, { bits })
    return DocumentSet.ofList(size, listOf(bits, count))
  }

  /** Returns a lazy set of `count` documents, which must be too many to store as a list. */
  static sought(size: number, count: number, sought: Sought): DocumentSet {
    return new DocumentSet(size, count, { sought })
  }

  /** Returns the set of the documents in `numbers[from, end)`, which may be unsorted and contain duplicates. */
  static ofRun(size: number, numbers: Numbers, from: number, end: number): DocumentSet {
    const count = end - from
    if (count <= 0) return DocumentSet.none(size)
    if (count === 1) return DocumentSet.ofList(size, Uint32Array.of(numbers.at(from)))
    if (isFew(count, size)) {
      const list = new Uint32Array(count)
      if (count <= FEW) for (let at = 0; at < count; at++) list[at] = numbers.at(from + at)
      else
        eachRun(numbers, from, end, (block, start, stop, place) => {
          list.set(block.subarray(start, stop), place - from)
          return true
        })
      return DocumentSet.ofList(size, withoutRepetitions(list.sort()))
    }
    const bits = newBits(size)
    eachRun(numbers, from, end, (block, start, stop) => {
      for (let at = start; at < stop; at++) {
        const document = block[at] as number
        ;(bits[document >>> 5] as number) |= 1 << (document & 31)
      }
      return true
    })
    return DocumentSet.ofBits(size, bits)
  }

  has(document: number): boolean {
    if (this.count === this.size) return true
    if (this.bits) return ((this.bits[document >>> 5] as number) & (1 << (document & 31))) !== 0
    const list = this.list as Uint32Array
    return list[lowerBound(list, 0, list.length, document)] === document
  }

  /** Returns the intersection with another set. */
  and(other: DocumentSet): DocumentSet {
    if (this.count === this.size) return other
    if (other.count === this.size) return this
    const [small, large] = this.list ? [this, other] : [other, this]
    if (small.list) return small.filter((document) => large.has(document))
    if (this.isOnlySought && other.#isNearlyAll) return this.#lessSome(other)
    return DocumentSet.ofBits(
      this.size,
      combined(this.bits, other.bits, (left, right) => left & right),
    )
  }

  /** Returns the union with another set. */
  or(other: DocumentSet): DocumentSet {
    if (this.count === 0 || other.count === this.size) return other
    if (other.count === 0 || this.count === this.size) return this
    if (this.list && other.list && isFew(this.count + other.count, this.size)) {
      const both = new Uint32Array(this.count + other.count)
      both.set(this.list)
      both.set(other.list, this.count)
      return DocumentSet.ofList(this.size, withoutRepetitions(both.sort()))
    }
    const bits = combined(this.toBits(), other.toBits(), (left, right) => left | right)
    return DocumentSet.ofBits(this.size, bits)
  }

  /** Returns the documents in this set that are not in `other`. */
  without(other: DocumentSet): DocumentSet {
    if (this.count === 0 || other.count === 0) return this
    if (this.list) return this.filter((document) => !other.has(document))
    return DocumentSet.ofBits(
      this.size,
      combined(this.bits, other.toBits(), (left, right) => left & ~right),
    )
  }

  /** Returns the documents for which `keeps` returns true, as a list. */
  filter(keeps: (document: number) => boolean): DocumentSet {
    return DocumentSet.ofList(this.size, (this.list ?? listOf(this.toBits(), this.count)).filter(keeps))
  }

  /** Reports whether this is a lazy set whose documents have not been found yet. */
  get isOnlySought(): boolean {
    return this.#sought !== undefined && this.#bits === undefined
  }

  get #isNearlyAll(): boolean {
    return isFew(this.size - this.count, this.size)
  }

  /** Returns the intersection with a nearly complete set by looking up only the documents missing from `other`. */
  #lessSome(other: DocumentSet): DocumentSet {
    const sought = this.#sought as Sought
    other.#others ??= listOf(DocumentSet.all(this.size).without(other).toBits(), this.size - other.count)
    const gone = other.#others.filter((document) => sought.has(document)).length
    return DocumentSet.sought(this.size, this.count - gone, {
      bits: () => combined(this.bits, other.bits, (left, right) => left & right),
      has: (document) => other.has(document) && sought.has(document),
      each: (visit, from) => sought.each((document) => !other.has(document) || visit(document), from),
    })
  }

  /** Returns the set as a bitmap with the lowest bit first. Callers must not modify it. */
  toBits(): Uint32Array {
    if (this.bits) return this.bits
    const bits = newBits(this.size)
    for (const document of this.list ?? EMPTY) (bits[document >>> 5] as number) |= 1 << (document & 31)
    return bits
  }

  /** Calls `visit` with each document from `from` on, in ascending order, until it returns false. */
  each(visit: (document: number) => boolean, from = 0): void {
    if (this.#sought && this.#bits === undefined) {
      this.#sought.each(visit, from)
      return
    }
    if (this.list) {
      for (let at = lowerBound(this.list, 0, this.list.length, from); at < this.list.length; at++)
        if (!visit(this.list[at] as number)) return
      return
    }
    const bits = this.bits as Uint32Array
    for (let at = from >>> 5; at < bits.length; at++) {
      let rest = bits[at] as number
      if (at === from >>> 5) rest &= -1 << (from & 31)
      for (; rest !== 0; rest &= rest - 1) if (!visit(at * 32 + 31 - Math.clz32(rest & -rest))) return
    }
  }
}

/** The set of all documents. */
class Every implements Sought {
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  bits(): Uint32Array {
    const bits = newBits(this.#size).fill(0xffffffff)
    if (this.#size % 32 !== 0) bits[bits.length - 1] = 2 ** (this.#size % 32) - 1
    return bits
  }

  has(): boolean {
    return true
  }

  each(visit: (document: number) => boolean, from: number): void {
    for (let document = from; document < this.#size; document++) if (!visit(document)) return
  }
}

const EMPTY = new Uint32Array(0)
/** Maximum number of documents read one by one instead of by block. */
const FEW = 256

/** Returns an empty bitmap for this many documents. */
export function newBits(size: number): Uint32Array {
  return new Uint32Array((size + 31) >>> 5)
}

/** Returns the number of set bits. */
export function countBits(bits: Uint32Array): number {
  let count = 0
  for (let at = 0; at < bits.length; at++) {
    let word = bits[at] as number
    if (word === 0) continue
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

function listOf(bits: Uint32Array, count: number): Uint32Array {
  const list = new Uint32Array(count)
  let into = 0
  for (let at = 0; at < bits.length; at++)
    for (let rest = bits[at] as number; rest !== 0; rest &= rest - 1)
      list[into++] = at * 32 + 31 - Math.clz32(rest & -rest)
  return list
}

function combined(
  left: Uint32Array | undefined,
  right: Uint32Array | undefined,
  combine: (left: number, right: number) => number,
): Uint32Array {
  const [one, other] = [left ?? EMPTY, right ?? EMPTY]
  const bits = new Uint32Array(one.length)
  for (let at = 0; at < bits.length; at++) bits[at] = combine(one[at] as number, other[at] as number)
  return bits
}

function withoutRepetitions(sorted: Uint32Array): Uint32Array {
  let kept = 1
  for (let at = 1; at < sorted.length; at++)
    if (sorted[at] !== sorted[at - 1]) sorted[kept++] = sorted[at] as number
  return sorted.subarray(0, Math.min(kept, sorted.length))
}
