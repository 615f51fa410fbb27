/** The program of the search process: opens the store it is given, and answers searches until its parent goes. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Query } from '../storage/contract.ts'
import { openStore } from '../stores/open-store.ts'
import { answerCalls, type Channel } from './rpc.ts'

const storage = await openStore(process.argv[2] ?? '', { role: 'searcher' })
answerCalls(process as Channel, {
  async find(query: Query, signal: AbortSignal) {
    // A search blocks this process: the aborts of those that wait behind it are read before the next one begins.
    await turn()
    return storage.find({ ...query, signal })
  },
})
process.once('disconnect', () => process.exit())
