/** A third-party engine that keeps its stores in SQLite files and implements only `open`. */
import type { Store } from '../../core/src/store/contract.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import type { Engine } from './store-location.ts'

/** The engine object that the server loads. */
export const engine: Engine = {
  at: (_, file) => ({
    open: (role) => withoutCapabilities(openSqliteStore(file, { readOnly: role !== 'writer' })),
  }),
}

/** Returns a store with only the members that the contract requires. */
export function withoutCapabilities(store: Store): Store {
  const { follow: _, owned: __, repairIndex: ___, matchedIn: ____, ...contract } = store
  return {
    ...contract,
    async bulk(options) {
      const { unstaged: _, ...staged } = await contract.bulk({ ...options, files: undefined })
      return staged
    },
  }
}
