import { type Store, StoreFault } from '@worldwright/core/store'

/** Layer that starts an index rebuild if a search finds the index damaged, as the search process itself is read-only. */
export function withIndexRepair(store: Store): Store {
  return {
    ...store,
    async find(query) {
      try {
        return await store.find(query)
      } catch (error) {
        if (error instanceof StoreFault && error.code === 'index_rebuilding') await store.repairIndex?.()
        throw error
      }
    },
  }
}
