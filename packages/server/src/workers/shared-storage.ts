/**
 * One process owns the store, many read it. A worker reads by itself and hands every write and every search to the
 * owner: a write has returned when the owner has made it durable, and each worker's next look at the store sees it.
 */
import {
  type AddOptions,
  type CommitOptions,
  type CommitResult,
  type EntityKey,
  type Import,
  type ImportCounts,
  type ImportStart,
  type IndexRules,
  type PreviewOptions,
  type Query,
  type Result,
  type Storage,
  StorageFault,
  type StoredEntity,
  type UnstagedCount,
  type WriteOptions,
  type WriteResult,
} from '../storage/contract.ts'
import { AnswerLost, type Caller, type Methods } from './rpc.ts'

/**
 * In a worker: a store whose reads are `reader`'s own, and whose writes and searches are calls to the owner. Where the owner
 * dies or hangs, a write that it was sent fails with `undecided`, and everything else with `busy`.
 */
export function createSharedStorage(reader: Storage, call: Caller): Storage {
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
    setIndexRules: (rules, { signal } = {}) => decide<void>(signal, 'setIndexRules', rules),
    tokens: {
      ...reader.tokens,
      put: (id, value, { signal } = {}) => decide<void>(signal, 'putToken', id, value),
      remove: (id, { signal } = {}) => decide<boolean>(signal, 'removeToken', id),
      noteUse: (id, at, { signal } = {}) => ask<void>(signal, 'noteTokenUse', id, at),
    },
    async import({ signal, ...options } = {}) {
      signal?.throwIfAborted()
      // Waited for in any case: only this call knows its number.
      const number = await ask<number>(undefined, 'beginImport', options)
      return {
        add: (entities, { signal, ...options } = {}) =>
          ask<readonly number[]>(signal, 'addToImport', number, entities, options),
        markOf: (key, { signal } = {}) => ask<number | undefined>(signal, 'markOfImport', number, key),
        protect: (keys, { signal } = {}) => ask<void>(signal, 'protectInImport', number, keys),
        unstaged: (types, { signal } = {}) =>
          ask<ReadonlyMap<string, UnstagedCount>>(signal, 'unstagedOfImport', number, types),
        preview: ({ signal, ...options } = {}) => ask<ImportCounts>(signal, 'previewImport', number, options),
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

/** What the owner does for one worker. */
export interface SharedStorage {
  /** The calls that the worker's store makes. */
  readonly methods: Methods
  /** Gives up, when the worker has ended, the imports that it left unfinished, those that are just beginning included. */
  abandon(): Promise<void>
}

/** In the process that owns the store: what it does for a worker. Searches should not block it: see `withSearchProcess`. */
export function shareStorage(storage: Storage): SharedStorage {
  const imports = new Map<number, Import>()
  let count = 0
  let abandoned = false
  const running = (number: number) => {
    const found = imports.get(number)
    if (found === undefined) throw new Error('this import has ended')
    return found
  }
  const methods = {
    find: (query: Query, signal: AbortSignal) => storage.find({ ...query, signal }),
    write: (operations: Parameters<Storage['write']>[0], options: WriteOptions, signal: AbortSignal) =>
      storage.write(operations, { ...options, signal }),
    setIndexRules: (rules: IndexRules, signal: AbortSignal) => storage.setIndexRules(rules, { signal }),
    putToken: (id: string, value: string, signal: AbortSignal) => storage.tokens.put(id, value, { signal }),
    removeToken: (id: string, signal: AbortSignal) => storage.tokens.remove(id, { signal }),
    noteTokenUse: (id: string, at: string, signal: AbortSignal) => storage.tokens.noteUse(id, at, { signal }),
    async beginImport(options: ImportStart) {
      const number = ++count
      const begun = await storage.import(options)
      imports.set(number, begun)
      if (abandoned) await methods.abortImport(number)
      return number
    },
    addToImport: (
      number: number,
      entities: Parameters<Import['add']>[0],
      options: AddOptions,
      signal: AbortSignal,
    ) => running(number).add(entities, { ...options, signal }),
    markOfImport: (number: number, key: EntityKey, signal: AbortSignal) =>
      running(number).markOf(key, { signal }),
    protectInImport: (number: number, keys: readonly EntityKey[], signal: AbortSignal) =>
      running(number).protect(keys, { signal }),
    unstagedOfImport: (number: number, types: readonly string[], signal: AbortSignal) =>
      running(number).unstaged(types, { signal }),
    previewImport: (number: number, options: PreviewOptions, signal: AbortSignal) =>
      running(number).preview({ ...options, signal }),
    async commitImport(number: number, options: CommitOptions, signal: AbortSignal) {
      const counts = await running(number).commit({ ...options, signal })
      imports.delete(number)
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
      // Each for itself: what cannot be aborted now, the store forgets by itself.
      await Promise.allSettled([...imports.keys()].map((number) => methods.abortImport(number)))
    },
  }
}
