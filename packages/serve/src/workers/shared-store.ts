/**
 * Shares a store between the primary, which writes, and its workers, which read. A worker sends writes and searches to the
 * primary. A write returns once it is durable, and the next read of every worker sees it.
 */
import {
  type AddOptions,
  type Bulk,
  type CommitOptions,
  type CommitResult,
  type ImportStart,
  type Query,
  type Repeated,
  type Result,
  type Store,
  type StoredEntity,
  StoreFault,
  type UnstagedCount,
  type WriteOptions,
  type WriteResult,
} from '@worldwright/core/store'
import { AnswerLost, type Caller, type Methods } from './rpc.ts'

/**
 * Creates the store of a worker, which reads from `reader` and calls the primary for writes and searches. If the primary
 * dies or hangs, a write that was sent fails with `undecided`, and all other calls with `busy`.
 */
export function createSharedStore(reader: Store, call: Caller): Store {
  const askOr =
    (lost: () => StoreFault) =>
    async <T>(signal: AbortSignal | undefined, method: string, ...args: unknown[]): Promise<T> => {
      try {
        return (await call(method, args, signal)) as T
      } catch (error) {
        throw error instanceof AnswerLost ? Object.assign(lost(), { cause: error }) : error
      }
    }
  const ask = askOr(
    () => new StoreFault('busy', 'The process that owns the store gave no answer. Try again.'),
  )
  const decide = askOr(undecided)
  return {
    ...reader,
    find: ({ signal, ...query }) => ask<Result<StoredEntity>>(signal, 'find', query),
    write: (operations, { signal, ...options } = {}) =>
      decide<WriteResult>(signal, 'write', operations, options),
    outcome: (id, { signal } = {}) => ask<boolean | undefined>(signal, 'outcome', id),
    async bulk({ signal, ...options } = {}) {
      signal?.throwIfAborted()
      // Wait even if aborted, because only this call returns the number of the import.
      const number = await ask<number>(undefined, 'beginImport', options)
      return {
        add: (entities, { signal, ...options } = {}) =>
          ask<readonly Repeated[]>(signal, 'addToImport', number, entities, options),
        unstaged: (types, { signal } = {}) =>
          ask<ReadonlyMap<string, UnstagedCount>>(signal, 'unstagedOfImport', number, types),
        commit: ({ signal, ...options } = {}) =>
          decide<CommitResult>(signal, 'commitImport', number, options),
        abort: () => ask<void>(undefined, 'abortImport', number),
      }
    },
  }
}

function undecided(): StoreFault {
  return new StoreFault(
    'undecided',
    'The process that owns the store gave no answer. It may have written this: read it before you write again.',
  )
}

/** Primary's side of a worker's store. */
export interface SharedStore {
  /** Methods called by the worker's store. */
  readonly methods: Methods
  /** Aborts the unfinished imports of an exited worker, including imports that are just beginning. */
  abandon(): Promise<void>
}

/** Creates the primary's side of a worker's store. Searches should not block the primary; see `withSearchProcess`. */
export function shareStore(store: Store): SharedStore {
  const imports = new Map<number, Bulk>()
  let count = 0
  let abandoned = false
  const running = (number: number) => {
    const found = imports.get(number)
    if (found === undefined) throw new Error('this import has ended')
    return found
  }
  const methods = {
    find: (query: Query, signal: AbortSignal) => store.find({ ...query, signal }),
    write: (operations: Parameters<Store['write']>[0], options: WriteOptions, signal: AbortSignal) =>
      store.write(operations, { ...options, signal }),
    outcome: (id: string, signal: AbortSignal) => store.outcome?.(id, { signal }),
    async beginImport(options: ImportStart) {
      const number = ++count
      const begun = await store.bulk(options)
      imports.set(number, begun)
      if (abandoned) await methods.abortImport(number)
      return number
    },
    addToImport: (
      number: number,
      entities: Parameters<Bulk['add']>[0],
      options: AddOptions,
      signal: AbortSignal,
    ) => running(number).add(entities, { ...options, signal }),
    unstagedOfImport: (number: number, types: readonly string[], signal: AbortSignal) =>
      running(number).unstaged?.(types, { signal }) ?? new Map(),
    async commitImport(number: number, options: CommitOptions, signal: AbortSignal) {
      const counts = await running(number).commit({ ...options, signal })
      if (!options.dryRun) imports.delete(number)
      return counts
    },
    async abortImport(number: number) {
      await imports.get(number)?.abort()
      imports.delete(number)
    },
  }
  return {
    methods,
    async abandon() {
      abandoned = true
      // An import that cannot be aborted at this point expires in the store.
      await Promise.allSettled([...imports.keys()].map((number) => methods.abortImport(number)))
    },
  }
}
