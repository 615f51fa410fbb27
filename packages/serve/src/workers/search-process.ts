/**
 * Searches in a process of their own: one for each server, shared by its workers, so that no search delays a read. It opens the
 * store for reading, and each search reads what is committed when its turn comes. Searches queue here and not there: clients
 * take turns, excess load is refused at once, and a search that never ends takes only itself with it. A process that dies or
 * hangs is replaced.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  type Client,
  OVERLOADED_FAULT,
  type Query,
  type Result,
  StorageFault,
  type Store,
  type StoredEntity,
} from '@worldwright/core/store'
import { FairQueue } from '../overload/fair-queue.ts'
import { forkProcess } from './fork-process.ts'
import { AnswerLost, type Caller, type Channel, createCaller, NotSent } from './rpc.ts'
import type { Timed } from './worked-time.ts'

/** Options of a search process. */
export interface SearchProcessOptions {
  /** Time past its own budget after which a search counts as hung, in milliseconds. */
  readonly graceMs?: number
  /** Ranks the first hits by meaning too: absolute folder of a model, and the types that it ranks. Absent: by words only. */
  readonly meaning?: { readonly folder: string; readonly types: readonly string[] } | undefined
  /** Program of the process. It sends `ready` once it answers `find`. */
  readonly program?: string
}

/** A process that has been started. */
interface Running {
  readonly child: ChildProcess
  readonly call: Caller
  /** Searches sent, in order: the process works on the first, and the others wait for it. */
  readonly sent: Search[]
  /** Start of answering, as of `performance.now()`; undefined while the process starts, and is sent nothing. */
  readySince: number | undefined
  /** Number of searches that it has answered. */
  answered: number
  /** Ends the process if the first of them takes too long. */
  limit: NodeJS.Timeout | undefined
}

/** A search that has no answer yet. */
interface Search {
  readonly query: Query
  readonly client: Client
  /** Estimated work, in characters. */
  readonly cost: number
  readonly resolve: (result: Result<StoredEntity>) => void
  readonly reject: (error: unknown) => void
  /** Number of processes that died while they worked on it. */
  deaths: number
}

const PROGRAM = import.meta.filename.replace(/search-process(\.[jt]s)$/, 'search-worker$1')
/** Default grace, in milliseconds. A search keeps to its own budget: this is for a machine that is busy with other things. */
const GRACE_MS = 2_000
/**
 * Niceness of the process (nice(1)): if the cores are busy, reads and heartbeats go first. On a core that it shares, it still
 * gets two fifths.
 */
const NICENESS = 2
/** Start timeout, in milliseconds: a process that takes longer will never be ready. */
const START_MS = 15_000
/** Pause after a failed start, in milliseconds: another process would only fail as well. */
const START_PAUSE_MS = 500
/**
 * Maximum queued work, in milliseconds on a core of its own: with a third of a core it is done before it has waited for too
 * long. A queued client sends no further requests; a refused one asks again, which costs a part of a short search.
 */
const MAX_QUEUE_MS = 1_000
/** Maximum wait for a running process, in milliseconds, whatever the estimates said. */
const MAX_WAIT_MS = 3_000
/** Work sent ahead to the process, in milliseconds, so that it never waits for the next query. */
const AHEAD_MS = 2
/** Deaths that a running search survives: it is tried once more, as something else may have been the cause. */
const MAX_DEATHS = 1
/** Fixed cost of a search, in characters of its text. */
const BASE_CHARACTERS = 8
/** Cost of finding similar entities, in characters: as much as a text of its words. */
const SIMILAR_CHARACTERS = 150
/** Milliseconds for each character of a search, before the first measurement. */
const FIRST_RATE = 0.2
/** Minimum rate: a clock may show that a search took no time at all. */
const LEAST_RATE = 0.001
/** Weight of the newest of many measurements in the rate. */
const RATE_WEIGHT = 0.05

const NOBODY: Client = { address: '', connection: 0 }

/** Owns the process that searches a store. The first search starts it. */
export class SearchProcess {
  readonly #graceMs: number
  readonly #program: string
  readonly #args: readonly string[]
  readonly #waiting = new FairQueue<Search>(() => MAX_QUEUE_MS / this.#rate)
  /** Measured milliseconds for each character of a search. */
  #rate = FIRST_RATE
  #running: Running | undefined
  #pausedUntil = 0
  #closed = false

  /** @param store URL of the store, which exists by the first search */
  constructor(store: string, { graceMs = GRACE_MS, program = PROGRAM, meaning }: SearchProcessOptions = {}) {
    this.#args = meaning ? [store, JSON.stringify(meaning)] : [store]
    this.#graceMs = graceMs
    this.#program = program
  }

  /**
   * Answers a query.
   * @throws StorageFault `overloaded`, at once if too much is queued; `busy` if the process died or hung
   */
  async find({ signal, client = NOBODY, ...query }: Query): Promise<Result<StoredEntity>> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Result<StoredEntity>>()
    const cost = BASE_CHARACTERS + (query.text?.length ?? 0) + (query.similar ? SIMILAR_CHARACTERS : 0)
    const search: Search = { query, client, cost, resolve, reject, deaths: 0 }
    const giveUp = (error: unknown) => {
      // A search that was sent already keeps its place at the process: nothing interrupts it.
      this.#waiting.remove(search)
      reject(error)
    }
    const timer = setInterval(() => {
      // A search that waits for a process to start does not wait for others.
      const waitedMs = performance.now() - (this.#running?.readySince ?? Number.POSITIVE_INFINITY)
      if (waitedMs >= MAX_WAIT_MS && this.#waiting.remove(search)) reject(OVERLOADED_FAULT)
    }, MAX_WAIT_MS)
    const abort = () => giveUp(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      refuse(this.#waiting.add(search))
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

  /** Ends the process. Resolves when it is gone: it reads the store until then. */
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

  /** Keeps the process busy. */
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

  /** Starts the time limit of the first search sent, which the process works on from now on. */
  #begin(running: Running): void {
    clearTimeout(running.limit)
    const [first] = running.sent
    if (first === undefined) return
    running.limit = setTimeout(() => this.#end(running, true), first.query.budgetMs + this.#graceMs)
  }

  /** Settles a search. `workedMs` is absent for a search that failed, which counts with its estimated cost. */
  #answered(running: Running, search: Search, settle: () => void, workedMs?: number): void {
    if (running.sent[0] !== search) return
    running.sent.shift()
    if (workedMs !== undefined) this.#learn(running, search, workedMs)
    settle()
    this.#begin(running)
    this.#send()
  }

  /**
   * Adjusts the rate. Work counts by its time on a core of its own: the queued work does not grow because others use the core,
   * such as the processes that refuse excess load.
   */
  #learn(running: Running, search: Search, workedMs: number): void {
    const { cost } = search
    // The first search of a process also waits for code and files: it does not count. The next few count in full.
    const weight = running.answered === 0 ? 0 : Math.max(RATE_WEIGHT, 1 / running.answered)
    this.#rate += weight * (Math.max(workedMs / cost, LEAST_RATE) - this.#rate)
    running.answered += 1
    this.#waiting.correct(search, workedMs / this.#rate - cost)
  }

  /** Starts a process; undefined after closing, or shortly after a failed start. */
  #start(): Running | undefined {
    if (this.#closed || performance.now() < this.#pausedUntil) return undefined
    const child = forkProcess(this.#program, this.#args, { niceness: NICENESS })
    const started: Running = {
      child,
      call: createCaller(child as Channel),
      sent: [],
      readySince: undefined,
      answered: 0,
      limit: undefined,
    }
    const tooLong = setTimeout(() => this.#end(started), START_MS).unref()
    child.on('message', (message) => {
      if (message !== 'ready') return
      clearTimeout(tooLong)
      started.readySince = performance.now()
      this.#send()
    })
    // A search process keeps no server alive.
    child.unref()
    child.channel?.unref()
    // Whichever comes first: a dying process gets no more queries.
    for (const event of ['disconnect', 'exit', 'error'])
      child.once(event, () => {
        clearTimeout(tooLong)
        this.#end(started)
      })
    child.on('error', () => {})
    this.#running = started
    return started
  }

  /** Ends a process. Its unanswered searches go to another one, except the one that it hung in. */
  #end(running: Running, stuck = false): void {
    if (this.#running !== running) return
    this.#running = undefined
    clearTimeout(running.limit)
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

function refuse(searches: readonly Search[]): void {
  for (const { reject } of searches) reject(OVERLOADED_FAULT)
}

function noAnswer(): StorageFault {
  return new StorageFault('busy', 'The search process gave no answer. Try again.')
}

/** Returns a store that searches in a process of its own, and closes that process with itself. */
export function withSearchProcess(storage: Store, searcher: SearchProcess): Store {
  return {
    ...storage,
    find: (query) => searcher.find(query),
    async close() {
      // The last connection to close checkpoints the log into the file: it must be this one.
      await searcher.close()
      await storage.close()
    },
  }
}
