import type { SegmentFile, SegmentReads } from '../port/segment-store.ts'

/** Default cache size in bytes, enough for most of the dictionary and the busiest lists of a million entities. */
const DEFAULT_BYTES = 64 * 1024 * 1024
/** Approximate overhead per cached row, in bytes. */
const ROW_OVERHEAD = 200
/** Maximum number of rows per file. The key of a row is its file number times this, plus its row number. */
const ROWS = 2 ** 24

/** Rows by segment, then by file and row. */
type Rows = Map<number, Map<number, Uint8Array>>

/** Cache of segment rows, which never change. Approximates least-recently-used eviction with two generations. */
export class RowCache {
  readonly #store: SegmentReads
  readonly #maxYoungBytes: number
  /** Two generations. A row that is read moves to the young one. When the young one is full, it replaces the old one. */
  #young: Rows = new Map()
  #old: Rows = new Map()
  #youngBytes = 0

  constructor(store: SegmentReads, maxBytes = DEFAULT_BYTES) {
    this.#store = store
    this.#maxYoungBytes = maxBytes / 2
  }

  /** Returns a row from the cache or, on a miss, from the store. */
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

  /** Evicts rows of segments not in `segments`. Otherwise, short-lived small segments would fill most of the cache. */
  forgetAllBut(segments: ReadonlySet<number>): void {
    for (const [segment, rows] of this.#young) {
      if (segments.has(segment)) continue
      this.#young.delete(segment)
      for (const { length } of rows.values()) this.#youngBytes -= length + ROW_OVERHEAD
    }
    for (const segment of this.#old.keys()) if (!segments.has(segment)) this.#old.delete(segment)
  }
}
