/**
 * The thread that `drafting.ts` starts: takes changes apart for the search index and answers with segments, while the
 * thread of the store goes on reading and staging.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { SegmentFile } from '../../search/port/segment-store.ts'
import { SegmentBuilder } from '../../search/write/segment-builder.ts'
import type { SearchWeights } from '../contract.ts'
import { searchDocumentOf } from '../search-text.ts'

/** An entity that changes: JSON of what stands, and of what will stand. */
export type DraftChange = readonly [type: string, before: string | null, after: string | null]

/** A segment that no store has yet. */
export interface LooseSegment {
  readonly head: Uint8Array
  readonly rows: readonly (readonly [file: SegmentFile, row: number, bytes: Uint8Array<ArrayBuffer>])[]
}

/** What the thread says: a segment that became full, and that it is done with what it was given. */
export type DraftingMessage = { readonly segment: LooseSegment } | { readonly done: true }

/** Postings that make a segment full: it takes some twenty megabytes while it is built. */
const FULL_POSTINGS = 1_000_000
/** Characters that make it full: removals have no postings, and words may all be different. */
const FULL_CHARACTERS = 64_000_000

let builder = new SegmentBuilder()
let characters = 0

function send(message: DraftingMessage, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved)
}

function take([type, before, after]: DraftChange): void {
  characters += (before?.length ?? 0) + (after?.length ?? 0)
  const weights = (workerData as SearchWeights)[type]
  if (before !== null) builder.remove(searchDocumentOf(JSON.parse(before), weights))
  if (after !== null) builder.add(searchDocumentOf(JSON.parse(after), weights))
}

function sendSegment(): void {
  const rows: LooseSegment['rows'][number][] = []
  const { head } = builder.write({
    create: () => 0,
    append: (_, file, row, bytes) => rows.push([file, row, bytes.slice()]),
  })
  builder = new SegmentBuilder()
  characters = 0
  send(
    { segment: { head, rows } },
    rows.map(([, , bytes]) => bytes.buffer),
  )
}

// An empty list ends it.
parentPort?.on('message', (changes: readonly DraftChange[]) => {
  for (const change of changes) take(change)
  const full = builder.postings >= FULL_POSTINGS || characters >= FULL_CHARACTERS
  if (full || (changes.length === 0 && !builder.empty)) sendSegment()
  send({ done: true })
  if (changes.length === 0) parentPort?.close()
})
