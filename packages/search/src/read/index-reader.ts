/** Searches the published segments of a store. */

import { IndexDamage } from '../port/index-damage.ts'
import type { Query, Result, ScoredKey } from '../port/search-query.ts'
import type { SegmentReads } from '../port/segment-store.ts'
import { isPrecise, preciseSearch } from './precise-search.ts'
import { NO_CONTEXT, type QueryContext } from './query-context.ts'
import { RowCache } from './row-cache.ts'
import { Searcher } from './searcher.ts'
import { Segment } from './segment.ts'

/** An open index. It sees the segments that the store had at the last `refresh`; before the first one there are none. */
export class IndexReader {
  /** The published segments. */
  segments: readonly Segment[] = []
  /** Generation of the store to which `segments` belong; undefined if they must be read again. */
  generation: number | string | undefined
  readonly #store: SegmentReads
  readonly #cacheBytes: number | undefined
  #cache: RowCache

  /** Opens the index; `cacheBytes` limits the rows kept in memory. */
  constructor(store: SegmentReads, cacheBytes?: number) {
    this.#store = store
    this.#cacheBytes = cacheBytes
    this.#cache = new RowCache(store, cacheBytes)
  }

  /** Forgets everything that it has read. The next `refresh` reads it again. */
  forget(): void {
    this.segments = []
    this.generation = undefined
    this.#cache = new RowCache(this.#store, this.#cacheBytes)
  }

  /** Reads the current segments and tombstones of the store if any have changed. @throws IndexDamage, also without an index */
  refresh(): void {
    const generation = this.#store.generation()
    if (generation === undefined)
      throw new IndexDamage('The search index is being built again from the entities. Try again soon.')
    if (generation === this.generation) return
    // In case reading fails halfway.
    this.generation = undefined
    const known = new Map(this.segments.map((segment) => [segment.id, segment]))
    this.#show(
      this.#store.segments().map((record) => {
        const segment = known.get(record.id) ?? new Segment(record.id, record.head, this.#cache)
        segment.readTombstones(record.tombstones)
        return segment
      }),
    )
    this.generation = generation
  }

  /** Takes over a segment published after the last `refresh`, in the open transaction: nothing is read again. */
  take(id: number, head: Uint8Array, replaced: readonly number[]): void {
    // In case it fails halfway.
    this.generation = undefined
    const kept = this.segments.filter((segment) => !replaced.includes(segment.id))
    this.#show([...kept, new Segment(id, head, this.#cache)])
    this.generation = this.#store.generation()
  }

  /** Number of live documents in the index. */
  get documents(): number {
    return this.segments.reduce((sum, { head }) => sum + head.documents + head.deletionDelta, 0)
  }

  /** Answers a query. Any text is allowed; one without words finds nothing. @throws IndexDamage instead of guessing */
  search(query: Query, context: Partial<QueryContext> = {}): Result<ScoredKey> {
    if (this.generation === undefined) this.refresh()
    const all = { ...NO_CONTEXT, ...context }
    if (isPrecise(query)) return preciseSearch(this.segments, this.documents, query, all)
    return new Searcher(this.segments, this.documents, query, all).run()
  }

  /** Sees these segments from now on, and evicts the rows of others. */
  #show(segments: readonly Segment[]): void {
    this.segments = segments
    this.#cache.forgetAllBut(new Set(segments.map(({ id }) => id)))
  }
}
