import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '../../core/src/store/contract.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { FIRST, findByMeaning } from './find-by-meaning.ts'
import type { Meaning } from './meaning.ts'

/** A `Meaning` whose similarities increase in id order. */
const backwards: Meaning = {
  similarities: async (_, entities) => {
    const ids = entities.map(({ id }) => id).toSorted()
    return entities.map(({ id }) => ids.indexOf(id) / ids.length)
  },
}

async function searched(ids: readonly string[], meaning: Meaning = backwards) {
  const store = createMemoryStore({ search: memorySearch })
  const put = (type: string, id: string, title: string) => ({
    put: { type, id, title, attributes: { text: `moon ${id}` } },
  })
  await store.write(ids.map((id) => put('sol:note', id, `About ${id}`)))
  await store.write([put('sol:moon', 'm', 'Something of a moon')])
  const find = findByMeaning(store, { meaning, types: new Set(['sol:note']) })
  return async (query: Partial<Query>) => {
    const { hits, last, total } = await find({ text: 'moon', limit: 10, budgetMs: 5_000, ...query })
    return { ids: hits.map(({ id }) => id), last, total }
  }
}

test('the first hits of the configured types are reranked by meaning', async () => {
  const search = await searched(['a', 'b', 'c', 'd'])
  const { ids, total } = await search({ types: ['sol:note'] })
  assert.equal(total, 4)
  // The score combines both ranks: ranks 1 and 4 score higher than 2 and 3.
  assert.deepEqual(ids, ['a', 'd', 'b', 'c'])
})

test('a hit whose type is not configured and a hit named by the query keep their ranks', async () => {
  const search = await searched(['a', 'b', 'c', 'd'])
  const byWords = await (await searched(['a', 'b', 'c', 'd'], silent))({})
  const { ids } = await search({})
  assert.equal(ids.indexOf('m'), byWords.ids.indexOf('m'))
  assert.equal((await search({ text: 'about b' })).ids[0], 'b')
})

const silent: Meaning = { similarities: async () => undefined }

test('hits keep their text ranking if similarities time out', async () => {
  assert.deepEqual((await (await searched(['a', 'b', 'c'], silent))({ types: ['sol:note'] })).ids, [
    'a',
    'b',
    'c',
  ])
  const asked: number[] = []
  const noting: Meaning = { similarities: async (_, __, budgetMs) => void asked.push(budgetMs) }
  const search = await searched(['a', 'b', 'c'], noting)
  assert.deepEqual((await search({ types: ['sol:note'], budgetMs: 0 })).ids.length <= 3, true)
  assert.deepEqual(asked, [])
  await search({ types: ['sol:note'] })
  assert.ok((asked[0] ?? 0) > 0 && (asked[0] ?? 0) <= 5_000)
})

test('paging returns every hit once, within the first hundred and beyond', async () => {
  const names = Array.from({ length: FIRST + 37 }, (_, at) => `n${String(at).padStart(3, '0')}`)
  const search = await searched(names)
  const walked: string[] = []
  for (let after: Query['after'], pages = 0; pages < 30; pages++) {
    const { ids, last } = await search({ types: ['sol:note'], limit: 9, after })
    walked.push(...ids)
    if (!last) break
    after = last
  }
  assert.equal(walked.length, names.length)
  assert.deepEqual(new Set(walked), new Set(names))
  assert.notDeepEqual(walked.slice(0, FIRST), names.slice(0, FIRST))
  assert.deepEqual(walked.slice(FIRST), names.slice(FIRST))
  const whole = await search({ types: ['sol:note'], limit: 120 })
  assert.deepEqual(whole.ids, walked.slice(0, 120))
})

test('if the hit in a cursor was deleted, paging continues at its rank', async () => {
  const search = await searched(['a', 'b', 'c', 'd'])
  const { ids } = await search({
    types: ['sol:note'],
    after: { type: 'sol:note', id: 'gone', values: [-2] },
  })
  assert.deepEqual(ids, ['b', 'c'])
})

test('a query with a sort order or without text is not reranked', async () => {
  const never: Meaning = { similarities: () => assert.fail('asked') }
  const search = await searched(['a', 'b'], never)
  assert.equal((await search({ text: '' })).total, 3)
  const sort = [{ by: 'value', property: 'id', kind: 'text', descending: true } as const]
  assert.deepEqual((await search({ types: ['sol:note'], sort })).ids, ['b', 'a'])
})
