/** A node of its own that feeds an index from a store which it only reads: `FILE URL`. Tells its parent what feeding says. */
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { withOpenSearch } from './storage.ts'

const [file = '', url = ''] = process.argv.slice(2)
withOpenSearch(openSqliteStore(file, { readOnly: true }), {
  url,
  report: (message) => process.send?.(message),
})
