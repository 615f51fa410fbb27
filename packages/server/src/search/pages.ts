/** Rows of segments kept at hand. They never change, so they stay good whatever is published or merged. */
import type { SegmentFile, SegmentReads } from './store.ts'

/** Bytes of rows kept by default: most of the dictionary of a million entities, and its busiest lists. */
export const PAGES_KEPT = 64 * 1024 * 1024
/** Files of a segment and rows of a file that one number can address. */
const FILES = 4
const ROWS = 2 ** 24

/** A cache of rows that forgets those unused for longest. */
export class Pages {
  #store: SegmentReads
  readonly #limit: number
  /** In two generations: what is used moves to the young one; when that is full, the old one is forgotten. */
  #young = new Map<number, Uint8Array>()
  #old = new Map<number, Uint8Array>()
  #youngBytes = 0

  constructor(store: SegmentReads, limit = PAGES_KEPT) {
    this.#store = store
    this.#limit = limit / 2
  }

  /** One row. */
  row(segment: number, file: SegmentFile, row: number): Uint8Array {
    const key = (segment * FILES + file) * ROWS + row
    const young = this.#young.get(key)
    if (young) return young
    const found = this.#old.get(key) ?? this.#store.row(segment, file, row)
    if (this.#youngBytes + found.length > this.#limit) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(key, found)
    this.#youngBytes += found.length
    return found
  }
}
