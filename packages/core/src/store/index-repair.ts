/** Rebuild of the search index after a search finds it damaged. */
import { StorageFault, type Store } from './contract.ts'

/** Layer of index repair. The process that searches is read-only, so this one, which writes, starts the rebuild. */
export function withIndexRepair(storage: Store): Store {
  return {
    ...storage,
    async find(query) {
      try {
        return await storage.find(query)
      } catch (error) {
        if (error instanceof StorageFault && error.code === 'index_rebuilding') await storage.repairIndex?.()
        throw error
      }
    },
  }
}
