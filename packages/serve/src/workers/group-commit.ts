/**
 * Group commit: writes that arrive during a commit share the next transaction and its sync to disk. Each write is still
 * atomic, has its own preconditions, and is durable when it returns.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import type { Operation, Store, WriteOptions, WriteResult } from '@worldwright/core/store'
import { StoreFault, type StoreFaultCode } from '@worldwright/core/store'

/** A waiting write of one caller. */
interface Waiting {
  readonly operations: readonly Operation[]
  readonly options: WriteOptions
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of operations in a group. In a larger group, the first write would wait too long. */
const MAX_OPERATIONS = 1_000
/** The same in a database, where a refused write costs the others of its group another transaction. */
const MAX_IN_DATABASE = 100
/** Time budget of a group, which blocks the process, in milliseconds. A single write may take longer. */
const GROUP_MS = 25
/** Maximum wait for the writers of the last group, in milliseconds, if the store is a database. */
const RETURN_MS = 10
/** Event loop iterations between groups. Generous: a new connection takes three, to be accepted, read and answered. */
const TURNS = 4

/** Fault codes that concern the whole store: all writes of the group would fail in the same way. */
const OF_THE_STORE: ReadonlySet<StoreFaultCode> = new Set([
  'busy',
  'io',
  'unreachable',
  'undecided',
  'file_gone',
  'read_only',
  'newer_format',
])

/**
 * Returns a store that commits writes in groups, in order of arrival. Writes that conflict on metadata values are committed
 * in different groups. Closing waits for writes in progress.
 *
 * A group in a database takes about as long for many writes as for one, and does not block the process. It therefore has no
 * time budget, and waits for the writers of the last group, who usually write again once they have their answers.
 */
export function withGroupCommit(store: Store, now = () => performance.now()): Store {
  let waiting: Waiting[] = []
  let committing: Promise<void> | undefined
  /** Moving average of the time per operation, in milliseconds. */
  let took = 0
  let arrived: () => void = () => {}
  // Only the outcome of a write in a database can be unknown.
  const mostNow = () => (store.outcome ? MAX_IN_DATABASE : Math.min(MAX_OPERATIONS, GROUP_MS / took))
  // A group serves several requests, so it runs outside their asynchronous contexts.
  const apart = AsyncLocalStorage.snapshot()

  async function commitAll(): Promise<void> {
    // The first group waits for an iteration of the event loop, so that concurrent writes join it.
    for (await turn(); waiting.length > 0; ) {
      waiting = waiting.filter(isWanted)
      const size = groupSize(waiting, mostNow())
      const group = waiting.slice(0, size)
      waiting = waiting.slice(size)
      const began = now()
      await commit(store, group)
      const operations = group.reduce((sum, write) => sum + write.operations.length, 0)
      took = (took + (now() - began) / Math.max(1, operations)) / 2
      await (store.outcome ? gathered(group.length + waiting.length) : turns())
    }
    committing = undefined
  }

  /** Resolves once this many writes wait, or after `RETURN_MS`. */
  async function gathered(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const late = setTimeout(resolve, RETURN_MS)
    arrived = () => waiting.length >= count && resolve()
    arrived()
    await promise
    clearTimeout(late)
  }

  return {
    ...store,
    write(operations, options = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<WriteResult>()
      waiting.push({ operations, options, resolve, reject })
      arrived()
      committing ??= apart(commitAll)
      return promise
    },
    async close() {
      await committing
      await store.close()
    },
  }
}

/** Yields to events that arrived during a group. */
async function turns(): Promise<void> {
  for (let count = 0; count < TURNS; count++) await turn()
}

/** Rejects a write whose signal is aborted and returns false; otherwise returns true. */
function isWanted({ options: { signal }, reject }: Waiting): boolean {
  if (signal?.aborted) reject(signal.reason)
  return signal?.aborted !== true
}

/** Returns the number of waiting writes that form the next group: at least one, if there are any. */
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
 * Commits a group. If a write's precondition fails, the writes before it are committed first, so that the refusal reports
 * the state after them. The writes after it are committed next.
 */
async function commit(store: Store, group: readonly Waiting[]): Promise<void> {
  let left = group
  while (left.length > 0) {
    const [first] = left as [Waiting]
    const result = await attempt(store, left)
    if (result === undefined) return
    if (result.done) return settle(left, result)
    if ('failedValue' in result) {
      // No write in a group changes a value that the group's conditions check, so all writes with this condition fail.
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
      await commit(store, left.slice(0, refused))
      left = left.slice(refused)
    }
  }
}

/** Commits all operations as one write. If the store throws, settles every write and returns undefined. */
async function attempt(store: Store, group: readonly Waiting[]): Promise<WriteResult | undefined> {
  try {
    const all = new GroupValues()
    for (const { options } of group) all.take(options)
    return await store.write(
      group.flatMap(({ operations }) => operations),
      all,
    )
  } catch (error) {
    const isOfAll = error instanceof StoreFault && OF_THE_STORE.has(error.code)
    // Another node may hold one of the types. Commit the others, which it does not concern.
    const byTypes = Map.groupBy(group, typesOf)
    if (store.outcome && isOfAll && error.code === 'busy' && byTypes.size > 1)
      await Promise.all([...byTypes.values()].map((same) => commit(store, same)))
    // One write may have caused the error. Commit each write alone, so that the others do not fail with it.
    else if (isOfAll || group.length === 1) for (const { reject } of group) reject(error)
    else for (const write of group) await commit(store, [write])
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

function typesOf({ operations }: Waiting): string {
  const types = operations.map((operation) => ('put' in operation ? operation.put : operation.delete).type)
  return [...new Set(types)].sort().join(' ')
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

  /** Adds the values and conditions of a write. Returns false and adds nothing if they conflict with another write. */
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
