/** Rows of segments kept at hand. They never change, so they stay good whatever is published or merged. */
import type { SegmentFile, SegmentReads } from '../port/segment-store.ts'

/** Bytes of rows kept by default: most of the dictionary of a million entities, and its busiest lists. */
export const PAGES_KEPT = 64 * 1024 * 1024
/** What keeping a row costs beside its bytes, about. */
const KEPT_BYTES = 200
/** Rows of a file that a key has room for. */
const ROWS = 2 ** 24

/** Rows by segment, and then by file and row. */
type Rows = Map<number, Map<number, Uint8Array>>

/** A cache of rows that forgets those unused for longest. */
export class Pages {
  #store: SegmentReads
  readonly #limit: number
  /** In two generations: what is used moves to the young one; when that is full, the old one is forgotten. */
  #young: Rows = new Map()
  #old: Rows = new Map()
  #youngBytes = 0

  constructor(store: SegmentReads, limit = PAGES_KEPT) {
    this.#store = store
    this.#limit = limit / 2
  }

  /** One row. */
  row(segment: number, file: SegmentFile, row: number): Uint8Array {
    const key = file * ROWS + row
    const young = this.#young.get(segment)?.get(key)
    if (young) return young
    const found = this.#old.get(segment)?.get(key) ?? this.#store.row(segment, file, row)
    const bytes = found.length + KEPT_BYTES
    if (this.#youngBytes + bytes > this.#limit) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    const rows = this.#young.get(segment) ?? new Map<number, Uint8Array>()
    this.#young.set(segment, rows.set(key, found))
    this.#youngBytes += bytes
    return found
  }
}
