/**
 * Writes that arrive while another commits go together into the next transaction: one sync to disk for many. To each
 * caller it is as if its write had been alone: all or nothing, its own preconditions, durable when it returns.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Operation, Storage, WriteResult } from '../storage/contract.ts'
import { StorageFault } from '../storage/contract.ts'

/** One caller's write, waiting. */
interface Waiting {
  readonly operations: readonly Operation[]
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

/** The most operations of one group: more would let the first of them wait for work that is not its own. */
const MAX_OPERATIONS = 1_000

/**
 * A store that commits writes in groups, in the order in which they came. Writes with notes are commits of their own.
 * Closing it waits for those under way.
 */
export function withGroupCommit(storage: Storage): Storage {
  let waiting: Waiting[] = []
  let committing: Promise<void> | undefined

  async function commitAll(): Promise<void> {
    // A turn of the event loop before each group: what has arrived by then belongs to it.
    for (await turn(); waiting.length > 0; await turn()) {
      const size = groupSize(waiting)
      const group = waiting.slice(0, size)
      waiting = waiting.slice(size)
      await commit(storage, group)
    }
    committing = undefined
  }

  return {
    ...storage,
    write(operations, notes) {
      // Its notes see the store right after its own operations.
      if (notes) return storage.write(operations, notes)
      const { promise, resolve, reject } = Promise.withResolvers<WriteResult>()
      waiting.push({ operations, resolve, reject })
      committing ??= commitAll()
      return promise
    },
    async close() {
      await committing
      await storage.close()
    },
  }
}

/** How many of the waiting writes go together: at least one. */
function groupSize(waiting: readonly Waiting[]): number {
  let operations = 0
  const full = waiting.findIndex((write) => {
    operations += write.operations.length
    return operations > MAX_OPERATIONS
  })
  return full < 0 ? waiting.length : Math.max(1, full)
}

/**
 * Commits a group. Where a write's precondition fails, those before it are committed first, so that it is refused for
 * what then stands, and the rest goes on after it.
 */
async function commit(storage: Storage, group: readonly Waiting[]): Promise<void> {
  let left = group
  while (left.length > 0) {
    const [first] = left as [Waiting]
    const result = await attempt(storage, left)
    if (result === undefined) return
    if (result.done) return settle(left, result.outcomes)
    const refused = indexOfOperation(left, result.failed)
    if (refused === 0) {
      first.resolve(result)
      left = left.slice(1)
    } else {
      await commit(storage, left.slice(0, refused))
      left = left.slice(refused)
    }
  }
}

/** The result of all their operations as one write; undefined where that failed, and the callers have been told. */
async function attempt(storage: Storage, group: readonly Waiting[]): Promise<WriteResult | undefined> {
  try {
    return await storage.write(group.flatMap(({ operations }) => operations))
  } catch (error) {
    const isBusy = error instanceof StorageFault && error.code === 'busy'
    // One write alone may be what the store cannot take; the others shall not fail with it.
    if (isBusy || group.length === 1) for (const { reject } of group) reject(error)
    else for (const write of group) await commit(storage, [write])
    return undefined
  }
}

function settle(group: readonly Waiting[], outcomes: (WriteResult & { done: true })['outcomes']): void {
  let start = 0
  for (const { operations, resolve } of group) {
    resolve({ done: true, outcomes: outcomes.slice(start, start + operations.length) })
    start += operations.length
  }
}

/** Which write of a group an operation of all of them belongs to. */
function indexOfOperation(group: readonly Waiting[], operation: number): number {
  let end = 0
  return group.findIndex(({ operations }) => {
    end += operations.length
    return operation < end
  })
}
