import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setSearchSynonyms } from '@worldwright/core/store'
import type { Operation, Query } from '../../core/src/store/contract.ts'
import { setIndexRules } from '../../core/src/store/index-rules.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { dice, documentOf, queryOf, vocabularyOf } from '../../search/src/reference/random.fixture.ts'
import { fedStore, found, foundBy, freshIndex, moon } from './feeding.fixture.ts'
import { missingForOpenSearch, type OpenSearchCluster, startOpenSearch } from './opensearch.fixture.ts'

const skip = missingForOpenSearch()
let cluster: OpenSearchCluster

before(async () => {
  if (skip === undefined) cluster = await startOpenSearch()
})
after(() => cluster?.end())

test('a search with a position returns everything written up to that position', { skip }, async (t) => {
  const { store, write, said } = fedStore(t, freshIndex(cluster))
  const first = await write([moon('io', 'Io'), moon('europa', 'Europa, an icy moon'), moon('luna', 'Moon')])
  assert.deepEqual(await found(store, 'moon', first), ['luna', 'europa'])
  const second = await write([moon('io', 'Io, a moon of fire'), { delete: { type: 'sol:moon', id: 'luna' } }])
  assert.deepEqual(await found(store, 'moon', second), ['europa', 'io'])
  assert.deepEqual(await found(store, 'mooon'), ['europa', 'io'])
  assert.deepEqual(said, [])
})

test('a result has the offset from which changes complete it', { skip }, async (t) => {
  const { store, plain, write } = fedStore(t, freshIndex(cluster))
  const position = await write([moon('io')])
  const query = { text: 'io', limit: 10, budgetMs: 5_000 }
  const { reached, hits } = await foundBy(store, { ...query, position })
  assert.equal(hits.length, 1)
  await plain.write([moon('europa')])
  const { changes } = await plain.changes({ after: reached, limit: 10 })
  assert.deepEqual(
    changes.map(({ id }) => id),
    ['europa'],
  )
  assert.equal((await store.find({ ...query, text: '' })).reached, undefined)
})

test('the store itself answers a query with more clauses than the cluster allows', {
  skip,
}, async (t) => {
  const { store, plain, write } = fedStore(t, freshIndex(cluster))
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const words = letters.flatMap((first) => letters.map((second) => `plan${first}t${second}`))
  const position = await write(words.map((word) => moon(word, word, { word })))
  const text = letters.map((letter) => `plan${letter}x${letter}`).join(' ')
  const equalities = Array.from({ length: 5 }, (_, list) => ({
    op: 'in' as const,
    property: ['word'] as const,
    values: [...words.slice(0, 3), ...Array.from({ length: 250 }, (_, at) => `${list} ${at}`)],
  }))
  for (const question of [{ text }, { where: { op: 'or' as const, conditions: equalities } }]) {
    const query = { ...question, limit: 10, budgetMs: 5_000, position }
    const [here, there] = [await plain.find(query), await foundBy(store, query)]
    assert.ok(here.total > 0)
    assert.deepEqual(there, here)
  }
})

test('a cluster and the store itself return the same counts and nearly the same hits', {
  skip,
}, async (t) => {
  const roll = dice(11)
  const word = vocabularyOf(roll, 300)
  const operations = Array.from({ length: 1_500 }, (_, at): Operation => {
    const { type, id, title, aliases, summary, text } = documentOf(roll, word, `d${at}`)
    return { put: { type, id, title, summary, attributes: { aliases: [...aliases], text } } }
  })
  const { store, plain, write } = fedStore(t, freshIndex(cluster, 'shards=3&replicas=0'))
  await write(operations)
  // Some documents are replaced or deleted, so that their words must be subtracted.
  const position = await write([
    ...operations.slice(0, 300).map((operation, at): Operation => {
      const { put } = operations[at + 300] as Extract<Operation, { put: unknown }>
      return {
        put: { ...put, ...('put' in operation && { type: operation.put.type, id: operation.put.id }) },
      }
    }),
    ...operations.slice(900, 1_000).map((operation): Operation => {
      const { type, id } = (operation as Extract<Operation, { put: unknown }>).put
      return { delete: { type, id } }
    }),
  ])
  await foundBy(store, { text: 'a', limit: 0, budgetMs: 2_000, position })
  const questions = Array.from({ length: 300 }, (): Query => {
    const types = roll(3) ? undefined : ['t:a', 't:b']
    return { text: queryOf(roll, word), types, limit: 10, budgetMs: 5_000 }
  })
  let alike = 0
  for (const question of questions) {
    const [here, there] = [await plain.find(question), await store.find(question)]
    const numbers = ({ total, counts, matched }: typeof here) => ({ total, counts, matched })
    assert.deepEqual(numbers(there), numbers(here), question.text)
    const keys = new Set(here.hits.map(({ type, id }) => `${type} ${id}`))
    const both = there.hits.filter(({ type, id }) => keys.has(`${type} ${id}`)).length
    alike += keys.size === 0 ? 1 : both / Math.max(keys.size, there.hits.length)
  }
  // Expansions with several terms score differently in a cluster (see `expansionQuery`), so a few hits differ.
  assert.ok(alike >= 0.995 * questions.length, `${alike} of ${questions.length}`)
})

test('the pages of a query contain each document once, in the right order', { skip }, async (t) => {
  const { store, plain, write } = fedStore(t, freshIndex(cluster))
  const titles = ['io moon', 'moon', 'io', 'moons io', 'ios', 'mon io', 'io moon moon']
  const position = await write(
    Array.from({ length: 140 }, (_, at) => moon(`m${at}`, titles[at % titles.length])),
  )
  const pages = async (from: typeof plain) => {
    const ids: string[] = []
    let last: Awaited<ReturnType<typeof foundBy>>['last']
    do {
      const query = { text: 'io moon', limit: 25, budgetMs: 5_000, after: last, position }
      const page = await foundBy(from, query)
      ids.push(...page.hits.map(({ id }) => id))
      last = page.last
    } while (last)
    return ids
  }
  assert.deepEqual(await pages(store), await pages(plain))
})

test('changed synonyms take effect with the next query', { skip }, async (t) => {
  const { store, plain, write } = fedStore(t, freshIndex(cluster))
  const position = await write([moon('io', 'Volcano'), moon('europa', 'Ice'), moon('luna', 'Stone fire')])
  assert.deepEqual(await found(store, 'feuer', position), [])
  await setSearchSynonyms(plain, [{ from: ['feuer'], to: ['volcano', 'stone fire'] }])
  assert.deepEqual((await found(store, 'feuer')).toSorted(), ['io', 'luna'])
})

test('when the index rules change, a new index is built and replaces the old one', {
  skip,
}, async (t) => {
  const plain = createMemoryStore({ search: memorySearch })
  const { store, write } = fedStore(t, freshIndex(cluster), { plain })
  const position = await write([
    moon('io', 'Io', { secret: 'lava' }),
    moon('europa', 'Europa', { note: 'ice' }),
  ])
  assert.deepEqual(await found(store, 'lava', position), ['io'])
  await setIndexRules(plain, { 'sol:moon': { secret: { weight: 0 } } })
  while ((await found(store, 'lava')).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(await found(store, 'ice'), ['europa'])
})

test('an unreachable cluster fails only searches', { skip }, async (t) => {
  const { store, write } = fedStore(t, 'opensearch://127.0.0.1:1/gone')
  await write([moon('io')])
  assert.equal((await store.get('sol:moon', 'io'))?.id, 'io')
  assert.equal((await store.find({ limit: 10, budgetMs: 60_000 })).total, 1)
  await assert.rejects(async () => store.find({ text: 'io', limit: 10, budgetMs: 60_000 }), {
    name: 'StoreFault',
    code: 'search_unreachable',
  })
})
