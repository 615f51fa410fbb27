/**
 * One process, the primary, owns the store; many read it. A worker reads by itself and hands every write and every search to
 * the primary: a write returns once it is durable, and each worker's next read sees it.
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
  StorageFault,
  type Store,
  type StoredEntity,
  type UnstagedCount,
  type WriteOptions,
  type WriteResult,
} from '@worldwright/core/store'
import { AnswerLost, type Caller, type Methods } from './rpc.ts'

/**
 * Creates the store of a worker: its reads are those of `reader`, its writes and searches are calls to the primary. If the
 * primary dies or hangs, a write that was sent fails with `undecided`, and everything else with `busy`.
 */
export function createSharedStorage(reader: Store, call: Caller): Store {
  const askOr =
    (lost: () => StorageFault) =>
    async <T>(signal: AbortSignal | undefined, method: string, ...args: unknown[]): Promise<T> => {
      try {
        return (await call(method, args, signal)) as T
      } catch (error) {
        throw error instanceof AnswerLost ? Object.assign(lost(), { cause: error }) : error
      }
    }
  const ask = askOr(notAnswered)
  const decide = askOr(undecided)
  return {
    ...reader,
    find: ({ signal, ...query }) => ask<Result<StoredEntity>>(signal, 'find', query),
    write: (operations, { signal, ...options } = {}) =>
      decide<WriteResult>(signal, 'write', operations, options),
    async bulk({ signal, ...options } = {}) {
      signal?.throwIfAborted()
      // Awaited in any case: only this call returns the number of the import.
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

function notAnswered(): StorageFault {
  return new StorageFault('busy', 'The process that owns the store gave no answer. Try again.')
}

function undecided(): StorageFault {
  return new StorageFault(
    'undecided',
    'The process that owns the store gave no answer. It may have written this: read it before you write again.',
  )
}

/** The primary's side of one worker's store. */
export interface SharedStorage {
  /** Methods that the worker's store calls. */
  readonly methods: Methods
  /** Aborts the imports that a worker left unfinished when it ended, including those that are just beginning. */
  abandon(): Promise<void>
}

/** Creates the primary's side of a worker's store. Searches should not block the primary: see `withSearchProcess`. */
export function shareStorage(storage: Store): SharedStorage {
  const imports = new Map<number, Bulk>()
  let count = 0
  let abandoned = false
  const running = (number: number) => {
    const found = imports.get(number)
    if (found === undefined) throw new Error('this import has ended')
    return found
  }
  const methods = {
    find: (query: Query, signal: AbortSignal) => storage.find({ ...query, signal }),
    write: (operations: Parameters<Store['write']>[0], options: WriteOptions, signal: AbortSignal) =>
      storage.write(operations, { ...options, signal }),
    async beginImport(options: ImportStart) {
      const number = ++count
      const begun = await storage.bulk(options)
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
      // Each on its own: an import that cannot be aborted now expires in the store.
      await Promise.allSettled([...imports.keys()].map((number) => methods.abortImport(number)))
    },
  }
}
