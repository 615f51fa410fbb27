/**
 * Thread started by `index-build.ts`. It turns entity changes into search index segments while the store's thread continues
 * to read and stage.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { EntityChange, IndexRules } from '@worldwright/core/store'
import { type BuiltSegment, SegmentBuilder, type SegmentFile } from '@worldwright/search'
import { addedDocument, removedDocument } from '@worldwright/search/entities'

/** Message from the thread: a completed segment, or the notice that a batch of changes is done. */
export type IndexBuildMessage = { readonly segment: BuiltSegment } | { readonly done: true }

/** Number of postings at which a segment is complete. A million would cost 33 MB more memory, and no less time. */
const FULL_POSTINGS = 400_000
/** Number of characters at which a segment is complete. Limits removals, which have no postings, and distinct words. */
const FULL_CHARACTERS = 64_000_000

let builder = new SegmentBuilder()
let characters = 0

function send(message: IndexBuildMessage, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved)
}

function take({ type, before, after }: EntityChange): void {
  characters += (before?.length ?? 0) + (after?.length ?? 0)
  const rules: IndexRules = workerData
  // A damaged entity (empty `before`) is not removed; see `IndexWriter.isInexact`.
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

// An empty batch ends the thread.
parentPort?.on('message', (changes: readonly EntityChange[]) => {
  for (const change of changes) take(change)
  const full = builder.postings >= FULL_POSTINGS || characters >= FULL_CHARACTERS
  if (full || (changes.length === 0 && !builder.empty)) sendSegment()
  send({ done: true })
  if (changes.length === 0) parentPort?.close()
})
