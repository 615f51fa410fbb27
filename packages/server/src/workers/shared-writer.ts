/**
 * One process writes, many read. A worker reads the store by itself and hands every write to the process that owns it;
 * a write has returned when that process has made it durable, and each worker's next look at the store sees it.
 */
import type { Import, ImportCounts, Storage, WriteResult } from '../storage/contract.ts'
import { answerCalls, type Channel, createCaller } from './calls.ts'

/** In a worker: a store whose reads are `reader`'s own and whose writes go over the channel. */
export function createSharedStorage(reader: Storage, channel: Channel): Storage {
  const call = createCaller(channel)
  return {
    get: (type, id) => reader.get(type, id),
    list: (type, options) => reader.list(type, options),
    search: (query) => reader.search(query),
    versions: () => reader.versions(),
    version: () => reader.version(),
    metadata: (key) => reader.metadata(key),
    metadataKeys: (prefix) => reader.metadataKeys(prefix),
    snapshot: () => reader.snapshot(),
    close: () => reader.close(),
    write: (operations) => call('write', operations) as Promise<WriteResult>,
    setMetadata: (key, value) => call('setMetadata', key, value) as Promise<void>,
    async import() {
      const id = (await call('beginImport')) as number
      return {
        add: (entities) => call('addToImport', id, entities) as Promise<void>,
        preview: (options) => call('previewImport', id, options) as Promise<ImportCounts>,
        commit: (options) => call('commitImport', id, options) as Promise<ImportCounts>,
        abort: () => call('abortImport', id) as Promise<void>,
      }
    },
  }
}

/** In the process that owns the store: does what a worker hands over. Imports that a dead worker left are given up. */
export function answerWrites(storage: Storage, channel: Channel): { abandon(): Promise<void> } {
  const imports = new Map<number, Import>()
  let count = 0
  const running = (id: number) => {
    const found = imports.get(id)
    if (found === undefined) throw new Error('this import has ended')
    return found
  }
  answerCalls(channel, {
    write: (operations: Parameters<Storage['write']>[0]) => storage.write(operations),
    setMetadata: (key: string, value: string | undefined) => storage.setMetadata(key, value),
    async beginImport() {
      const id = ++count
      imports.set(id, await storage.import())
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
  })
  return {
    async abandon() {
      for (const [id, left] of imports) {
        imports.delete(id)
        await left.abort()
      }
    },
  }
}
