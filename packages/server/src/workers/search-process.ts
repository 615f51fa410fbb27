/**
 * Searches in a process of their own: one for each server, shared by its workers, so that no search delays a read. It
 * opens the store for reading, and each search reads what is committed when the query reaches it. A process that dies,
 * or exceeds its time, is replaced.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  type Query,
  type Result,
  type Storage,
  StorageFault,
  type StoredEntity,
} from '../storage/contract.ts'
import { AnswerLost, type Caller, type Channel, createCaller } from './rpc.ts'

/** How a search process behaves. */
export interface SearchProcessOptions {
  /** How much longer than its own budget a search may take before its process counts as stuck, in milliseconds. */
  readonly graceMs?: number
}

/** A process that has been started. */
interface Running {
  readonly child: ChildProcess
  readonly call: Caller
}

const PROGRAM = import.meta.filename.replace(/search-process(\.[jt]s)$/, 'search-worker$1')
/** Enough for a queue of other searches before this one. */
const GRACE_MS = 2_000
/** A search is tried once more where its process died: another search may have been the cause. */
const ATTEMPTS = 2

/** The process that searches a store. It is started by the first search. */
export class SearchProcess {
  readonly #store: string
  readonly #graceMs: number
  #running: Running | undefined
  #closed = false

  /** @param store the URL of the store, which exists when the first search comes */
  constructor(store: string, { graceMs = GRACE_MS }: SearchProcessOptions = {}) {
    this.#store = store
    this.#graceMs = graceMs
  }

  /** Answers a query. @throws StorageFault `busy` where the process died or was stuck twice */
  async find(query: Query): Promise<Result<StoredEntity>> {
    for (let left = ATTEMPTS; left > 0 && !this.#closed; left--) {
      const found = await this.#attempt(query)
      if (found) return found
    }
    throw new StorageFault('busy', 'The search process gave no answer. Try again.')
  }

  /** The process that searches now; undefined before the first search. */
  pid(): number | undefined {
    return this.#running?.child.pid
  }

  /** Resolves when the process is gone: it reads the store until then. */
  async close(): Promise<void> {
    this.#closed = true
    if (!this.#running) return
    const { child } = this.#running
    const ended = once(child, 'exit')
    this.#end(this.#running)
    child.ref()
    await ended
  }

  /** Undefined where the process died, or was stuck. */
  async #attempt({ signal, ...query }: Query): Promise<Result<StoredEntity> | undefined> {
    const asked = this.#running ?? this.#start()
    const timer = setTimeout(() => this.#end(asked), query.budgetMs + this.#graceMs)
    try {
      return (await asked.call('find', [query], signal)) as Result<StoredEntity>
    } catch (error) {
      const isBusy = error instanceof StorageFault && error.code === 'busy'
      if (!isBusy && !(error instanceof AnswerLost)) throw error
      // Its exit may not have been noticed yet: the next query goes to another process.
      this.#end(asked)
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  #start(): Running {
    const child = fork(PROGRAM, [this.#store])
    // Searching keeps no server alive.
    child.unref()
    child.channel?.unref()
    const started = { child, call: createCaller(child as Channel) }
    // Whichever comes first: a process that is dying gets no more queries. Its calls fail with the channel.
    child.once('disconnect', () => this.#dismiss(started))
    child.once('exit', () => this.#dismiss(started))
    child.on('error', () => this.#end(started))
    this.#running = started
    return started
  }

  /** Sends no more queries to a process. */
  #dismiss(process: Running): void {
    if (this.#running === process) this.#running = undefined
  }

  /** Ends a process, and the calls it has not answered. */
  #end(process: Running): void {
    this.#dismiss(process)
    process.child.kill('SIGKILL')
    if (process.child.connected) process.child.disconnect()
  }
}

/** A store that searches in a process of its own, and closes that with itself. */
export function withSearchProcess(storage: Storage, searcher: SearchProcess): Storage {
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
