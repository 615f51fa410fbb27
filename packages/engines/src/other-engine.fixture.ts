/** An engine of a third party: stores in SQLite files, of which nothing but `open` is its own. */
import type { Store } from '../../core/src/store/contract.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import type { Engine } from './store-location.ts'

/** What the server is told of it. */
export const engine: Engine = {
  at: (_, file) => ({
    open: (role) => withoutCapabilities(openSqliteStore(file, { readOnly: role !== 'owner' })),
  }),
}

/** Only what the contract asks for. */
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
