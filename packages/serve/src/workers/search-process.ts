/**
 * Searches in a process of their own: one for each server, shared by its workers, so that no search delays a read. It
 * opens the store for reading, and each search reads what is committed when its turn comes. Searches wait here and not
 * there: clients take turns, what would wait too long is refused at once, and a search that never ends takes only itself
 * with it. A process that dies, or is stuck, is replaced.
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

/** How a search process behaves. */
export interface SearchProcessOptions {
  /** How much longer than its own budget a search may run before its process counts as stuck, in milliseconds. */
  readonly graceMs?: number
  /** Orders the first hits by meaning too: the folder of a model, absolute, and the types whose hits it ranks. Absent: by words alone. */
  readonly meaning?: { readonly folder: string; readonly types: readonly string[] } | undefined
  /** The program of the process. It says `ready` when it answers `find`. */
  readonly program?: string
}

/** A process that has been started. */
interface Running {
  readonly child: ChildProcess
  readonly call: Caller
  /** What it was sent, in that order: it works on the first, and the others wait for it. */
  readonly sent: Search[]
  /** When it began to answer, as of `performance.now()`; undefined while it starts, and is sent nothing. */
  readySince: number | undefined
  /** How many searches it has answered. */
  answered: number
  /** Ends it where the first of them takes too long. */
  limit: NodeJS.Timeout | undefined
}

/** A search that has no answer yet. */
interface Search {
  readonly query: Query
  readonly client: Client
  /** In characters. */
  readonly cost: number
  readonly resolve: (result: Result<StoredEntity>) => void
  readonly reject: (error: unknown) => void
  /** How many processes died while they worked on it. */
  deaths: number
}

const PROGRAM = import.meta.filename.replace(/search-process(\.[jt]s)$/, 'search-worker$1')
/** A search that looks at its budget ends within it: this is for a machine that is busy with other things. */
const GRACE_MS = 2_000
/**
 * How nice it is to the other processes of the server (nice(1)): where the cores are full, reads and signs of life go first. Of a
 * core that it shares, it still has two fifths.
 */
const NICENESS = 2
/** A process that does not come up within this time never will. */
const START_MS = 15_000
/** After a process that could not start, another one would only fail as well. */
const START_PAUSE_MS = 500
/**
 * How much work may wait, as milliseconds on a core of its own: with a third of a core it is done before it has waited for
 * too long. A client that waits sends nothing else; one that is refused asks again, which costs a part of a short search.
 */
const MAX_QUEUE_MS = 1_000
/** How long anything waits for a process that works, whatever the estimates said. */
const MAX_WAIT_MS = 3_000
/** Work that lies ready at the process, so that it never waits for the next question. */
const AHEAD_MS = 2
/** A search that was running when its process died is tried once more: something else may have been the cause. */
const MAX_DEATHS = 1
/** What every search costs, as if its text were longer by so many characters. */
const BASE_CHARACTERS = 8
/** What finding entities like another one costs: as much as a text of its words. */
const SIMILAR_CHARACTERS = 150
/** Milliseconds for each character of a search, before any was measured. */
const FIRST_RATE = 0.2
/** The least it ever is: a clock may say that a search took no time at all. */
const LEAST_RATE = 0.001
/** How much of the newest of many measurements goes into the rate. */
const RATE_WEIGHT = 0.05

const NOBODY: Client = { address: '', connection: 0 }

/** The process that searches a store. It is started by the first search. */
export class SearchProcess {
  readonly #graceMs: number
  readonly #program: string
  readonly #args: readonly string[]
  readonly #waiting = new FairQueue<Search>(() => MAX_QUEUE_MS / this.#rate)
  /** Milliseconds for each character of a search, as measured. */
  #rate = FIRST_RATE
  #running: Running | undefined
  #pausedUntil = 0
  #closed = false

  /** @param store the URL of the store, which exists when the first search comes */
  constructor(store: string, { graceMs = GRACE_MS, program = PROGRAM, meaning }: SearchProcessOptions = {}) {
    this.#args = meaning ? [store, JSON.stringify(meaning)] : [store]
    this.#graceMs = graceMs
    this.#program = program
  }

  /**
   * Answers a query.
   * @throws StorageFault `overloaded`, at once where too much waits already; `busy` where the process died or was stuck
   */
  async find({ signal, client = NOBODY, ...query }: Query): Promise<Result<StoredEntity>> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Result<StoredEntity>>()
    const cost = BASE_CHARACTERS + (query.text?.length ?? 0) + (query.similar ? SIMILAR_CHARACTERS : 0)
    const search: Search = { query, client, cost, resolve, reject, deaths: 0 }
    const giveUp = (error: unknown) => {
      // What is at the process already keeps its place there: nothing interrupts it.
      this.#waiting.remove(search)
      reject(error)
    }
    const timer = setInterval(() => {
      // Who waits for a process that starts does not wait for others.
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

  /** The process that searches now; undefined before the first search. */
  pid(): number | undefined {
    return this.#running?.child.pid
  }

  /** Resolves when the process is gone: it reads the store until then. */
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

  /** Keeps the process at work. */
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

  /** The first of what a process was sent is its work from now on. */
  #begin(running: Running): void {
    clearTimeout(running.limit)
    const [first] = running.sent
    if (first === undefined) return
    running.limit = setTimeout(() => this.#end(running, true), first.query.budgetMs + this.#graceMs)
  }

  /** `workedMs`: absent for a search that failed, which counts as what it was thought to cost. */
  #answered(running: Running, search: Search, settle: () => void, workedMs?: number): void {
    if (running.sent[0] !== search) return
    running.sent.shift()
    if (workedMs !== undefined) this.#learn(running, search, workedMs)
    settle()
    this.#begin(running)
    this.#send()
  }

  /**
   * Work counts by the time it needs on a core of its own: how much waits does not grow because others use the core,
   * such as those who refuse what is too much.
   */
  #learn(running: Running, search: Search, workedMs: number): void {
    const { cost } = search
    // The first one of a process also waits for its code and its files. The next few are all that is known.
    const weight = running.answered === 0 ? 0 : Math.max(RATE_WEIGHT, 1 / running.answered)
    this.#rate += weight * (Math.max(workedMs / cost, LEAST_RATE) - this.#rate)
    running.answered += 1
    this.#waiting.correct(search, workedMs / this.#rate - cost)
  }

  /** Undefined if one could not start a moment ago. */
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
    // Searching keeps no server alive.
    child.unref()
    child.channel?.unref()
    // Whichever comes first: a process that is dying gets no more queries.
    for (const event of ['disconnect', 'exit', 'error'])
      child.once(event, () => {
        clearTimeout(tooLong)
        this.#end(started)
      })
    child.on('error', () => {})
    this.#running = started
    return started
  }

  /** Ends a process. What it was sent and has not answered goes to another one, except what it was stuck in. */
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

/** A store that searches in a process of its own, and closes that with itself. */
export function withSearchProcess(storage: Store, searcher: SearchProcess): Store {
  return {
    ...storage,
    find: (query) => searcher.find(query),
    async close() {
      // The last connection takes the log of the store into its file: that is to be this one.
      await searcher.close()
      await storage.close()
    },
  }
}
