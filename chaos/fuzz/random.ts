/** Pseudorandom generator. The same seed always produces the same choices. */
export class Random {
  #state: number

  /** @param seed a whole number below 2³² */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive), by the mulberry32 algorithm. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns an integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** Returns true with probability `part`. */
  isIn(part: number): boolean {
    return this.next() < part
  }

  /** Returns one of the values, which must not be empty. */
  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }
}
