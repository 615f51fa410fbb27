/** The program of the search process: opens the store it is given, and answers searches until its parent ends. */
import type { Query } from '@worldwright/core/store'
import { type Layer, stack } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import { answerCalls, type Channel } from './rpc.ts'
import type { SearchProcessOptions } from './search-process.ts'
import { timed } from './worked-time.ts'

const [, , store = '', meaning] = process.argv
const storage = await stack(await openStore(store, { role: 'searcher' }), {
  meaning: meaning === undefined ? undefined : withMeaning(JSON.parse(meaning)),
})
answerCalls(process as Channel, { find: inTurn((query: Query) => timed(() => storage.find(query))) })
// A terminal sends these to all its processes; the primary decides what follows.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {})
process.send?.('ready')
process.once('disconnect', () => process.exit())

/** Loaded on demand: without a model, none of it is. */
function withMeaning({ folder, types }: NonNullable<SearchProcessOptions['meaning']>): Layer {
  return async (storage) => {
    const { findByMeaning, MeaningThread } = await import('@worldwright/semantic')
    const thread = new MeaningThread({ store, folder, types }, ({ message }) =>
      process.stderr.write(`Searches go on without meaning: ${message}\n`),
    )
    return { ...storage, find: findByMeaning(storage, { meaning: thread, types: new Set(types) }) }
  }
}

/** Answers one call after the other: this order tells the caller which search is running. */
function inTurn<Asked, Answer>(answer: (asked: Asked) => Promise<Answer>): (asked: Asked) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  return (asked) => {
    const answered = last.then(() => answer(asked))
    last = answered.catch(() => {})
    return answered
  }
}
