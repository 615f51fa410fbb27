/** Effect of searches on reads: `get` alone, and while the most expensive questions run in the search process. */
import { DatabaseSync } from 'node:sqlite'
import type { Entity } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'
import { IndexReader } from '../../packages/search/src/read/index-reader.ts'
import { dice } from '../../packages/search/src/reference/random.fixture.ts'
import { SearchProcess } from '../../packages/serve/src/workers/search-process.ts'
import { segmentStore } from '../../packages/sqlite/src/segments.ts'
import { type Spread, spread, wordsByBand } from './latency.ts'

/** Entities per staged batch. */
const BATCH = 2_000
/** Number of frequent words in a question, besides one that needs fuzzy matching. */
const FREQUENT = 4

/** Measures both on a store created in `file`. `rounds` is the number of reads, in thousands. */
export async function readsMeanwhile(
  file: string,
  entities: AsyncIterable<Entity>,
  rounds: number,
): Promise<{ alone: Spread; meanwhile: Spread }> {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  const keys = await filled(store, entities)
  const question = worstQuestions(file)
  const searcher = new SearchProcess(`sqlite:${file}`)
  const ask = () => searcher.find({ text: question(), limit: 100, budgetMs: 250 })
  await ask()
  const alone = await gets()
  let going = true
  const asking = (async () => {
    while (going) await ask()
  })()
  const meanwhile = await gets()
  going = false
  await asking
  await searcher.close()
  await store.close()
  return { alone, meanwhile }

  async function gets(): Promise<Spread> {
    const times: number[] = []
    for (let at = 0; at < rounds * 1_000; at++) {
      const [type, id] = keys[(at * 7919) % keys.length] as readonly [string, string]
      const began = performance.now()
      await store.get(type, id)
      times.push(performance.now() - began)
      if (at % 100 === 0) await new Promise(setImmediate)
    }
    return spread(times)
  }
}

/** Loads the entities and returns their keys. */
async function filled(store: Store, entities: AsyncIterable<Entity>): Promise<(readonly [string, string])[]> {
  const keys: (readonly [string, string])[] = []
  const load = await store.bulk()
  let batch: Entity[] = []
  for await (const entity of entities) {
    keys.push([entity.type, entity.id])
    if (batch.push(entity) < BATCH) continue
    await load.add(batch)
    batch = []
  }
  await load.add(batch)
  await load.commit()
  return keys
}

/** Returns a generator of questions that combine words found in most documents with one found in none. */
function worstQuestions(file: string): () => string {
  const roll = dice(9)
  const db = new DatabaseSync(file, { readOnly: true })
  const reader = new IndexReader(segmentStore(db))
  reader.refresh()
  const words = wordsByBand(reader, roll).findLast(({ length }) => length >= FREQUENT)
  db.close()
  const pick = () => words?.[roll(words.length)] ?? ''
  return () => `${Array.from({ length: FREQUENT }, pick).join(' ')} ${pick()}${pick()}xq`
}
