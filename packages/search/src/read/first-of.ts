/** The first of many items in an order. */
import type { Deadline } from './deadline.ts'

/** Number of groups or values that are finished even if time has run out. */
export const FEW_GROUPS = 2 ** 14

/** Keeps the first `limit` of the items that are offered. */
export class First<Item> {
  readonly #limit: number
  readonly #compare: (left: Item, right: Item) => number
  #kept: Item[] = []
  #worst: Item | undefined

  constructor(limit: number, compare: (left: Item, right: Item) => number) {
    this.#limit = limit
    this.#compare = compare
  }

  offer(item: Item): void {
    if (this.#worst !== undefined && this.#compare(item, this.#worst) >= 0) return
    this.#kept.push(item)
    if (this.#kept.length >= 2 * this.#limit + 64) this.items()
  }

  /** Returns the kept items in order. */
  items(): readonly Item[] {
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#limit)
    if (this.#kept.length === this.#limit) this.#worst = this.#kept.at(-1)
    return this.#kept
  }
}

/** Returns the first `limit` of some numbers in an order. */
export function firstOf(
  numbers: Uint32Array,
  limit: number,
  compare: (left: number, right: number) => number,
  deadline: Deadline,
): Uint32Array {
  const first = new First(limit, compare)
  for (let at = 0; at < numbers.length; at++) {
    if (at > FEW_GROUPS && deadline.step()) break
    first.offer(numbers[at] as number)
  }
  return Uint32Array.from(first.items())
}
