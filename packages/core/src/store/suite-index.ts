/** Contract tests: search by an index, with prefixes, index rules and synonyms. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexRules, setIndexRules } from './index-rules.ts'
import { searchSynonyms, setSearchSynonyms } from './search-synonyms.ts'
import { idsOf, moon, type OpenStore, planet, put } from './suite-data.ts'
import { search } from './suite-searching.ts'

/** Registers the tests of an index for one engine. */
export function indexTests(open: OpenStore): void {
  test('the last word of a query may be a prefix', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('x', { title: 'plain near words' }))
    assert.equal((await search(storage, { text: 'pl*' })).total, 1)
    assert.equal((await search(storage, { text: 'pl* x' })).total, 0)
  })

  test('index rules of a type change its ranking, for existing entities too, and that of no other type', async (t) => {
    const { storage } = await open(t)
    const colour = { attributes: { colour: 'red', remark: 'dust' } }
    const remark = { attributes: { colour: 'dust', remark: 'red' } }
    await put(storage, moon('a', colour), moon('b', remark), planet('a', colour), planet('b', remark))
    const red = async (type: string) => idsOf((await search(storage, { text: 'red', types: [type] })).hits)
    assert.deepEqual(
      [await red('sol:moon'), await red('sol:planet')],
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    )
    const before = await storage.version()
    assert.deepEqual(await indexRules(storage), {})
    await setIndexRules(storage, { 'sol:moon': { remark: { weight: 5 } } })
    assert.deepEqual(await indexRules(storage), { 'sol:moon': { remark: { weight: 5 } } })
    assert.notEqual(await storage.version(), before)
    assert.deepEqual(
      [await red('sol:moon'), await red('sol:planet')],
      [
        ['b', 'a'],
        ['a', 'b'],
      ],
    )
    await put(storage, moon('c', { attributes: { remark: 'red', colour: 'blue' } }), moon('a', remark))
    assert.deepEqual(await red('sol:moon'), ['a', 'b', 'c'])
    await storage.write([{ delete: { type: 'sol:moon', id: 'b' } }])
    await setIndexRules(storage, { 'sol:moon': { remark: { weight: 0 } }, 'sol:planet': {} })
    assert.deepEqual(await red('sol:moon'), [])
    assert.deepEqual(idsOf((await search(storage, { text: 'blue' })).hits), ['c'])
    const same = await storage.version()
    await setIndexRules(storage, { 'sol:moon': { remark: { weight: 0 } } })
    assert.equal(await storage.version(), same)
    await setIndexRules(storage, {})
    assert.deepEqual(await red('sol:moon'), ['a', 'c'])
  })

  test('synonyms apply from the next query on, also to existing entities', async (t) => {
    const { storage } = await open(t)
    await put(storage, moon('a', { title: 'A film' }), moon('b', { title: 'A motion picture' }))
    await put(storage, moon('c', { title: 'A movie' }), moon('d', { title: 'Motion of a star' }))
    const found = async (text: string) => idsOf((await search(storage, { text })).hits)
    assert.deepEqual(await searchSynonyms(storage), [])
    assert.deepEqual(await found('film'), ['a'])
    const words = ['film', 'movie', 'motion picture']
    await setSearchSynonyms(storage, [{ from: words, to: words }])
    const before = await storage.version()
    assert.deepEqual(await found('film'), ['a', 'c', 'b'])
    assert.deepEqual((await search(storage, { text: 'film' })).matched, ['film', 'motion', 'movi', 'pictur'])
    assert.deepEqual((await found('motion picture')).toSorted(), ['a', 'b', 'c', 'd'])
    await setSearchSynonyms(storage, [{ from: words, to: words }])
    assert.equal(await storage.version(), before)
    await setSearchSynonyms(storage, [{ from: ['film'], to: ['movie'] }])
    assert.deepEqual(await searchSynonyms(storage), [{ from: ['film'], to: ['movie'] }])
    assert.deepEqual([await found('film'), await found('movie')], [['a', 'c'], ['c']])
    const where = { op: '=', property: ['kind'], value: 'silent' } as const
    await put(storage, moon('c', { title: 'A movie', attributes: { kind: 'silent' } }))
    const narrowed = await storage.find({ text: 'film', where, limit: 9, budgetMs: 60_000 })
    assert.deepEqual(idsOf(narrowed.hits), ['c'])
    await setSearchSynonyms(storage, [])
    assert.deepEqual(await found('film'), ['a'])
  })

  test('weighted aliases still count as names, and aliases of weight 0 do not', async (t) => {
    const { storage } = await open(t)
    const aliases = { attributes: { aliases: ['red dust', 'Rubrum'] } }
    await put(storage, moon('a', { summary: 'red dust' }), moon('b', aliases))
    const found = async (text: string) => idsOf((await search(storage, { text })).hits)
    assert.deepEqual([await found('dust'), await found('rubrum')], [['b', 'a'], ['b']])
    await setIndexRules(storage, { 'sol:moon': { aliases: { weight: 0.1 } } })
    assert.deepEqual(
      [await found('dust'), await found('red dust')],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    )
    await setIndexRules(storage, { 'sol:moon': { aliases: { weight: 0 } } })
    assert.deepEqual([await found('dust'), await found('rubrum')], [['a'], []])
  })
}
