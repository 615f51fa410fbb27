/** Updates an index. Every change creates a small segment, and small segments are merged into larger ones. */
import { END } from '../format/postings.ts'
import { headBytes, readHead, withoutWords } from '../format/segment-head.ts'
import type { DocumentKey, SearchDocument } from '../port/document.ts'
import { IndexDamage } from '../port/index-damage.ts'
import { type SegmentFile, type SegmentStore, TOMBSTONE_ROW } from '../port/segment-store.ts'
import { latestInstant } from '../read/columns.ts'
import { IndexReader } from '../read/index-reader.ts'
import { RowCache } from '../read/row-cache.ts'
import { Segment } from '../read/segment.ts'
import { type MergedSegment, SegmentMerge } from './merge.ts'
import { segmentsToMerge } from './merge-policy.ts'
import { SegmentBuilder } from './segment-builder.ts'
import type { WrittenSegment } from './segment-writer.ts'

/** Maximum number of documents to merge as part of the write that triggers the merge. This takes a few milliseconds. */
const MERGED_AT_ONCE = 1024
/** Maximum rows removed per call of `maintain`. */
const SWEPT_ROWS = 64
/** Row cache size, in bytes. A writer reads little except documents. */
const CACHE_BYTES = 16 * 1024 * 1024

/** A segment built by a `SegmentBuilder` elsewhere, such as in a worker thread, and not yet stored. */
export interface BuiltSegment {
  readonly head: Uint8Array
  readonly rows: Iterable<readonly [file: SegmentFile, row: number, bytes: Uint8Array]>
}

/** A segment that is stored but not visible to searches. */
export interface UnpublishedSegment extends WrittenSegment {
  readonly documents: number
  /** Documents that publishing deletes from other segments. This segment subtracts their words from the statistics. */
  readonly removed: readonly DocumentKey[]
  /** Documents whose words are no longer known. Publishing the segment deletes any that exist. */
  readonly unreadable: readonly DocumentKey[]
}

/**
 * Writes to an index. There is one writer at a time, and each call is part of the transaction that changes the entities.
 * After a rollback, call `forget`, and then `abandonMerge` if the transaction included a `maintain` call. A damaged index is
 * dropped, and document changes have no effect until it is rebuilt.
 */
export class IndexWriter {
  readonly #store: SegmentStore
  readonly #reader: IndexReader
  #merge: SegmentMerge | undefined

  constructor(store: SegmentStore) {
    this.#store = store
    this.#reader = new IndexReader(store, CACHE_BYTES)
  }

  /**
   * Removes and adds documents. Removed documents must be passed as they were indexed, since their terms are subtracted
   * from the statistics. A replaced document is in both lists. `unreadable` lists documents whose words are no longer known.
   * Any of these that exist are removed; see `isInexact`.
   */
  change(
    removed: readonly SearchDocument[],
    added: readonly SearchDocument[],
    unreadable: readonly DocumentKey[] = [],
  ): void {
    if (removed.length + added.length + unreadable.length === 0) return
    this.#unlessDamaged(() => {
      this.#reader.refresh()
      const builder = new SegmentBuilder()
      for (const document of removed) builder.remove(document)
      for (const document of added) builder.add(document)
      this.#delete(removed)
      const lost = this.#delete(unreadable)
      if (builder.empty && lost === 0) return
      const { segment, head } = builder.write(this.#store)
      this.#publish({ segment, head: lost === 0 ? head : headBytes(withoutWords(readHead(head), lost)) })
      this.#mergeSmall()
    })
  }

  /** Adds documents to an empty index. Their keys must be distinct. */
  build(documents: Iterable<SearchDocument>): void {
    this.#reader.refresh()
    let builder = new SegmentBuilder()
    for (const document of documents) {
      builder.add(document)
      if (!builder.full) continue
      this.#publish(builder.write(this.#store))
      builder = new SegmentBuilder()
    }
    if (!builder.empty) this.#publish(builder.write(this.#store))
    // One large segment costs less now than searching several until the next merge.
    this.mergeAll()
  }

  /** Stores a segment built elsewhere. The caller sets `removed` and `unreadable` before publishing it. */
  addBuilt({ head, rows }: BuiltSegment): UnpublishedSegment {
    const segment = this.#store.create()
    for (const [file, row, bytes] of rows) this.#store.append(segment, file, row, bytes)
    return { segment, head, documents: readHead(head).documents, removed: [], unreadable: [] }
  }

  /** Merges segments that have no documents in common. Each step runs in a transaction. */
  *mergeUnpublished(segments: readonly UnpublishedSegment[]): Generator<void, UnpublishedSegment, void> {
    const cache = new RowCache(this.#store, CACHE_BYTES)
    const opened = segments.map(({ segment, head }) => new Segment(segment, head, cache))
    const merge = new SegmentMerge(this.#store, opened)
    let merged = merge.step()
    for (; !merged; merged = merge.step()) yield
    for (const { segment } of segments) this.#store.discard(segment)
    const { segment, head } = merged
    const { documents } = readHead(head)
    const removed = segments.flatMap((one) => one.removed)
    return { segment, head, documents, removed, unreadable: segments.flatMap((one) => one.unreadable) }
  }

  /**
   * Reports whether a segment can be published with `moment`, which replaces its infinite instants. To keep all instants in
   * ascending order, `moment` must be later than the finite ones.
   */
  canPublish({ segment, head }: UnpublishedSegment, moment: number): boolean {
    return latestInstant(new Segment(segment, head, new RowCache(this.#store, CACHE_BYTES))) < moment
  }

  /**
   * Publishes a segment and deletes its `removed` and `unreadable` documents. `moment` (see `canPublish`) is absent if the
   * segment has no infinite instants.
   */
  publish({ segment, head, removed, unreadable }: UnpublishedSegment, moment?: number): void {
    const isPublished = this.#unlessDamaged(() => {
      this.#reader.refresh()
      this.#delete(removed)
      const known = withoutWords(readHead(head), this.#delete(unreadable))
      this.#publish({ segment, head: headBytes({ ...known, moment: moment ?? known.moment }) })
      return true
    })
    if (!isPublished) this.#store.discard(segment)
  }

  /** Discards an unpublished segment. */
  discard({ segment }: UnpublishedSegment): void {
    this.#store.discard(segment)
  }

  /**
   * Continues merging for about `milliseconds`, or removes unused rows if no merge is due. Returns true if work remains.
   */
  maintain(milliseconds: number): boolean {
    const isMore = this.#unlessDamaged(() => this.#maintain(performance.now() + milliseconds))
    return isMore ?? this.#store.sweep(SWEPT_ROWS)
  }

  #maintain(end: number): boolean {
    this.#reader.refresh()
    const merge = this.#merge ?? this.#beginMerge()
    if (!merge) return this.#store.sweep(SWEPT_ROWS)
    if (!merge.inputs.every(({ id }) => this.#published(id))) {
      // Another process has merged some of the inputs.
      this.#store.discard(merge.segment)
      this.#merge = undefined
      return true
    }
    do {
      const merged = merge.step()
      if (merged) {
        this.#merge = undefined
        this.#publishMerged(merge.inputs, merged)
        return true
      }
    } while (performance.now() < end)
    return true
  }

  /** Immediately merges all segments except those in `except` into one. */
  mergeAll(except: ReadonlySet<number> = new Set()): void {
    this.#unlessDamaged(() => {
      this.#reader.refresh()
      const segments = this.#reader.segments.filter(({ id }) => !except.has(id))
      if (segments.length > 1) this.#mergeAtOnce(segments)
    })
  }

  /**
   * Reports whether documents whose words are unknown were removed, as of the last call that read or wrote segments.
   * Searches do not return them, but the counts used for ranking and suggestions are slightly too high until the index is
   * rebuilt.
   */
  get isInexact(): boolean {
    return this.#reader.segments.some(({ head }) => head.unreadable > 0)
  }

  /** Returns the ids of the published segments. */
  segments(): Set<number> {
    this.#unlessDamaged(() => this.#reader.refresh())
    return new Set(this.#reader.segments.map(({ id }) => id))
  }

  /** Discards everything read if segments were rolled back, since the ids of these segments may be reused. */
  forget(): void {
    let isCurrent = false
    try {
      isCurrent = this.#reader.generation === this.#store.generation()
    } finally {
      if (!isCurrent) this.#reader.forget()
    }
  }

  /** Abandons the current merge after one of its steps was rolled back. */
  abandonMerge(): void {
    this.#merge = undefined
  }

  /** Runs `work` and returns its result. Returns undefined if there is no index, or if it is damaged and was dropped. */
  #unlessDamaged<T>(work: () => T): T | undefined {
    if (this.#store.generation() === undefined) return undefined
    try {
      return work()
    } catch (error) {
      if (!(error instanceof IndexDamage)) throw error
      this.#store.giveUp()
      this.#reader.forget()
      this.#merge = undefined
      return undefined
    }
  }

  #publish({ segment, head }: WrittenSegment, replaced: readonly Segment[] = []): void {
    const ids = replaced.map(({ id }) => id)
    this.#store.publish(segment, head, ids)
    this.#reader.take(segment, head, ids)
  }

  #beginMerge(): SegmentMerge | undefined {
    const inputs = segmentsToMerge(this.#reader.segments)
    if (inputs.length > 0) this.#merge = new SegmentMerge(this.#store, inputs)
    return this.#merge
  }

  #mergeSmall(): void {
    for (;;) {
      this.#reader.refresh()
      const merging = new Set(this.#merge?.inputs.map(({ id }) => id))
      const due = segmentsToMerge(this.#reader.segments.filter(({ id }) => !merging.has(id)))
      const documents = due.reduce((sum, { head }) => sum + head.documents, 0)
      if (due.length === 0 || documents > MERGED_AT_ONCE) return
      this.#mergeAtOnce(due)
    }
  }

  #mergeAtOnce(segments: readonly Segment[]): void {
    this.#publishMerged(segments, new SegmentMerge(this.#store, segments).finish())
  }

  /** Publishes a merged segment, then deletes from it the documents deleted from its inputs during the merge. */
  #publishMerged(inputs: readonly Segment[], merged: MergedSegment): void {
    this.#reader.refresh()
    const deleted: number[] = []
    for (const [at, { id }] of inputs.entries()) {
      const input = this.#published(id)
      const numbers = merged.numbers[at]
      if (!input || !numbers) throw new Error(`Segment ${id} vanished while it was merged.`)
      if (input.deletedCount === 0) continue
      for (let document = 0; document < numbers.length; document++) {
        const number = numbers[document] as number
        if (number !== END && input.isDeleted(document)) deleted.push(number)
      }
    }
    this.#publish(merged, inputs)
    this.#reader.refresh()
    const published = this.#published(merged.segment)
    if (published && deleted.length > 0) this.#markDeleted(published, deleted)
  }

  #published(id: number): Segment | undefined {
    return this.#reader.segments.find((segment) => segment.id === id)
  }

  /** Marks the documents with these keys as deleted, and returns how many there were. */
  #delete(keys: readonly DocumentKey[]): number {
    const found = new Map<Segment, number[]>()
    for (const key of keys) {
      for (const segment of this.#reader.segments) {
        const document = segment.find(key)
        if (document < 0 || segment.isDeleted(document)) continue
        const documents = found.get(segment)
        if (documents) documents.push(document)
        else found.set(segment, [document])
        break
      }
    }
    for (const [segment, documents] of found) this.#markDeleted(segment, documents)
    return found.values().reduce((sum, documents) => sum + documents.length, 0)
  }

  #markDeleted(segment: Segment, documents: readonly number[]): void {
    // If the transaction is rolled back halfway, the deletion marks must be read again.
    this.#reader.generation = undefined
    for (const document of documents) segment.markDeleted(document)
    const rows = new Set(documents.map((document) => Math.floor(document / TOMBSTONE_ROW)))
    for (const row of rows) this.#store.setTombstones(segment.id, row, segment.tombstones(row))
    this.#reader.generation = this.#store.generation()
  }
}
