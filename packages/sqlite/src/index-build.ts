/** Builds the search index of a large import while it is staged, in unpublished segments. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { EntityChange, IndexRules } from '@worldwright/core/store'
import {
  type BuiltSegment,
  type DocumentKey,
  type IndexWriter,
  LARGEST_MERGED,
  type UnpublishedSegment,
} from '@worldwright/search'
import { inSteps } from './background.ts'
import type { IndexBuildMessage } from './index-build-thread.ts'
import { writing } from './transaction.ts'

const PROGRAM = import.meta.filename.replace(/index-build(\.[jt]s)$/, 'index-build-thread$1')

/** Maximum number of batches by which the thread may lag behind. */
const MAX_BEHIND = 2

/** Number of segments merged at once, and the ratio between size classes. A merge step examines all of its segments. */
const FAN = 16

/** Time for which a merge step may hold the write lock, in milliseconds. */
const STEP_MS = 10

/** Heap limits of the thread, in MB. Only some tens of MB are live; without limits, short-lived garbage would pile up. */
const HEAP = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 }

/** Builds segments in a thread. They can be published after `finish`, or discarded at any time. */
export class IndexBuild {
  readonly #thread: Worker
  readonly #queue: MergeQueue
  readonly #removed: DocumentKey[] = []
  readonly #unreadable: DocumentKey[] = []
  #behind = 0
  #failure: { readonly error: unknown } | undefined
  #wake = () => {}
  /** Chain of promises that stores segments one at a time, because a merge takes several transactions. */
  #stored = Promise.resolve()

  /** Starts the thread, which indexes by the given rules. Segments of `largest` documents are not merged further. */
  constructor(db: DatabaseSync, writer: IndexWriter, rules: IndexRules, largest = LARGEST_MERGED) {
    this.#queue = new MergeQueue(db, writer, largest)
    this.#thread = new Worker(PROGRAM, { workerData: rules, resourceLimits: HEAP })
    const fail = (error: unknown) => {
      this.#failure ??= { error }
      this.#wake()
    }
    this.#thread.on('message', (message: IndexBuildMessage) => {
      if ('done' in message) this.#behind -= 1
      else this.#stored = this.#stored.then(() => this.#queue.add(message.segment)).catch(fail)
      this.#wake()
    })
    this.#thread.on('error', fail)
    this.#thread.on('exit', () => {
      if (this.#behind > 0)
        fail(new Error('The thread that builds the search index of an import ended early.'))
    })
    // An abandoned import must not keep the process alive.
    this.#thread.unref()
  }

  /** Adds changes, in total at most one per entity. Resolves when more may be added. */
  async add(changes: readonly EntityChange[]): Promise<void> {
    for (const { type, id, before } of changes) {
      if (before === '') this.#unreadable.push({ type, id })
      else if (before !== undefined) this.#removed.push({ type, id })
    }
    if (changes.length > 0) this.#send(changes)
    await this.#caughtUp(MAX_BEHIND)
  }

  /** Returns segments with all changes, to be published in this order. No changes may be added afterwards. */
  async finish(): Promise<readonly UnpublishedSegment[]> {
    this.#send([])
    await this.#caughtUp(0)
    const [first, ...others] = await this.#queue.merged()
    // Removals must not affect documents of these segments, so the first one brings them along.
    return first ? [{ ...first, removed: this.#removed, unreadable: this.#unreadable }, ...others] : []
  }

  /** Ends the thread and discards its segments. */
  async discard(): Promise<void> {
    await this.#thread.terminate()
    await this.#stored
    await this.#queue.discard()
  }

  #send(changes: readonly EntityChange[]): void {
    this.#behind += 1
    this.#thread.postMessage(changes)
  }

  /** Waits until the thread is at most `most` batches behind and all its segments have been stored. */
  async #caughtUp(most: number): Promise<void> {
    this.#thread.ref()
    while (this.#behind > most && !this.#failure) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#thread.unref()
    await this.#stored
    if (this.#failure) throw this.#failure.error
  }
}

/** Segments to be merged. Invariant: a size class has fewer than `FAN` segments, and fewer than `largest` documents. */
class MergeQueue {
  readonly #db: DatabaseSync
  readonly #writer: IndexWriter
  readonly #largest: number
  readonly #classes: UnpublishedSegment[][] = []
  /** Segments too large to be merged with others. */
  readonly #whole: UnpublishedSegment[] = []

  constructor(db: DatabaseSync, writer: IndexWriter, largest: number) {
    this.#db = db
    this.#largest = largest
    this.#writer = writer
  }

  async add(built: BuiltSegment): Promise<void> {
    let segment = await writing(this.#db, () => this.#writer.addBuilt(built))
    for (let size = 0; ; size++) {
      const same = this.#classes[size] ?? []
      this.#classes[size] = same
      same.push(segment)
      const documents = same.reduce((sum, one) => sum + one.documents, 0)
      if (same.length < FAN && documents < this.#largest) return
      segment = await this.#merge(same)
      this.#classes[size] = []
      if (documents >= this.#largest) {
        this.#whole.push(segment)
        return
      }
    }
  }

  /** Merges what is not too large. */
  async merged(): Promise<readonly UnpublishedSegment[]> {
    const segments = this.#classes.flat()
    if (segments.length > 0 || this.#whole.length === 0) this.#whole.push(await this.#merge(segments))
    this.#classes.length = 0
    return this.#whole
  }

  async discard(): Promise<void> {
    await writing(this.#db, () => {
      for (const segment of [...this.#whole, ...this.#classes.flat()]) this.#writer.discard(segment)
    })
  }

  async #merge(segments: readonly UnpublishedSegment[]): Promise<UnpublishedSegment> {
    const [only] = segments
    if (only !== undefined && segments.length === 1) return only
    const steps = this.#writer.mergeUnpublished(segments)
    for (; ; await turn()) {
      const merged = await writing(this.#db, () => {
        const end = performance.now() + STEP_MS
        for (;;) {
          const step = steps.next()
          if (step.done) return step.value
          if (performance.now() >= end) return undefined
        }
      })
      if (!merged) continue
      // Removes the rows of the merged segments, so that what is written next takes their pages.
      await inSteps(this.#db, () => this.#writer.maintain(STEP_MS)).catch(() => this.#writer.abandonMerge())
      return merged
    }
  }
}
