import { IndexDamage } from '../port/index-damage.ts'
import type { Query, Result, ScoredKey } from '../port/search-query.ts'
import type { SegmentReads } from '../port/segment-store.ts'
import { isOfSome } from './clauses.ts'
import { Deadline } from './deadline.ts'
import { isPrecise, preciseSearch } from './precise-search.ts'
import { NO_CONTEXT, type QueryContext } from './query-context.ts'
import { broadOf, readingOf, superlativeIn, whyOf } from './reading.ts'
import { RowCache } from './row-cache.ts'
import { Searcher } from './searcher.ts'
import { Segment } from './segment.ts'
import { Vocabulary } from './vocabulary.ts'

/** An open index. It sees the segments as of the last `refresh`, and none before the first `refresh`. */
export class IndexReader {
  /** The published segments. */
  segments: readonly Segment[] = []
  /** Store generation to which `segments` belongs, or undefined if the segments must be read again. */
  generation: number | string | undefined
  readonly #store: SegmentReads
  readonly #cacheBytes: number | undefined
  #cache: RowCache

  /** Opens the index. `cacheBytes` limits the memory for cached rows. */
  constructor(store: SegmentReads, cacheBytes?: number) {
    this.#store = store
    this.#cacheBytes = cacheBytes
    this.#cache = new RowCache(store, cacheBytes)
  }

  /** Discards everything read so far, so that the next `refresh` reads it again. */
  forget(): void {
    this.segments = []
    this.generation = undefined
    this.#cache = new RowCache(this.#store, this.#cacheBytes)
  }

  /** Reads the store's segments and tombstones if they have changed. @throws IndexDamage, also if there is no index */
  refresh(): void {
    const generation = this.#store.generation()
    if (generation === undefined)
      throw new IndexDamage('The search index is being built again from the entities. Try again soon.')
    if (generation === this.generation) return
    // Reset first, in case reading fails halfway.
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

  /** Adopts a segment that the open transaction has published since the last `refresh`, without rereading anything. */
  take(id: number, head: Uint8Array, replaced: readonly number[]): void {
    // Reset first, in case this fails halfway.
    this.generation = undefined
    const kept = this.segments.filter((segment) => !replaced.includes(segment.id))
    this.#show([...kept, new Segment(id, head, this.#cache)])
    this.generation = this.#store.generation()
  }

  /** Number of live documents in the index. */
  get documents(): number {
    return this.segments.reduce((sum, { head }) => sum + head.documents + head.deletionDelta, 0)
  }

  /** Answers a query. Any text is valid. Text without words matches nothing. @throws IndexDamage if the index is damaged */
  search(query: Query, context: Partial<QueryContext> = {}): Result<ScoredKey> {
    if (this.generation === undefined) this.refresh()
    const all = { ...NO_CONTEXT, ...context }
    const synonyms = query.plain ? all.synonyms.plain : all.synonyms
    const vocabulary = new Vocabulary(this.segments, new Deadline(query.budgetMs, query.signal))
    const reading = readingOf(query, synonyms, (term) => isOfSome(term, vocabulary, this.documents))
    const found = reading.queries.map((one) => this.#search(one, { ...all, synonyms: synonyms.plain }))
    const superlative = superlativeIn(reading, found)
    const result = this.#search(query, { ...all, synonyms, superlative })
    const partial = result.partial || found.some((one) => one.partial)
    const broad = broadOf(query, result, { vocabulary, documents: this.documents })
    return { ...result, partial, ...whyOf(reading, found), ...broad }
  }

  #search(query: Query, context: QueryContext): Result<ScoredKey> {
    const { segments, documents } = this
    if (isPrecise(query)) return preciseSearch(segments, documents, query, context)
    return new Searcher(segments, documents, query, context).run()
  }

  /** Switches to these segments and evicts the cached rows of all others. */
  #show(segments: readonly Segment[]): void {
    this.segments = segments
    this.#cache.forgetAllBut(new Set(segments.map(({ id }) => id)))
  }
}
