/** Rows of segments kept in memory. They never change, so they stay right whatever is published or merged. */
import type { SegmentFile, SegmentReads } from '../port/segment-store.ts'

/** Bytes of rows kept by default: most of the dictionary of a million entities, and its busiest lists. */
const DEFAULT_BYTES = 64 * 1024 * 1024
/** What keeping a row costs beside its bytes, about. */
const ROW_OVERHEAD = 200
/** Room in a key for the number of a row, beside the file. */
const ROWS = 2 ** 24

/** Rows by segment, and then by file and row. */
type Rows = Map<number, Map<number, Uint8Array>>

/** A cache that forgets the rows that were not used for longest. */
export class RowCache {
  readonly #store: SegmentReads
  readonly #maxYoungBytes: number
  /** Two generations: what is used moves to the young one; when that is full, the old one is forgotten. */
  #young: Rows = new Map()
  #old: Rows = new Map()
  #youngBytes = 0

  constructor(store: SegmentReads, maxBytes = DEFAULT_BYTES) {
    this.#store = store
    this.#maxYoungBytes = maxBytes / 2
  }

  /** One row, from memory or from the store. */
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

  /** Forgets the rows of all segments but these: where small segments come and go, they would be most of what is kept. */
  forgetAllBut(segments: ReadonlySet<number>): void {
    for (const [segment, rows] of this.#young) {
      if (segments.has(segment)) continue
      this.#young.delete(segment)
      for (const { length } of rows.values()) this.#youngBytes -= length + ROW_OVERHEAD
    }
    for (const segment of this.#old.keys()) if (!segments.has(segment)) this.#old.delete(segment)
  }
}
