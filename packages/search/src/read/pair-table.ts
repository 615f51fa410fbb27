import { grown } from '../format/byte-io.ts'
import type { Room } from './room.ts'

/** A hash table that numbers pairs in the order in which they are found. A pair is one whole number below 2⁵³. */
export class PairTable {
  readonly #room: Room
  #pairs: Float64Array = new Float64Array(2 ** 10)
  #slots = new Int32Array(2 ** 11).fill(-1)
  #count = 0

  constructor(room: Room) {
    this.#room = room
  }

  /** Returns the pairs by number. */
  get pairs(): Float64Array {
    return this.#pairs.subarray(0, this.#count)
  }

  /** Returns the number of a pair, or -1 if it is new and there is no room. */
  number(pair: number): number {
    let slot = this.#slotOf(pair)
    const known = this.#slots[slot] as number
    if (known >= 0) return known
    if (this.#count === this.#pairs.length) {
      if (!this.#grow()) return -1
      slot = this.#slotOf(pair)
    }
    this.#pairs[this.#count] = pair
    this.#slots[slot] = this.#count
    return this.#count++
  }

  /** Returns the slot of a pair, or the empty slot for it. */
  #slotOf(pair: number): number {
    const mask = this.#slots.length - 1
    const hash = Math.imul(pair ^ Math.imul(pair / 2 ** 32, 0x85ebca6b), 0x9e3779b1)
    let slot = (hash ^ (hash >>> 15)) & mask
    let known = this.#slots[slot] as number
    while (known >= 0 && this.#pairs[known] !== pair) {
      slot = (slot + 1) & mask
      known = this.#slots[slot] as number
    }
    return slot
  }

  #grow(): boolean {
    const { length } = this.#pairs
    if (!this.#room.take(2 * length)) return false
    const pairs = this.pairs
    this.#pairs = grown(pairs, Float64Array)
    this.#slots = new Int32Array(4 * length).fill(-1)
    for (const [number, pair] of pairs.entries()) this.#slots[this.#slotOf(pair)] = number
    return true
  }
}
