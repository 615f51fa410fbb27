/** Handles searches that the cluster cannot answer. */
import { type Found, type Query, type ReplicaState, type Store, StoreFault } from '@worldwright/core/store'

/** Answers a query. */
type Find = (query: Query) => Promise<Found>

/** Failures after which the store's own index answers. It is current, so it also answers if the cluster lags (`busy`). */
const FAILED: readonly string[] = ['search_unreachable', 'index_rebuilding', 'busy']

/** Lets the store's own index answer if the cluster fails, or immediately if the feeder is stuck. The ranking is the same. */
export function withOwnIndex(find: Find, store: Pick<Store, 'find'>, state: () => ReplicaState): Find {
  return async (query) => {
    if (state().lost !== undefined) return store.find(query)
    try {
      return await find(query)
    } catch (error) {
      if (error instanceof StoreFault && FAILED.includes(error.code)) return store.find(query)
      throw error
    }
  }
}

/** Adds to a failure that waiting does not help while the feeder is stuck: `failing`, and the lag of the index if known. */
export function withReason(find: Find, state: () => ReplicaState): Find {
  return async (query) => {
    try {
      return await find(query)
    } catch (error) {
      const { lost, currentAt } = state()
      if (lost === undefined || !(error instanceof StoreFault && FAILED.includes(error.code))) throw error
      const lag = currentAt > 0 && { lagSeconds: Math.ceil((Date.now() - currentAt) / 1_000) }
      throw new StoreFault(error.code, error.message, { cause: error, details: { failing: true, ...lag } })
    }
  }
}
