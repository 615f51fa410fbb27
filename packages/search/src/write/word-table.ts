/** Words as numbers. Each distinct word is kept once, as UTF-8 bytes, and never becomes a string of its own. */
import { encode, grown, LOW_HALF } from '../format/byte-io.ts'

/** Maximum bytes of one UTF-16 unit. */
const UNIT_BYTES = 3
/** Maximum words sorted by insertion. */
const FEW = 24
/** Bytes compared at once by the sort. */
const STEP = 4

/** A hash table of words, which are numbered from 0 in the order in which they are met. */
export class WordTable {
  /** Number of distinct words. */
  count = 0
  #bytes = new Uint8Array(2048)
  /** Start of each word, which is the end of the one before. */
  #starts = new Uint32Array(256)
  /** Open addressing, in pairs: a word's hash, and its number + 1, or 0 if the slot is free. At most half full. */
  #table = new Int32Array(1024)

  /** Returns the number of the word `text[start, end)`; a new word gets a new number. */
  number(text: string, start: number, end: number): number {
    const from = this.#starts[this.count] as number
    if (from + UNIT_BYTES * (end - start) > this.#bytes.length) this.#bytes = grown(this.#bytes, Uint8Array)
    const bytes = this.#bytes
    // The word stays there if it is new.
    const to = encode(text, start, end, bytes, from)
    let hash = 0x811c9dc5
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
    const table = this.#table
    const last = table.length - 1
    let slot = slotOf(hash) & last
    for (;;) {
      const number = (table[slot + 1] as number) - 1
      if (number < 0) break
      if (table[slot] === hash && this.#same(number, from, to)) return number
      slot = (slot + 2) & last
    }
    table[slot] = hash
    table[slot + 1] = ++this.count
    if (this.count + 1 >= this.#starts.length) this.#starts = grown(this.#starts, Uint32Array)
    this.#starts[this.count] = to
    if (4 * this.count > table.length) this.#enlarge()
    return this.count - 1
  }

  /** Copies the bytes of a word and returns their number. */
  copy(number: number, to: Uint8Array): number {
    const start = this.#starts[number] as number
    const length = (this.#starts[number + 1] as number) - start
    for (let at = 0; at < length; at++) to[at] = this.#bytes[start + at] as number
    return length
  }

  /** Returns the numbers of all words, ascending by their bytes. */
  sorted(): Uint32Array {
    const order = Uint32Array.from({ length: this.count }, (_, number) => number)
    this.#sort(order, new BigUint64Array(this.count), 0, this.count, 0)
    return order
  }

  /** Sorts words whose first `depth` bytes are equal: by the next four as one number, and recursively if those are equal. */
  #sort(order: Uint32Array, keys: BigUint64Array, from: number, to: number, depth: number): void {
    if (to - from <= FEW) {
      this.#insertionSort(order, from, to, depth)
      return
    }
    const halves = new Uint32Array(keys.buffer)
    for (let at = from; at < to; at++) {
      halves[2 * at + LOW_HALF] = order[at] as number
      halves[2 * at + 1 - LOW_HALF] = this.#bytesAt(order[at] as number, depth)
    }
    keys.subarray(from, to).sort()
    for (let at = from; at < to; at++) order[at] = halves[2 * at + LOW_HALF] as number
    for (let begin = from; begin < to; ) {
      const key = halves[2 * begin + 1 - LOW_HALF] as number
      let end = begin + 1
      while (end < to && halves[2 * end + 1 - LOW_HALF] === key) end += 1
      if (end - begin > 1) this.#sort(order, keys, begin, end, depth + STEP)
      begin = end
    }
  }

  #insertionSort(order: Uint32Array, from: number, to: number, depth: number): void {
    for (let at = from + 1; at < to; at++) {
      const number = order[at] as number
      let place = at
      while (place > from && this.#compare(order[place - 1] as number, number, depth) > 0) {
        order[place] = order[place - 1] as number
        place -= 1
      }
      order[place] = number
    }
  }

  /** Returns four bytes of a word as one number, padded with 0, which no word contains: a shorter word comes first. */
  #bytesAt(number: number, depth: number): number {
    const start = (this.#starts[number] as number) + depth
    const end = this.#starts[number + 1] as number
    let value = 0
    for (let at = start; at < start + STEP; at++)
      value = (value << 8) | (at < end ? (this.#bytes[at] as number) : 0)
    return value
  }

  #compare(left: number, right: number, depth: number): number {
    const bytes = this.#bytes
    let at = (this.#starts[left] as number) + depth
    let other = (this.#starts[right] as number) + depth
    const end = this.#starts[left + 1] as number
    const otherEnd = this.#starts[right + 1] as number
    for (; at < end && other < otherEnd; at++, other++) {
      const difference = (bytes[at] as number) - (bytes[other] as number)
      if (difference !== 0) return difference
    }
    return end - at - (otherEnd - other)
  }

  /** Reports whether a word is `bytes[from, to)`. */
  #same(number: number, from: number, to: number): boolean {
    const bytes = this.#bytes
    const start = this.#starts[number] as number
    if ((this.#starts[number + 1] as number) - start !== to - from) return false
    for (let at = from; at < to; at++) if (bytes[at] !== bytes[start + at - from]) return false
    return true
  }

  /** Doubles the table. */
  #enlarge(): void {
    const before = this.#table
    const table = new Int32Array(2 * before.length)
    const last = table.length - 1
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue
      let slot = slotOf(before[at] as number) & last
      while (table[slot + 1] !== 0) slot = (slot + 2) & last
      table[slot] = before[at] as number
      table[slot + 1] = before[at + 1] as number
    }
    this.#table = table
  }
}

/** Spreads a hash over even numbers. */
function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1
}
