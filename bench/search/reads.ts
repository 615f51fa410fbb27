/** What searches cost those who read: `get` alone, and while the worst questions run back to back in their process. */
import { openSqliteStorage } from '../../packages/server/src/storage/sqlite/open.ts'
import { createSearchProcess } from '../../packages/server/src/workers/search-process.ts'
import { type Spread, spread } from './latency.ts'

/** Entities read in turn. */
const ENTITIES = 20_000

/** Measures both over a store made in this file. `rounds`: thousands of reads. */
export async function readsMeanwhile(
  file: string,
  rounds: number,
): Promise<{ alone: Spread; meanwhile: Spread }> {
  const storage = openSqliteStorage(file)
  const load = await storage.import()
  await load.add(
    Array.from({ length: ENTITIES }, (_, at) => ({
      type: 'b:entity',
      id: `e${at}`,
      title: `number ${at} of many`,
      attributes: { text: `common words and some number ${at % 97}` },
    })),
  )
  await load.commit()
  const searcher = createSearchProcess(file)
  const ask = () => searcher.search({ text: 'common many words nubmer som', limit: 100, budgetMs: 250 })
  await ask()
  const alone = await gets()
  let going = true
  const asking = (async () => {
    while (going) await ask()
  })()
  const meanwhile = await gets()
  going = false
  await asking
  searcher.close()
  await storage.close()
  return { alone, meanwhile }

  async function gets(): Promise<Spread> {
    const times: number[] = []
    for (let at = 0; at < rounds * 1_000; at++) {
      const began = performance.now()
      await storage.get('b:entity', `e${(at * 7919) % ENTITIES}`)
      times.push(performance.now() - began)
      if (at % 100 === 0) await new Promise(setImmediate)
    }
    return spread(times)
  }
}
