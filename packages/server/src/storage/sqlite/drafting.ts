/** The search index of a large import, written while the import is staged, in segments that nobody sees yet. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DocumentKey } from '../../search/port/document.ts'
import type { IndexWriter, UnpublishedSegment } from '../../search/write/index-writer.ts'
import type { SearchWeights } from '../contract.ts'
import type { DraftChange, DraftingMessage, LooseSegment } from './drafting-thread.ts'
import { writing } from './transaction.ts'

/** What drafts are written by. */
export interface DraftingParts {
  readonly db: DatabaseSync
  readonly writer: IndexWriter
}

/** A draft on its way: it is published after `whole`, or given up at any time. */
export interface Drafting {
  /** Takes changes, none of an entity that it has taken before. Resolves when it can take more. */
  add(changes: readonly DraftChange[], removed: readonly DocumentKey[]): Promise<void>
  /** The draft of all changes. */
  whole(): Promise<UnpublishedSegment>
  /** Discards what was written. */
  giveUp(): Promise<void>
}

const PROGRAM = import.meta.filename.replace(/drafting(\.[jt]s)$/, 'drafting-thread$1')

/** Lists of changes that the thread may be behind. */
const MAX_BEHIND = 2

/** Drafts that are merged together, and how much larger the next class of them is: a merge looks at all of them each time. */
const FAN = 16

/** How long one step of merging drafts holds the lock, in milliseconds. */
const STEP_MS = 10

/** The thread makes much that is garbage at once; without bounds it would lie about. What it holds on to is some tens. */
const HEAP = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 }

/** Begins a draft by these weights. */
export function beginDrafting(parts: DraftingParts, weights: SearchWeights): Drafting {
  const thread = new Worker(PROGRAM, {
    workerData: weights,
    resourceLimits: HEAP,
  })
  const pile = draftPile(parts)
  const removed: DocumentKey[] = []
  let behind = 0
  let failure: { readonly error: unknown } | undefined
  let wake = () => {}
  // One after the other: a merge of drafts takes several transactions.
  let kept = Promise.resolve()

  const fail = (error: unknown) => {
    failure ??= { error }
    wake()
  }
  thread.on('message', (message: DraftingMessage) => {
    if ('done' in message) behind -= 1
    else kept = kept.then(() => pile.add(message.segment)).catch(fail)
    wake()
  })
  thread.on('error', fail)
  thread.on('exit', () => {
    if (behind > 0) fail(new Error('The thread that builds the search index of an import ended early.'))
  })
  // An import that nobody goes on with does not keep a process.
  thread.unref()

  /** Waits until the thread is at most so many lists behind, and what it has built is written. */
  async function until(most: number): Promise<void> {
    thread.ref()
    while (behind > most && !failure) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    thread.unref()
    await kept
    if (failure) throw failure.error
  }

  function give(changes: readonly DraftChange[]): void {
    behind += 1
    thread.postMessage(changes)
  }

  return {
    async add(changes, gone) {
      removed.push(...gone)
      if (changes.length > 0) give(changes)
      await until(MAX_BEHIND)
    },
    async whole() {
      give([])
      await until(0)
      return { ...(await pile.whole()), removed }
    },
    async giveUp() {
      await thread.terminate()
      await kept
      await pile.discard()
    },
  }
}

/** Drafts on their way to become one: of each class, never as many as are merged together. */
function draftPile(parts: DraftingParts) {
  const { db, writer } = parts
  const classes: UnpublishedSegment[][] = []
  const put = async (draft: UnpublishedSegment, size: number): Promise<void> => {
    const same = classes[size] ?? []
    classes[size] = same
    same.push(draft)
    if (same.length < FAN) return
    const merged = await oneDraft(parts, same)
    classes[size] = []
    await put(merged, size + 1)
  }
  return {
    async add({ head, rows }: LooseSegment): Promise<void> {
      await put(await writing(db, () => writer.addBuilt({ head, rows })), 0)
    },
    async whole(): Promise<UnpublishedSegment> {
      const draft = await oneDraft(parts, classes.flat())
      classes.splice(0, classes.length, [draft])
      return draft
    },
    async discard(): Promise<void> {
      await writing(db, () => {
        for (const draft of classes.flat()) writer.discard(draft)
      })
    },
  }
}

async function oneDraft(
  { db, writer }: DraftingParts,
  drafts: readonly UnpublishedSegment[],
): Promise<UnpublishedSegment> {
  const [only] = drafts
  if (only !== undefined && drafts.length === 1) return only
  const steps = writer.mergeUnpublished(drafts)
  for (;;) {
    const merged = await writing(db, () => {
      const end = performance.now() + STEP_MS
      for (;;) {
        const step = steps.next()
        if (step.done) return step.value
        if (performance.now() >= end) return undefined
      }
    })
    if (merged) return merged
    await turn()
  }
}
