/**
 * Searches in a process of their own: one for each server, shared by its workers, so that no search delays a read. It
 * opens the store for reading, and each search reads what is committed when the question reaches it. A process that
 * dies, or does not keep its time, is replaced.
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
import { AnswerLost, createCaller, unlessAborted } from './rpc.ts'

/** How a search process behaves. */
export interface SearchProcessOptions {
  /** What is added to a search's own budget before its process is taken for stuck, in milliseconds. */
  readonly graceMs?: number
}

/** Where searches go: a process that is started, watched and replaced. */
export interface SearchProcess {
  /** Answers a query. @throws StorageFault `busy` where the process died or was stuck twice */
  find(query: Query): Promise<Result<StoredEntity>>
  /** The process that searches now; undefined before the first search. */
  pid(): number | undefined
  /** Resolves when the process is gone: it reads the store until then. */
  close(): Promise<void>
}

/** A process that has been started. */
interface Running {
  readonly child: ChildProcess
  readonly call: ReturnType<typeof createCaller>
}

/** Enough for a queue of other searches before this one. */
const GRACE_MS = 2_000
/** A search is tried once more where its process died: it may have been somebody else's doing. */
const ATTEMPTS = 2

/** A process that searches the store of this URL, which exists; it is started by the first search. */
export function createSearchProcess(
  store: string,
  { graceMs = GRACE_MS }: SearchProcessOptions = {},
): SearchProcess {
  const program = import.meta.filename.replace(/search-process(\.[jt]s)$/, 'search-worker$1')
  let closed = false
  let running: Running | undefined

  function start() {
    const child = fork(program, [store])
    // Searching keeps no server alive.
    child.unref()
    child.channel?.unref()
    const started = { child, call: createCaller(child as Parameters<typeof createCaller>[0]) }
    // Whichever comes first: nothing more is asked of a process that is dying. Its calls fail with the channel.
    child.once('disconnect', () => dismiss(started))
    child.once('exit', () => dismiss(started))
    child.on('error', () => end(started))
    running = started
    return started
  }

  /** Asks nothing more of a process. */
  function dismiss(process: Running): void {
    if (running === process) running = undefined
  }

  /** Ends a process, and the calls it has not answered. */
  function end(process: Running): void {
    dismiss(process)
    process.child.kill('SIGKILL')
    if (process.child.connected) process.child.disconnect()
  }

  /** Undefined where the process died, or was stuck. */
  async function attempt({ signal, ...query }: Query): Promise<Result<StoredEntity> | undefined> {
    const asked = running ?? start()
    const timer = setTimeout(() => end(asked), query.budgetMs + graceMs)
    try {
      return (await unlessAborted(asked.call('find', query), signal)) as Result<StoredEntity>
    } catch (error) {
      const isBusy = error instanceof StorageFault && error.code === 'busy'
      if (!isBusy && !(error instanceof AnswerLost)) throw error
      // Its death may not have been told yet: what is asked next is asked of another.
      end(asked)
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async find(query) {
      query.signal?.throwIfAborted()
      for (let left = ATTEMPTS; left > 0 && !closed; left--) {
        const found = await attempt(query)
        if (found) return found
      }
      throw new StorageFault('busy', 'The search process gave no answer. Try again.')
    },
    pid: () => running?.child.pid,
    async close() {
      closed = true
      if (!running) return
      const { child } = running
      const ended = once(child, 'exit')
      end(running)
      child.ref()
      await ended
    },
  }
}

/** A store that searches elsewhere, and closes that with itself. */
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
