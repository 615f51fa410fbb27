/**
 * Runs searches in a separate process, so that they do not delay reads. The workers of a server share one search process.
 * It opens the store for reading, and each search sees the commits made before it starts. Searches queue in the primary:
 * clients take turns, excess load is refused immediately, and a search that hangs affects no other. A process that dies or
 * hangs is replaced.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  type Client,
  OVERLOADED_FAULT,
  type Query,
  type Result,
  type Store,
  type StoredEntity,
  StoreFault,
} from '@worldwright/core/store'
import { FairQueue, type Waiting } from '../overload/fair-queue.ts'
import { forkProcess } from './fork-process.ts'
import { AnswerLost, type Caller, type Channel, createCaller, NotSent } from './rpc.ts'
import { afterWorking, CoreDelay, type Timed } from './worked-time.ts'

/** Options for a search process. */
export interface SearchProcessOptions {
  /** Time beyond its budget after which a search counts as hung, in milliseconds. */
  readonly graceMs?: number
  /** Absolute folder of a model that reranks the first hits by meaning, and the types it applies to. Default: no model. */
  readonly meaning?: { readonly folder: string; readonly types: readonly string[] } | undefined
  /** Program of the process. It must send `ready` once it can serve `find`. */
  readonly program?: string
}

/** A search process that was started. */
interface Running {
  readonly child: ChildProcess
  readonly call: Caller
  /** Searches sent to the process, in order. The process works on the first one. */
  readonly sent: Search[]
  /** Time at which the process became ready, by `performance.now()`. Until then undefined, and no searches are sent. */
  readySince: number | undefined
  /** Number of searches answered by this process. */
  answered: number
  readonly delay: CoreDelay
  /** Cancels the timer that kills the process if its current search takes too long. */
  cancelLimit: (() => void) | undefined
}

/** A search that is queued or running. Its cost is an estimate, in characters. */
interface Search extends Waiting {
  readonly query: Query
  readonly resolve: (result: Result<StoredEntity>) => void
  readonly reject: (error: unknown) => void
  /** Number of processes that died while they ran this search. */
  deaths: number
}

const PROGRAM = import.meta.filename.replace(/search-process(\.[jt]s)$/, 'search-worker$1')
/** Default grace period, in milliseconds. Searches keep to their budget unless the machine is busy. */
const GRACE_MS = 2_000
/**
 * Niceness of the process (nice(1)), so that reads and heartbeats have priority if the cores are busy. On a shared core, it
 * still gets two fifths of the time.
 */
const NICENESS = 2
/** Start timeout, in milliseconds. A process that takes longer is assumed to hang. */
const START_MS = 15_000
/** Backoff after a failed start, in milliseconds, since another process would probably fail too. */
const START_PAUSE_MS = 500
/**
 * Maximum queued work, in milliseconds on a dedicated core. A third of a core completes it within `MAX_WAIT_MS`. A queued
 * client sends no further requests, but a refused client retries, which costs a fraction of a short search.
 */
const MAX_QUEUE_MS = 1_000
/** Maximum queueing time while the process runs, in milliseconds. */
const MAX_WAIT_MS = 3_000
/** Work sent to the process in advance, in milliseconds, so that the process does not wait for the next query. */
const AHEAD_MS = 2
/** Maximum retries of a search whose process died. The search may not be the cause. */
const MAX_DEATHS = 1
/** Fixed cost of a search, in characters of its text. */
const BASE_CHARACTERS = 8
/** Cost of a search for similar entities, in characters: about as much as for a text query with the entity's words. */
const SIMILAR_CHARACTERS = 150
/** Initial rate, in milliseconds per character of a search. */
const FIRST_RATE = 0.2
/** Minimum rate, since a search may take no time on a coarse clock. */
const LEAST_RATE = 0.001
/** Weight of the latest measurement in the rate after many measurements. */
const RATE_WEIGHT = 0.05

const NOBODY: Client = { address: '', connection: 0 }

/** Manages the search process of a store. The first search starts it. */
export class SearchProcess {
  readonly #graceMs: number
  readonly #program: string
  readonly #args: readonly string[]
  readonly #waiting = new FairQueue<Search>(() => MAX_QUEUE_MS / this.#rate)
  /** Measured rate, in milliseconds per character of a search. */
  #rate = FIRST_RATE
  #running: Running | undefined
  #pausedUntil = 0
  #closed = false

  /** @param store URL of the store, which must exist at the first search */
  constructor(store: string, { graceMs = GRACE_MS, program = PROGRAM, meaning }: SearchProcessOptions = {}) {
    this.#args = meaning ? [store, JSON.stringify(meaning)] : [store]
    this.#graceMs = graceMs
    this.#program = program
  }

  /**
   * Runs a query in the search process.
   * @throws StoreFault `overloaded` if too much is queued or the wait is too long; `busy` if the process died or hung
   */
  async find({ signal, client = NOBODY, ...query }: Query): Promise<Result<StoredEntity>> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Result<StoredEntity>>()
    const cost = BASE_CHARACTERS + (query.text?.length ?? 0) + (query.similar ? SIMILAR_CHARACTERS : 0)
    const search: Search = { query, client, cost, resolve, reject, deaths: 0 }
    const giveUp = (error: unknown) => {
      // A search that was already sent to the process is not interrupted.
      this.#waiting.remove(search)
      reject(error)
    }
    const timer = setInterval(() => {
      // The start of a process does not count as waiting.
      const waitedMs = performance.now() - (this.#running?.readySince ?? Number.POSITIVE_INFINITY)
      if (waitedMs >= MAX_WAIT_MS && this.#waiting.remove(search)) reject(OVERLOADED_FAULT)
    }, MAX_WAIT_MS)
    const abort = () => giveUp(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      for (const refused of this.#waiting.add(search)) refused.reject(OVERLOADED_FAULT)
      this.#send()
      return await promise
    } finally {
      clearInterval(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Returns the process id; undefined before the first search. */
  pid(): number | undefined {
    return this.#running?.child.pid
  }

  /** Ends the process. Resolves when it has exited, because it reads the store until then. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#running) {
      const { child } = this.#running
      const ended = once(child, 'exit')
      child.ref()
      this.#end(this.#running)
      await ended
    }
    for (const { reject } of this.#waiting.clear()) reject(noAnswer())
  }

  /** Sends queued searches to the process, starting it if necessary. */
  #send(): void {
    while (this.#waiting.size > 0) {
      const running = this.#running ?? this.#start()
      if (running === undefined) {
        for (const { reject } of this.#waiting.clear()) reject(noAnswer())
        return
      }
      const ahead = running.sent.reduce((sum, { cost }) => sum + cost, 0) * this.#rate
      if (running.readySince === undefined || (running.sent.length > 0 && ahead > AHEAD_MS)) return
      const next = this.#waiting.take()
      if (next === undefined) return
      running.sent.push(next)
      if (running.sent.length === 1) this.#begin(running)
      const answered = running.call('find', [next.query])
      answered.then(
        (answer) => {
          const { result, workedMs } = answer as Timed<Result<StoredEntity>>
          this.#answered(running, next, () => next.resolve(result), workedMs)
        },
        (error) => {
          if (error instanceof AnswerLost || error instanceof NotSent) this.#end(running)
          else this.#answered(running, next, () => next.reject(error))
        },
      )
    }
  }

  /** Starts the time limit of the search that is now running, the first of those sent. */
  #begin(running: Running): void {
    running.cancelLimit?.()
    const [first] = running.sent
    if (first === undefined) return
    const limitMs = first.query.budgetMs + this.#graceMs
    running.cancelLimit = afterWorking(running.delay, limitMs, () => this.#end(running, true))
  }

  /** Settles a search. `workedMs` is undefined for a failed search, which is charged its estimated cost. */
  #answered(running: Running, search: Search, settle: () => void, workedMs?: number): void {
    if (running.sent[0] !== search) return
    running.sent.shift()
    if (workedMs !== undefined) this.#learn(running, search, workedMs)
    settle()
    this.#begin(running)
    this.#send()
  }

  /**
   * Adjusts the rate by the CPU time used, so that the estimate of queued work does not grow when other processes, such as
   * workers that refuse excess load, use the core.
   */
  #learn(running: Running, search: Search, workedMs: number): void {
    const { cost } = search
    // Ignore the first search of a process, which also loads code and files. Average the next few.
    const weight = running.answered === 0 ? 0 : Math.max(RATE_WEIGHT, 1 / running.answered)
    this.#rate += weight * (Math.max(workedMs / cost, LEAST_RATE) - this.#rate)
    running.answered += 1
    this.#waiting.correct(search, workedMs / this.#rate - cost)
  }

  /** Starts a process. Returns undefined if closed, or during the backoff after a failed start. */
  #start(): Running | undefined {
    if (this.#closed || performance.now() < this.#pausedUntil) return undefined
    const child = forkProcess(this.#program, this.#args, { niceness: NICENESS })
    const started: Running = {
      child,
      call: createCaller(child as Channel),
      sent: [],
      readySince: undefined,
      answered: 0,
      delay: new CoreDelay(child.pid ?? 'self'),
      cancelLimit: undefined,
    }
    const tooLong = setTimeout(() => this.#end(started), START_MS).unref()
    child.on('message', (message) => {
      if (message !== 'ready') return
      clearTimeout(tooLong)
      started.readySince = performance.now()
      this.#send()
    })
    // A search process must not keep the server alive.
    child.unref()
    child.channel?.unref()
    // End the process at the first of these events, so that a dying process gets no more queries.
    for (const event of ['disconnect', 'exit', 'error'])
      child.once(event, () => {
        clearTimeout(tooLong)
        this.#end(started)
      })
    child.on('error', () => {})
    this.#running = started
    return started
  }

  /** Ends a process. Its unanswered searches are retried in another process, except for the one that hung, if any. */
  #end(running: Running, stuck = false): void {
    if (this.#running !== running) return
    this.#running = undefined
    running.cancelLimit?.()
    running.delay.close()
    if (running.readySince === undefined) this.#pausedUntil = performance.now() + START_PAUSE_MS
    const [first, ...others] = running.sent.splice(0)
    if (first) first.deaths += 1
    const isOver = first && (stuck || first.deaths > MAX_DEATHS || this.#closed)
    if (isOver) first.reject(noAnswer())
    this.#waiting.putBack(first && !isOver ? [first, ...others] : others)
    running.child.kill('SIGKILL')
    if (running.child.connected) running.child.disconnect()
    if (!this.#closed) this.#send()
  }
}

function noAnswer(): StoreFault {
  return new StoreFault('busy', 'The search process gave no answer. Try again.')
}

/** Returns a store that runs searches in the search process, which is closed with the store. */
export function withSearchProcess(store: Store, searcher: SearchProcess): Store {
  return {
    ...store,
    find: (query) => searcher.find(query),
    async close() {
      // The last connection to close checkpoints the log, so close the store after the search process.
      await searcher.close()
      await store.close()
    },
  }
}
