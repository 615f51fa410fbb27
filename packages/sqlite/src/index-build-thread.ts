/**
 * The thread that `index-build.ts` starts: turns changes of entities into segments of the search index, while the thread of the
 * store continues to read and stage.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { EntityChange, IndexRules } from '@worldwright/core/store'
import type { BuiltSegment, SegmentFile } from '@worldwright/search'
import { SegmentBuilder } from '@worldwright/search'
import { addedDocument, removedDocument } from '@worldwright/search/entities'

/** Messages of the thread: a segment that became full, or the end of its work on a list of changes. */
export type IndexBuildMessage = { readonly segment: BuiltSegment } | { readonly done: true }

/** Postings that make a segment full: some twenty megabytes while it is built. With twice as many, an import took 80 more. */
const FULL_POSTINGS = 1_000_000
/** Characters that make a segment full: removals have no postings, and words may all be different. */
const FULL_CHARACTERS = 64_000_000

let builder = new SegmentBuilder()
let characters = 0

function send(message: IndexBuildMessage, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved)
}

function take({ type, before, after }: EntityChange): void {
  characters += (before?.length ?? 0) + (after?.length ?? 0)
  const rules: IndexRules = workerData
  // A damaged entity is not subtracted: see `IndexWriter.isInexact`.
  if (before) builder.remove(removedDocument(type, before, rules))
  if (after !== undefined)
    builder.add(addedDocument({ type, before, after }, rules, Number.POSITIVE_INFINITY))
}

function sendSegment(): void {
  const rows: [SegmentFile, number, Uint8Array<ArrayBuffer>][] = []
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

// An empty list ends the thread.
parentPort?.on('message', (changes: readonly EntityChange[]) => {
  for (const change of changes) take(change)
  const full = builder.postings >= FULL_POSTINGS || characters >= FULL_CHARACTERS
  if (full || (changes.length === 0 && !builder.empty)) sendSegment()
  send({ done: true })
  if (changes.length === 0) parentPort?.close()
})
