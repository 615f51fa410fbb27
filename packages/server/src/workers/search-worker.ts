/** The program of the search process: opens the store it is given, and answers searches until its parent goes. */
import type { Query } from '../storage/contract.ts'
import { openStore } from '../stores/open-store.ts'
import { answerCalls, type Channel } from './rpc.ts'

const storage = await openStore(process.argv[2] ?? '', { role: 'searcher' })
answerCalls(process as Channel, { find: (query: Query) => storage.find(query) })
// These reach every process of a terminal; what follows from them, the primary decides.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {})
process.send?.('ready')
process.once('disconnect', () => process.exit())
