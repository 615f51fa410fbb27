import { encode, grown, LOW_HALF } from '../format/byte-io.ts'

/** Maximum UTF-8 bytes per UTF-16 code unit. */
const UNIT_BYTES = 3
/** Maximum number of words for which an insertion sort is used. */
const FEW = 24
/** Number of bytes that the sort compares at once. */
const STEP = 4

/** A hash table that numbers words, kept as UTF-8, from 0 in the order of their first occurrence. */
export class WordTable {
  /** Number of distinct words. */
  count = 0
  #bytes = new Uint8Array(2048)
  /** Byte offset at which each word starts and the previous word ends. */
  #starts = new Uint32Array(256)
  /** Open-addressing table, at most half full. A slot has a word's hash and the word's number + 1, or 0 if it is free. */
  #table = new Int32Array(1024)

  /** Returns the number of the word `text[start, end)`, assigning the next number to a new word. */
  number(text: string, start: number, end: number): number {
    const from = this.#starts[this.count] as number
    if (from + UNIT_BYTES * (end - start) > this.#bytes.length) this.#bytes = grown(this.#bytes, Uint8Array)
    const bytes = this.#bytes
    // A new word stays at the position to which it is encoded here.
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

  /** Copies the bytes of a word to `to` and returns how many there are. */
  copy(number: number, to: Uint8Array): number {
    const start = this.#starts[number] as number
    const length = (this.#starts[number + 1] as number) - start
    for (let at = 0; at < length; at++) to[at] = this.#bytes[start + at] as number
    return length
  }

  /** Returns the numbers of all words, sorted by the bytes of the words. */
  sorted(): Uint32Array {
    const order = Uint32Array.from({ length: this.count }, (_, number) => number)
    this.#sort(order, new BigUint64Array(this.count), 0, this.count, 0)
    return order
  }

  /** Sorts words that share their first `depth` bytes by their next four bytes, and recurses if these are equal, too. */
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

  /** Returns four bytes of a word as a number. Padding is 0, which occurs in no word, so shorter words sort first. */
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

  /** Reports whether the bytes of a word equal `bytes[from, to)`. */
  #same(number: number, from: number, to: number): boolean {
    const bytes = this.#bytes
    const start = this.#starts[number] as number
    if ((this.#starts[number + 1] as number) - start !== to - from) return false
    for (let at = from; at < to; at++) if (bytes[at] !== bytes[start + at - from]) return false
    return true
  }

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

/** Returns the slot of a hash, an even number to be masked to the table size. */
function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1
}
