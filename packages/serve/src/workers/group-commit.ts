/**
 * Writes that arrive while another commits go together into the next transaction: one sync to disk for many. To each
 * caller it is as if its write had been alone: all or nothing, its own preconditions, durable when it returns.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import type { Operation, Store, WriteOptions, WriteResult } from '@worldwright/core/store'
import { StorageFault, type StorageFaultCode } from '@worldwright/core/store'

/** One caller's write, waiting. */
interface Waiting {
  readonly operations: readonly Operation[]
  readonly options: WriteOptions
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

/** The most operations of one group: more would let the first of them wait for work that is not its own. */
const MAX_OPERATIONS = 1_000
/** How long one group may take, by what the last ones took: nothing else is done meanwhile. A single write may take longer. */
const GROUP_MS = 25
/** Turns of the event loop between two groups: a new connection needs one to be taken, one to be read, and one to be answered. */
const TURNS = 4

/** What no write is the cause of: each would fail in the same way. */
const OF_THE_STORE: ReadonlySet<StorageFaultCode> = new Set([
  'busy',
  'io',
  'unreachable',
  'undecided',
  'file_gone',
  'read_only',
  'newer_format',
])

/**
 * A store that commits writes in groups, in the order in which they came. A write that names values which another
 * changes is not in one group with it. Closing waits for the writes under way.
 */
export function withGroupCommit(storage: Store, now = () => performance.now()): Store {
  let waiting: Waiting[] = []
  let committing: Promise<void> | undefined
  /** What one operation took of late, in milliseconds. */
  let took = 0
  // A group belongs to several requests, and runs in the asynchronous context of none.
  const apart = AsyncLocalStorage.snapshot()

  async function commitAll(): Promise<void> {
    // A turn of the event loop before the first group: what has arrived by then belongs to it.
    for (await turn(); waiting.length > 0; await turns()) {
      waiting = waiting.filter(isWanted)
      const size = groupSize(waiting, Math.min(MAX_OPERATIONS, GROUP_MS / took))
      const group = waiting.slice(0, size)
      waiting = waiting.slice(size)
      const began = now()
      await commit(storage, group)
      const operations = group.reduce((sum, write) => sum + write.operations.length, 0)
      took = (took + (now() - began) / Math.max(1, operations)) / 2
    }
    committing = undefined
  }

  return {
    ...storage,
    write(operations, options = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<WriteResult>()
      waiting.push({ operations, options, resolve, reject })
      committing ??= apart(commitAll)
      return promise
    },
    async close() {
      await committing
      await storage.close()
    },
  }
}

/** Lets everything else have its turn, which has waited for a group. */
async function turns(): Promise<void> {
  for (let count = 0; count < TURNS; count++) await turn()
}

/** Whether a write is still wanted. Rejects one whose signal is aborted. */
function isWanted({ options: { signal }, reject }: Waiting): boolean {
  if (signal?.aborted) reject(signal.reason)
  return signal?.aborted !== true
}

/** How many of the waiting writes go together: at least one, if there are any. */
function groupSize(waiting: readonly Waiting[], maxOperations: number): number {
  let operations = 0
  const group = new GroupValues()
  const full = waiting.findIndex((write) => {
    operations += write.operations.length
    return operations > maxOperations || !group.take(write.options)
  })
  return full < 0 ? waiting.length : Math.max(1, full)
}

/**
 * Commits a group. If a write's precondition fails, those before it are committed first, so that the refusal says what
 * then stands; those after it follow.
 */
async function commit(storage: Store, group: readonly Waiting[]): Promise<void> {
  let left = group
  while (left.length > 0) {
    const [first] = left as [Waiting]
    const result = await attempt(storage, left)
    if (result === undefined) return
    if (result.done) return settle(left, result)
    if ('failedValue' in result) {
      // Nobody in the group changes what its conditions name: each that has this one is refused for what stands.
      const name = result.failedValue
      const isRefused = ({ options }: Waiting) => Object.hasOwn(options.ifValues ?? {}, name)
      for (const { resolve } of left.filter(isRefused)) resolve(result)
      left = left.filter((write) => !isRefused(write))
      continue
    }
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

/** The result of all their operations as one write; undefined if that failed, and each caller has its error. */
async function attempt(storage: Store, group: readonly Waiting[]): Promise<WriteResult | undefined> {
  try {
    const all = new GroupValues()
    for (const { options } of group) all.take(options)
    return await storage.write(
      group.flatMap(({ operations }) => operations),
      all,
    )
  } catch (error) {
    const isOfAll = error instanceof StorageFault && OF_THE_STORE.has(error.code)
    // The cause may be one of the writes: the others must not fail with it.
    if (isOfAll || group.length === 1) for (const { reject } of group) reject(error)
    else for (const write of group) await commit(storage, [write])
    return undefined
  }
}

function settle(group: readonly Waiting[], { outcomes, position }: WriteResult & { done: true }): void {
  let start = 0
  for (const { operations, resolve } of group) {
    resolve({ done: true, outcomes: outcomes.slice(start, start + operations.length), position })
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

/** The values of several writes, as that of one. */
class GroupValues {
  readonly values: Record<string, string | undefined> = {}
  readonly ifValues: Record<string, string | undefined> = {}

  /** Adds what a write keeps and depends on. False, with nothing added, where another of the group would change it. */
  take({ values = {}, ifValues = {} }: WriteOptions): boolean {
    const kept = Object.keys(values)
    const meets =
      [...kept, ...Object.keys(ifValues)].some((name) => Object.hasOwn(this.values, name)) ||
      kept.some((name) => Object.hasOwn(this.ifValues, name)) ||
      Object.entries(ifValues).some(
        ([name, value]) => Object.hasOwn(this.ifValues, name) && this.ifValues[name] !== value,
      )
    if (meets) return false
    Object.assign(this.values, values)
    Object.assign(this.ifValues, ifValues)
    return true
  }
}
