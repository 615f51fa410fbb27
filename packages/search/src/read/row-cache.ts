/** Rows of segments kept in memory. They are immutable, so they stay valid whatever is published or merged. */
import type { SegmentFile, SegmentReads } from '../port/segment-store.ts'

/** Default size of the cache, in bytes: most of the dictionary of a million entities, and its busiest lists. */
const DEFAULT_BYTES = 64 * 1024 * 1024
/** Approximate overhead of a cached row, in bytes. */
const ROW_OVERHEAD = 200
/** Maximum number of rows of a file: the key of a row is its file times this, plus its number. */
const ROWS = 2 ** 24

/** Rows by segment, then by file and row. */
type Rows = Map<number, Map<number, Uint8Array>>

/** A cache that evicts the least recently used rows. */
export class RowCache {
  readonly #store: SegmentReads
  readonly #maxYoungBytes: number
  /** Two generations: a used row moves to the young one; when that is full, the old one is evicted. */
  #young: Rows = new Map()
  #old: Rows = new Map()
  #youngBytes = 0

  constructor(store: SegmentReads, maxBytes = DEFAULT_BYTES) {
    this.#store = store
    this.#maxYoungBytes = maxBytes / 2
  }

  /** Returns a row, from memory or from the store. */
  row(segment: number, file: SegmentFile, row: number): Uint8Array {
    const key = file * ROWS + row
    const young = this.#young.get(segment)?.get(key)
    if (young) return young
    const found = this.#old.get(segment)?.get(key) ?? this.#store.row(segment, file, row)
    const bytes = found.length + ROW_OVERHEAD
    if (this.#youngBytes + bytes > this.#maxYoungBytes) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    const rows = this.#young.get(segment) ?? new Map<number, Uint8Array>()
    this.#young.set(segment, rows.set(key, found))
    this.#youngBytes += bytes
    return found
  }

  /** Evicts the rows of all other segments: if small segments come and go, their rows would fill most of the cache. */
  forgetAllBut(segments: ReadonlySet<number>): void {
    for (const [segment, rows] of this.#young) {
      if (segments.has(segment)) continue
      this.#young.delete(segment)
      for (const { length } of rows.values()) this.#youngBytes -= length + ROW_OVERHEAD
    }
    for (const segment of this.#old.keys()) if (!segments.has(segment)) this.#old.delete(segment)
  }
}
