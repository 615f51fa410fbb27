/**
 * One process owns the store, many read it. A worker reads by itself and hands every write and every search to the
 * owner: a write has returned when the owner has made it durable, and each worker's next look at the store sees it.
 */
import type { Found, Import, ImportCounts, SearchWeights, Storage, WriteResult } from '../storage/contract.ts'
import type { createCaller, Methods } from './rpc.ts'

const NO_NOTES = 'Notes and conditions of a commit are for the process that owns the store.'

/**
 * In a worker: a store whose reads are `reader`'s own, and whose writes and searches are calls to the owner. Notes are
 * functions and cannot be handed over: what is kept with writes, the owner adds, and here a write with some throws.
 */
export function createSharedStorage(reader: Storage, call: ReturnType<typeof createCaller>): Storage {
  return {
    get: (type, id) => reader.get(type, id),
    list: (type, options) => reader.list(type, options),
    versions: () => reader.versions(),
    version: () => reader.version(),
    metadata: (key) => reader.metadata(key),
    metadataKeys: (prefix) => reader.metadataKeys(prefix),
    snapshot: () => reader.snapshot(),
    close: () => reader.close(),
    search: (query) => call('search', query) as Promise<Found>,
    async write(operations, notes) {
      if (notes) throw new Error(NO_NOTES)
      return (await call('write', operations)) as WriteResult
    },
    setMetadata: (key, value) => call('setMetadata', key, value) as Promise<void>,
    weigh: (weights) => call('weigh', weights) as Promise<void>,
    async import() {
      const id = (await call('beginImport')) as number
      return {
        add: (entities) => call('addToImport', id, entities) as Promise<readonly number[]>,
        preview: (options) => call('previewImport', id, options) as Promise<ImportCounts>,
        async commit({ replace = [], notes, ifVersions } = {}) {
          if (notes ?? ifVersions) throw new Error(NO_NOTES)
          return (await call('commitImport', id, { replace })) as ImportCounts
        },
        abort: () => call('abortImport', id) as Promise<void>,
      }
    },
  }
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
  const running = (id: number) => {
    const found = imports.get(id)
    if (found === undefined) throw new Error('this import has ended')
    return found
  }
  const methods = {
    search: (query: Parameters<Storage['search']>[0]) => storage.search(query),
    write: (...write: Parameters<Storage['write']>) => storage.write(...write),
    setMetadata: (key: string, value: string | undefined) => storage.setMetadata(key, value),
    weigh: (weights: SearchWeights) => storage.weigh(weights),
    async beginImport() {
      const id = ++count
      const begun = await storage.import()
      imports.set(id, begun)
      if (abandoned) await methods.abortImport(id)
      return id
    },
    addToImport: (id: number, entities: Parameters<Import['add']>[0]) => running(id).add(entities),
    previewImport: (id: number, options: Parameters<Import['preview']>[0]) => running(id).preview(options),
    async commitImport(id: number, options: Parameters<Import['commit']>[0]) {
      const counts = await running(id).commit(options)
      imports.delete(id)
      return counts
    },
    async abortImport(id: number) {
      await imports.get(id)?.abort()
      imports.delete(id)
    },
  }
  return {
    methods,
    async abandon() {
      abandoned = true
      // Each for itself: what cannot be aborted now, the store forgets by itself.
      await Promise.allSettled([...imports.keys()].map(methods.abortImport))
    },
  }
}
