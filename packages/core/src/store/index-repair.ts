/** Building the search index again once a search finds that it has to be. */
import { StorageFault, type Store } from './contract.ts'

/** The layer of index repair. The process that searches only reads: this one, which writes, has the index built. */
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
