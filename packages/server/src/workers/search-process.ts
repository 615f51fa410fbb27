/**
 * Searches in a process of their own: one for each server, shared by its workers, so that no search delays a read. It
 * opens the store for reading, and each search reads what is committed when the question reaches it. A process that
 * dies, or does not keep its time, is replaced.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { type Found, type SearchQuery, type Storage, StorageFault } from '../storage/contract.ts'
import { createCaller } from './calls.ts'

/** How a search process behaves. */
export interface SearchProcessOptions {
  /** What is added to a search's own budget before its process is taken for stuck, in milliseconds. */
  readonly graceMs?: number
}

/** Where searches go. */
export interface SearchProcess {
  /** Answers a search. @throws StorageFault `busy` where the process died or was stuck twice */
  search(query: SearchQuery): Promise<Found>
  /** The process that searches now; undefined before the first search. */
  pid(): number | undefined
  close(): void
}

/** Enough for a queue of other searches before this one. */
const GRACE_MS = 2_000
/** A search is tried once more where its process died: it may have been somebody else's doing. */
const ATTEMPTS = 2

/** A process that searches this store's file; it is started by the first search. */
export function createSearchProcess(
  file: string,
  { graceMs = GRACE_MS }: SearchProcessOptions = {},
): SearchProcess {
  const program = import.meta.filename.replace(/search-process(\.[jt]s)$/, 'search-worker$1')
  let closed = false
  let running: { readonly child: ChildProcess; readonly call: ReturnType<typeof createCaller> } | undefined

  function start() {
    const child = fork(program, [file])
    // Searching keeps no server alive.
    child.unref()
    child.channel?.unref()
    // A question to a process that is just dying: its end is told by `exit`, and must not be this one's.
    child.on('error', () => {})
    const started = { child, call: createCaller(child as Parameters<typeof createCaller>[0]) }
    child.once('exit', () => {
      if (running === started) running = undefined
    })
    running = started
    return started
  }

  async function attempt(query: SearchQuery): Promise<Found | undefined> {
    const { child, call } = running ?? start()
    const given = Promise.withResolvers<undefined>()
    const gone = () => given.resolve(undefined)
    const timer = setTimeout(() => child.kill('SIGKILL'), query.budgetMs + graceMs)
    child.once('exit', gone)
    try {
      return (await Promise.race([call('search', query), given.promise])) as Found | undefined
    } finally {
      clearTimeout(timer)
      child.off('exit', gone)
    }
  }

  return {
    async search(query) {
      for (let left = ATTEMPTS; left > 0 && !closed; left--) {
        const found = await attempt(query)
        if (found) return found
      }
      throw new StorageFault('busy', 'The search process gave no answer. Try again.')
    },
    pid: () => running?.child.pid,
    close() {
      closed = true
      running?.child.kill()
      running = undefined
    },
  }
}

/** A store that searches elsewhere, and closes that with itself. */
export function searchingIn(storage: Storage, searcher: SearchProcess): Storage {
  return {
    ...storage,
    search: (query) => searcher.search(query),
    async close() {
      searcher.close()
      await storage.close()
    },
  }
}
