/** Reproducible random choices: the same seed gives the same ones. */
export class Random {
  #state: number

  /** @param seed a whole number below 2³² */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number of at least 0 and below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns a whole number from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** Returns true with this probability. */
  isIn(part: number): boolean {
    return this.next() < part
  }

  /** Returns one of the values, of which there must be at least one. */
  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }
}
