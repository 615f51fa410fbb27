/** The program of the search process: opens the store it is given for reading, and answers searches until its parent goes. */

import type { SearchQuery } from '../storage/contract.ts'
import { openSqliteStorage } from '../storage/sqlite/open.ts'
import { answerCalls } from './rpc.ts'

const storage = openSqliteStorage(process.argv[2] ?? '', { readOnly: true })
answerCalls(process as Parameters<typeof answerCalls>[0], {
  search: (query: SearchQuery) => storage.search(query),
})
process.once('disconnect', () => process.exit())
