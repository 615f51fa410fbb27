/**
 * Group commit: writes that arrive while another one commits go together into the next transaction, with one sync to disk. Each
 * caller sees its write as if alone: all or nothing, its own preconditions, durable when it returns.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import type { Operation, Store, WriteOptions, WriteResult } from '@worldwright/core/store'
import { StorageFault, type StorageFaultCode } from '@worldwright/core/store'

/** A waiting write of one caller. */
interface Waiting {
  readonly operations: readonly Operation[]
  readonly options: WriteOptions
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

/** Maximum operations of a group: more would let the first of them wait for work that is not its own. */
const MAX_OPERATIONS = 1_000
/** Time budget of a group, in milliseconds, estimated from the last ones: it blocks all else. One write may take longer. */
const GROUP_MS = 25
/** Turns of the event loop between two groups: a new connection needs one each to be accepted, read and answered. */
const TURNS = 4

/** Faults that no single write causes: each would fail in the same way. */
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
 * Returns a store that commits writes in groups, in order of arrival. A write that names values which another one changes is
 * not in the same group. Closing waits for writes in progress.
 */
export function withGroupCommit(storage: Store, now = () => performance.now()): Store {
  let waiting: Waiting[] = []
  let committing: Promise<void> | undefined
  /** Recent time of one operation, in milliseconds. */
  let took = 0
  // A group belongs to several requests, and runs in the asynchronous context of none.
  const apart = AsyncLocalStorage.snapshot()

  async function commitAll(): Promise<void> {
    // The first group waits for a turn of the event loop: writes that have arrived by then belong to it.
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

/** Lets everything that has waited for a group have its turn. */
async function turns(): Promise<void> {
  for (let count = 0; count < TURNS; count++) await turn()
}

/** Reports whether a write is still wanted. Rejects one whose signal is aborted. */
function isWanted({ options: { signal }, reject }: Waiting): boolean {
  if (signal?.aborted) reject(signal.reason)
  return signal?.aborted !== true
}

/** Returns the number of waiting writes that go together: at least one, if there are any. */
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
 * Commits a group. If a write's precondition fails, those before it are committed first, so that the refusal reports the state
 * after them; those after it follow.
 */
async function commit(storage: Store, group: readonly Waiting[]): Promise<void> {
  let left = group
  while (left.length > 0) {
    const [first] = left as [Waiting]
    const result = await attempt(storage, left)
    if (result === undefined) return
    if (result.done) return settle(left, result)
    if ('failedValue' in result) {
      // No write of the group changes a value in its conditions: each write with this condition is refused.
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

/** Tries all operations as one write, and returns its result; undefined if that failed, and each caller has its own result. */
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

/** Returns the index of the write that an operation of the group belongs to. */
function indexOfOperation(group: readonly Waiting[], operation: number): number {
  let end = 0
  return group.findIndex(({ operations }) => {
    end += operations.length
    return operation < end
  })
}

/** Values and conditions of several writes, merged. */
class GroupValues {
  readonly values: Record<string, string | undefined> = {}
  readonly ifValues: Record<string, string | undefined> = {}

  /** Adds the values and conditions of a write. Returns false, with nothing added, if another write of the group conflicts. */
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
