/** Process that feeds an index from a read-only store. Arguments: `FILE URL`. Sends feeding failures to its parent. */
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { withOpenSearch } from './searched-store.ts'

const [file = '', url = ''] = process.argv.slice(2)
withOpenSearch(openSqliteStore(file, { readOnly: true }), {
  url,
  report: (message) => process.send?.(message),
})
