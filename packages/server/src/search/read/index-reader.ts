/** Searching the published segments of a store. */

import type { Query, Result, ScoredKey } from '../port/query.ts'
import type { SegmentReads } from '../port/segment-store.ts'
import { RowCache } from './row-cache.ts'
import { answer } from './searcher.ts'
import { Segment } from './segment.ts'

/** An open index. It sees what the store showed at the last `refresh`. */
export class IndexReader {
  /** The published segments. */
  segments: readonly Segment[] = []
  /** The generation of the store that `segments` are of; undefined where they are of none. */
  generation: number | string | undefined
  readonly #store: SegmentReads
  readonly #pageBytes: number | undefined
  #pages: RowCache

  /** Opens the index; `pageBytes` bounds the rows kept in memory. */
  constructor(store: SegmentReads, pageBytes?: number) {
    this.#store = store
    this.#pageBytes = pageBytes
    this.#pages = new RowCache(store, pageBytes)
    this.refresh()
  }

  /** Forgets all it has read. The next `refresh` reads it again. */
  forget(): void {
    this.segments = []
    this.generation = undefined
    this.#pages = new RowCache(this.#store, this.#pageBytes)
  }

  /** Takes over what the store shows now. */
  refresh(): void {
    const generation = this.#store.generation()
    if (generation === this.generation) return
    // Of none, in case that reading fails half way.
    this.generation = undefined
    const known = new Map(this.segments.map((segment) => [segment.id, segment]))
    this.segments = this.#store
      .segments()
      .map(({ id, head }) => known.get(id) ?? new Segment(id, head, this.#pages))
    for (const segment of this.segments) segment.readTombstones(this.#store.tombstones(segment.id))
    this.generation = generation
  }

  /** How many documents live in the index. */
  get documents(): number {
    return this.segments.reduce((sum, { head }) => sum + head.documents + head.deletionDelta, 0)
  }

  /** Answers a query with text, whatever that is; without any words in it, nothing is found. */
  search(query: Query): Result<ScoredKey> {
    return answer(this.segments, this.documents, query)
  }
}
