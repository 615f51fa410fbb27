/** Jobs: work that continues after its call is answered, with progress, cancellation and a result for its caller alone. */
import type { ErrorBody, JsonValue } from '@worldwright/client/protocol'
import type { ActionContext } from '@worldwright/core'
import { WorldFault } from '@worldwright/core'
import { type MaybePromise, type NamedValues, namedValue, type Store } from '@worldwright/core/store'
import { type TransactionEntities, transact } from './transaction.ts'
import { createReader, type WorldReader } from './world-reader.ts'

/** Prefix of the values that hold jobs. They are not content, and not replicated. */
export const JOBS = '~~job/'

/** Number of leading characters of ids that name a slice: each new job forgets the old ones of its slice, 1/256 of all. */
const SLICE_CHARACTERS = 2

/** Retention time of a job after its last write, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Heartbeat interval of a running job, in milliseconds. Each heartbeat also detects a cancellation. */
const BEAT_MS = 2_000

/** Time without a heartbeat after which a job counts as lost with its process, in milliseconds. */
export const ALIVE_MS = 5 * BEAT_MS

/** Context of a job. Its reads are current. */
export interface JobContext extends WorldReader {
  /** Reads and writes by key in a transaction, as the handler of an action does, and returns the result of `run`. */
  transaction<T>(run: (entities: TransactionEntities) => Promise<T>): Promise<T>
  /** Aborted when the job is cancelled. */
  readonly signal: AbortSignal
  /** Reports the progress, from 0 to 1, and optionally the current step. */
  progress(done: number, message?: string): Promise<void>
}

/** Work of a job. Returns the output of the action. */
export type JobWork<Output = unknown> = (context: JobContext) => MaybePromise<Output>

/** Work that a handler returns, to be done after its call is answered. */
export class Job<Output = unknown> {
  readonly work: JobWork<Output>

  constructor(work: JobWork<Output>) {
    this.work = work
  }
}

/** A job as stored. `caller` and `at`, the time of its last write in milliseconds since 1970, are not shown to clients. */
export interface KeptJob {
  readonly action: string
  readonly caller: string | undefined
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  readonly progress: number
  readonly message?: string
  readonly output?: JsonValue
  readonly error?: ErrorBody
  readonly at: number
}

/** A job whose first state is stored together with the writes of its call. `start` runs it afterwards. */
export interface NewJob {
  readonly id: string
  readonly values: NamedValues
  /** Runs the work, and resolves after it. Never rejects. */
  start(): Promise<void>
}

/**
 * Prepares a job. `outputOf` validates the result of the work, and returns its JSON.
 * @throws WorldFault `forbidden` if the world has no store to keep it
 */
export async function newJob(
  { work }: Job,
  action: string,
  asked: ActionContext,
  outputOf: (result: unknown) => string,
): Promise<NewJob> {
  const { world, writes, caller, failed } = asked
  if (writes === undefined) throw new WorldFault('forbidden', 'This world cannot keep jobs.', { action })
  const id = crypto.randomUUID()
  const at = Date.now()
  const job: KeptJob = { action, caller: (await caller())?.id, state: 'running', progress: 0, at }
  const slice = await writes.store.values(JOBS + id.slice(0, SLICE_CHARACTERS))
  const old = [...slice].filter(([, { value }]) => JSON.parse(value).at < at - KEPT_MS)
  const running = new RunningJob(writes.store, JOBS + id, job, failed)
  return {
    id,
    values: {
      ...Object.fromEntries(old.map(([name]) => [name, undefined])),
      [JOBS + id]: JSON.stringify(job),
    },
    start: () =>
      running.run(async (progress, signal) => {
        const reader = createReader({ ...asked, signal })
        const transaction: JobContext['transaction'] = (run) => transact({ world, writes, signal }, run)
        return JSON.parse(outputOf(await work({ ...reader, transaction, signal, progress })))
      }),
  }
}

/** A job that runs in this process. A write fails if its previous one was replaced, which means cancellation. */
class RunningJob {
  readonly #store: Store
  readonly #name: string
  readonly #failed: ActionContext['failed']
  readonly #cancelled = new AbortController()
  #last: KeptJob
  #written: Promise<void> = Promise.resolve()

  constructor(store: Store, name: string, job: KeptJob, failed: ActionContext['failed']) {
    this.#failed = failed
    this.#store = store
    this.#name = name
    this.#last = job
  }

  /** Runs the work and stores the outcome. Never rejects. */
  async run(
    work: (progress: JobContext['progress'], signal: AbortSignal) => Promise<JsonValue>,
  ): Promise<void> {
    const { signal } = this.#cancelled
    const beat = setInterval(() => void this.#write({}).catch(() => {}), BEAT_MS)
    // A job that waits for nothing else does not keep its process alive. Only Node.js has `unref`.
    beat.unref?.()
    const progress = (done: number, message?: string) =>
      this.#write({
        progress: Math.min(1, Math.max(0, done || 0)),
        ...(message !== undefined && { message }),
      })
    try {
      const output = await work(progress, signal)
      await this.#write({ state: 'done', progress: 1, output })
    } catch (error) {
      if (!signal.aborted) await this.#write({ state: 'failed', error: this.#failed(error) }).catch(() => {})
    } finally {
      clearInterval(beat)
    }
  }

  #write(change: Partial<KeptJob>): Promise<void> {
    const written = this.#written.then(async () => {
      this.#cancelled.signal.throwIfAborted()
      while (this.#last.state === 'running') {
        const next = { ...this.#last, ...change, at: Date.now() }
        const values = { [this.#name]: JSON.stringify(next) }
        const ifValues = { [this.#name]: JSON.stringify(this.#last) }
        if ((await this.#store.write([], { values, ifValues })).done) {
          this.#last = next
          return
        }
        // The job is cancelled, unless an earlier write was applied although it reported an error.
        const stored = await namedValue(this.#store, this.#name)
        const job: KeptJob | undefined = stored && JSON.parse(stored.value)
        if (job?.state !== 'running') return this.#cancelled.abort()
        this.#last = job
      }
    })
    this.#written = written.catch(() => {})
    return written
  }
}
