/** A separate node that feeds an index from a store opened read-only: `FILE URL`. Sends reports of feeding to its parent. */
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { withOpenSearch } from './storage.ts'

const [file = '', url = ''] = process.argv.slice(2)
withOpenSearch(openSqliteStore(file, { readOnly: true }), {
  url,
  report: (message) => process.send?.(message),
})
