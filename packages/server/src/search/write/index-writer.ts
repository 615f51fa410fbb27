/** Changing the index: every change is a small segment, and small segments are merged into larger ones. */

import type { DocumentKey, SearchDocument } from '../port/document.ts'
import { type SegmentFile, type SegmentStore, TOMBSTONE_ROW } from '../port/segment-store.ts'
import { IndexReader } from '../read/index-reader.ts'
import { END } from '../read/postings-iterator.ts'
import { Pages } from '../read/row-cache.ts'
import { Segment } from '../read/segment.ts'
import { type Merged, mergeSegments } from './merge.ts'
import { SegmentBuilder } from './segment-builder.ts'

/** Segments of one size class that are merged together, and how much larger the next class is. */
const FAN = 4
/** The largest segment of the smallest class, in documents. */
const SMALLEST = 64
/** Merges of up to this many documents are done by the write that made them due: a few milliseconds. */
const AT_ONCE = 1024
/** A segment of which this part is dead is rewritten. */
const DEAD_PART = 0.3

/** A document that a write removes or replaces: as it was indexed, which its statistics are taken back by. */
export type Removed = SearchDocument

/** A merge under way. */
interface Merging {
  readonly inputs: readonly Segment[]
  readonly steps: Generator<number, Merged, void>
  /** The segment it writes. */
  building: number
}

/** A change that is written and seen by nobody yet. */
export interface Draft {
  readonly segment: number
  readonly head: Uint8Array
  /** What will be dead once it is published. */
  readonly removed: readonly DocumentKey[]
}

/**
 * Writes to an index. Every method belongs into the transaction that changes the entities; whenever such a transaction was
 * undone, call `forget` before anything else.
 */
export class IndexWriter {
  readonly #store: SegmentStore
  readonly #reader: IndexReader
  #merging: Merging | undefined

  constructor(store: SegmentStore) {
    this.#store = store
    this.#reader = new IndexReader(store, WRITER_PAGES)
  }

  /** Removes documents and adds others. A replaced one is given twice: as it was, and as it is. */
  change(removed: readonly Removed[], added: readonly SearchDocument[]): void {
    if (removed.length + added.length === 0) return
    this.#reader.refresh()
    const builder = new SegmentBuilder()
    for (const document of removed) builder.remove(document)
    for (const document of added) builder.add(document)
    this.#bury(removed)
    const { segment, head } = builder.write(this.#store)
    this.#store.publish(segment, head, [])
    this.#mergeSmall()
  }

  /** Adds documents to an index that holds none, none of them twice. */
  build(documents: Iterable<SearchDocument>): void {
    let builder = new SegmentBuilder()
    const write = () => {
      const { segment, head } = builder.write(this.#store)
      this.#store.publish(segment, head, [])
      builder = new SegmentBuilder()
    }
    for (const document of documents) {
      builder.add(document)
      if (builder.full) write()
    }
    if (!builder.empty) write()
    // One large segment instead of several: better now than with every search until the next merge.
    this.mergeAll()
  }

  /** Keeps a segment that was built elsewhere, unpublished. Which documents die with it is for the caller to add. */
  keep(
    head: Uint8Array,
    rows: Iterable<readonly [file: SegmentFile, row: number, bytes: Uint8Array]>,
  ): Draft {
    const segment = this.#store.create()
    for (const [file, row, bytes] of rows) this.#store.append(segment, file, row, bytes)
    return { segment, head, removed: [] }
  }

  /** Makes one draft of several that hold no document twice. Each step belongs into a transaction. */
  *mergeDrafts(drafts: readonly Draft[]): Generator<void, Draft, void> {
    const pages = new Pages(this.#store, WRITER_PAGES)
    const segments = drafts.map(({ segment, head }) => new Segment(segment, head, pages))
    const steps = mergeSegments(this.#store, segments)
    let step = steps.next()
    for (; !step.done; step = steps.next()) yield
    for (const { segment } of drafts) this.#store.discard(segment)
    const { segment, head } = step.value
    return { segment, head, removed: drafts.flatMap(({ removed }) => removed) }
  }

  /** Publishes a draft. */
  publish({ segment, head, removed }: Draft): void {
    this.#reader.refresh()
    this.#bury(removed)
    this.#store.publish(segment, head, [])
  }

  /** Gives up a draft. */
  discard({ segment }: Draft): void {
    this.#store.discard(segment)
  }

  #bury(keys: readonly DocumentKey[]): void {
    // What is marked here and then undone shall not stay marked.
    this.#reader.generation = undefined
    const changed = new Map<Segment, Set<number>>()
    for (const key of keys) {
      const place = this.#placeOf(key)
      if (!place) continue
      markDead(place.segment, place.document)
      const rows = changed.get(place.segment) ?? new Set()
      changed.set(place.segment, rows.add(Math.floor(place.document / TOMBSTONE_ROW)))
    }
    for (const [segment, rows] of changed) for (const row of rows) this.#writeTombstones(segment, row)
  }

  /**
   * Merges for about so many milliseconds, and removes rows that are no longer used. True where more is left to do.
   * Where the transaction around it is undone, call `abandonMerge` as well.
   */
  tidy(milliseconds: number): boolean {
    const end = performance.now() + milliseconds
    this.#reader.refresh()
    const merging = this.#merging ?? this.#beginMerging()
    if (!merging) return this.#store.sweep(SWEPT_ROWS)
    if (!this.#published(merging.inputs)) {
      this.#store.discard(merging.building)
      this.#merging = undefined
      return true
    }
    do {
      const step = merging.steps.next()
      if (step.done) {
        this.#merging = undefined
        this.#finish(merging.inputs, step.value)
        return true
      }
      merging.building = step.value
    } while (performance.now() < end)
    return true
  }

  /** Merges all segments into one, at once; those that are not in `except`. */
  mergeAll(except: ReadonlySet<number> = new Set()): void {
    this.#reader.refresh()
    const segments = this.#reader.segments.filter(({ id }) => !except.has(id))
    if (segments.length > 1) this.#mergeAtOnce(segments)
  }

  /** The published segments, by their ids. */
  segments(): Set<number> {
    this.#reader.refresh()
    return new Set(this.#reader.segments.map(({ id }) => id))
  }

  /** Forgets what it has read of segments that were undone: others may get their numbers. */
  forget(): void {
    let isCurrent = false
    try {
      isCurrent = this.#reader.generation === this.#store.generation()
    } finally {
      if (!isCurrent) this.#reader.forget()
    }
  }

  /** Forgets the merge under way, of which a step was undone. */
  abandonMerge(): void {
    this.#merging = undefined
  }

  #beginMerging(): Merging | undefined {
    const inputs = dueForMerge(this.#reader.segments)
    if (inputs.length === 0) return undefined
    const steps = mergeSegments(this.#store, inputs)
    const first = steps.next()
    if (first.done) throw new Error('A merge says first which segment it writes.')
    this.#merging = { inputs, steps, building: first.value }
    return this.#merging
  }

  /** Whether another process has left these segments as they are. */
  #published(segments: readonly Segment[]): boolean {
    return segments.every(({ id }) => this.#reader.segments.some((known) => known.id === id))
  }

  #mergeSmall(): void {
    for (;;) {
      this.#reader.refresh()
      const merging = new Set(this.#merging?.inputs.map(({ id }) => id))
      const due = dueForMerge(this.#reader.segments.filter(({ id }) => !merging.has(id)))
      if (due.length === 0 || sizeOf(due) > AT_ONCE) return
      this.#mergeAtOnce(due)
    }
  }

  #mergeAtOnce(segments: readonly Segment[]): void {
    const steps = mergeSegments(this.#store, segments)
    let step = steps.next()
    while (!step.done) step = steps.next()
    this.#finish(segments, step.value)
  }

  /** Publishes a merged segment, in which those that died meanwhile are dead as well. */
  #finish(inputs: readonly Segment[], { segment, head, numbers }: Merged): void {
    this.#reader.refresh()
    const dead: number[] = []
    for (const [at, { id }] of inputs.entries()) {
      const input = this.#reader.segments.find((known) => known.id === id)
      const renumbered = numbers[at]
      if (!input || !renumbered) throw new Error(`Segment ${id} vanished while it was merged.`)
      if (input.deadCount === 0) continue
      for (let document = 0; document < renumbered.length; document++) {
        if (input.isDead(document) && renumbered[document] !== END) dead.push(renumbered[document] as number)
      }
    }
    this.#store.publish(
      segment,
      head,
      inputs.map(({ id }) => id),
    )
    this.#reader.refresh()
    const merged = this.#reader.segments.find(({ id }) => id === segment)
    if (!merged || dead.length === 0) return
    this.#reader.generation = undefined
    for (const document of dead) markDead(merged, document)
    const rows = new Set(dead.map((document) => Math.floor(document / TOMBSTONE_ROW)))
    for (const row of rows) this.#writeTombstones(merged, row)
  }

  #placeOf(key: DocumentKey): { segment: Segment; document: number } | undefined {
    for (const segment of this.#reader.segments) {
      const document = segment.find(key)
      if (document >= 0 && !segment.isDead(document)) return { segment, document }
    }
    return undefined
  }

  #writeTombstones(segment: Segment, row: number): void {
    const bytes = TOMBSTONE_ROW / 8
    const bits = segment.dead?.slice(row * bytes, (row + 1) * bytes)
    if (bits) this.#store.bury(segment.id, row, bits)
  }
}

/** Rows removed in one step. */
const SWEPT_ROWS = 64
/** Bytes of rows a writer keeps: it reads little but documents. */
const WRITER_PAGES = 16 * 1024 * 1024

function markDead(segment: Segment, document: number): void {
  segment.dead ??= new Uint8Array(Math.ceil(segment.head.documents / TOMBSTONE_ROW) * (TOMBSTONE_ROW / 8))
  segment.dead[document >>> 3] = (segment.dead[document >>> 3] as number) | (1 << (document & 7))
  segment.deadCount += 1
}

/** The segments to merge next; none where all is in order. */
function dueForMerge(segments: readonly Segment[]): readonly Segment[] {
  const classes = new Map<number, Segment[]>()
  for (const segment of segments) {
    const size = classOf(segment.head.documents)
    const same = classes.get(size)
    if (same) same.push(segment)
    else classes.set(size, [segment])
  }
  for (const [, same] of [...classes].sort(([left], [right]) => left - right)) {
    if (same.length >= FAN) return same
  }
  const decayed = segments.find(
    ({ deadCount, head }) => deadCount > DEAD_PART * head.documents && head.documents > SMALLEST,
  )
  return decayed ? [decayed] : []
}

function classOf(documents: number): number {
  return documents <= SMALLEST ? 0 : Math.ceil(Math.log(documents / SMALLEST) / Math.log(FAN))
}

function sizeOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { head }) => sum + head.documents, 0)
}
