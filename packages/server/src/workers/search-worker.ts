/** The program of the search process: opens the store it is given for reading, and answers searches until its parent goes. */

import type { Query } from '../storage/contract.ts'
import { openStore } from '../stores/open-store.ts'
import { answerCalls } from './rpc.ts'

const storage = await openStore(process.argv[2] ?? '', { role: 'searcher' })
answerCalls(process as Parameters<typeof answerCalls>[0], {
  find: (query: Query) => storage.find(query),
})
process.once('disconnect', () => process.exit())
