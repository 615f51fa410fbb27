/** Entry point of the search process. Opens a store and serves searches until the parent process exits. */
import type { Query } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import { type Layer, stack } from '../layers/stack.ts'
import { answerCalls, type Channel } from './rpc.ts'
import type { SearchProcessOptions } from './search-process.ts'
import { timed } from './worked-time.ts'

const [, , url = '', meaning] = process.argv
const store = await stack(await openStore(url, { role: 'searcher' }), {
  meaning: meaning === undefined ? undefined : withMeaning(JSON.parse(meaning)),
})
answerCalls(process as Channel, { find: inTurn((query: Query) => timed(() => store.find(query))) })
// A terminal sends these signals to all its processes, but only the primary handles them.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {})
process.send?.('ready')
process.once('disconnect', () => process.exit())

/** Returns a layer that reranks hits by meaning. Its code is loaded only if there is a model. */
function withMeaning({ folder, types }: NonNullable<SearchProcessOptions['meaning']>): Layer {
  return async (store) => {
    const { findByMeaning, MeaningThread } = await import('@worldwright/semantic')
    const thread = new MeaningThread({ store: url, folder, types }, ({ message }) =>
      process.stderr.write(`Searches go on without meaning: ${message}\n`),
    )
    return { ...store, find: findByMeaning(store, { meaning: thread, types: new Set(types) }) }
  }
}

/** Serializes calls, so that the caller knows which search is running. */
function inTurn<Asked, Answer>(answer: (asked: Asked) => Promise<Answer>): (asked: Asked) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  return (asked) => {
    const answered = last.then(() => answer(asked))
    last = answered.catch(() => {})
    return answered
  }
}
