/** Builds the search index of a large import while it is staged, in unpublished segments. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { EntityChange, IndexRules } from '@worldwright/core/store'
import type { BuiltSegment, DocumentKey, IndexWriter, UnpublishedSegment } from '@worldwright/search'
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

/** Builds one segment in a thread. The segment can be published after `finish`, or discarded at any time. */
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

  /** Starts the thread, which indexes by the given rules. */
  constructor(db: DatabaseSync, writer: IndexWriter, rules: IndexRules) {
    this.#queue = new MergeQueue(db, writer)
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

  /** Returns a single segment with all changes. No changes may be added afterwards. */
  async finish(): Promise<UnpublishedSegment> {
    this.#send([])
    await this.#caughtUp(0)
    return { ...(await this.#queue.merged()), removed: this.#removed, unreadable: this.#unreadable }
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

/** Segments to be merged into one. Invariant: every size class has fewer than `FAN` segments. */
class MergeQueue {
  readonly #db: DatabaseSync
  readonly #writer: IndexWriter
  readonly #classes: UnpublishedSegment[][] = []

  constructor(db: DatabaseSync, writer: IndexWriter) {
    this.#db = db
    this.#writer = writer
  }

  async add(built: BuiltSegment): Promise<void> {
    let segment = await writing(this.#db, () => this.#writer.addBuilt(built))
    for (let size = 0; ; size++) {
      const same = this.#classes[size] ?? []
      this.#classes[size] = same
      same.push(segment)
      if (same.length < FAN) return
      segment = await this.#merge(same)
      this.#classes[size] = []
    }
  }

  async merged(): Promise<UnpublishedSegment> {
    const segment = await this.#merge(this.#classes.flat())
    this.#classes.splice(0, this.#classes.length, [segment])
    return segment
  }

  async discard(): Promise<void> {
    await writing(this.#db, () => {
      for (const segment of this.#classes.flat()) this.#writer.discard(segment)
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
      if (merged) return merged
    }
  }
}
