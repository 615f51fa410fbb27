/** Contract tests: index searches, including prefixes, index rules and synonyms. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexRules, setIndexRules } from './index-rules.ts'
import { searchSynonyms, setSearchSynonyms } from './search-synonyms.ts'
import { idsOf, moon, type OpenStore, planet, put } from './suite-data.ts'
import { search } from './suite-searching.ts'

/** Registers the search index tests for one engine. */
export function indexTests(open: OpenStore): void {
  test('the last word of a query may be a prefix', async (t) => {
    const { store } = await open(t)
    await put(store, planet('x', { title: 'plain near words' }))
    assert.equal((await search(store, { text: 'pl*' })).total, 1)
    assert.equal((await search(store, { text: 'pl* x' })).total, 0)
  })

  test("a type's index rules apply to its existing entities and to no other type", async (t) => {
    const { store } = await open(t)
    const colour = { attributes: { colour: 'red', remark: 'dust' } }
    const remark = { attributes: { colour: 'dust', remark: 'red' } }
    await put(store, moon('a', colour), moon('b', remark), planet('a', colour), planet('b', remark))
    const red = async (type: string) => idsOf((await search(store, { text: 'red', types: [type] })).hits)
    assert.deepEqual(
      [await red('sol:moon'), await red('sol:planet')],
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    )
    const before = await store.version()
    assert.deepEqual(await indexRules(store), {})
    await setIndexRules(store, { 'sol:moon': { remark: { weight: 5 } } })
    assert.deepEqual(await indexRules(store), { 'sol:moon': { remark: { weight: 5 } } })
    assert.notEqual(await store.version(), before)
    assert.deepEqual(
      [await red('sol:moon'), await red('sol:planet')],
      [
        ['b', 'a'],
        ['a', 'b'],
      ],
    )
    await put(store, moon('c', { attributes: { remark: 'red', colour: 'blue' } }), moon('a', remark))
    assert.deepEqual(await red('sol:moon'), ['a', 'b', 'c'])
    await store.write([{ delete: { type: 'sol:moon', id: 'b' } }])
    await setIndexRules(store, { 'sol:moon': { remark: { weight: 0 } }, 'sol:planet': {} })
    assert.deepEqual(await red('sol:moon'), [])
    assert.deepEqual(idsOf((await search(store, { text: 'blue' })).hits), ['c'])
    const same = await store.version()
    await setIndexRules(store, { 'sol:moon': { remark: { weight: 0 } } })
    assert.equal(await store.version(), same)
    await setIndexRules(store, {})
    assert.deepEqual(await red('sol:moon'), ['a', 'c'])
  })

  test('synonyms apply to existing entities from the next query on', async (t) => {
    const { store } = await open(t)
    await put(store, moon('a', { title: 'A film' }), moon('b', { title: 'A motion picture' }))
    await put(store, moon('c', { title: 'A movie' }), moon('d', { title: 'Motion of a star' }))
    const found = async (text: string) => idsOf((await search(store, { text })).hits)
    assert.deepEqual(await searchSynonyms(store), [])
    assert.deepEqual(await found('film'), ['a'])
    const words = ['film', 'movie', 'motion picture']
    await setSearchSynonyms(store, [{ from: words, to: words }])
    const before = await store.version()
    assert.deepEqual(await found('film'), ['a', 'c', 'b'])
    assert.deepEqual((await search(store, { text: 'film' })).matched, ['film', 'motion', 'movi', 'pictur'])
    assert.deepEqual((await found('motion picture')).toSorted(), ['a', 'b', 'c'])
    await setSearchSynonyms(store, [{ from: words, to: words }])
    assert.equal(await store.version(), before)
    await setSearchSynonyms(store, [{ from: ['film'], to: ['movie'] }])
    assert.deepEqual(await searchSynonyms(store), [{ from: ['film'], to: ['movie'] }])
    assert.deepEqual([await found('film'), await found('movie')], [['a', 'c'], ['c']])
    const where = { op: '=', property: ['kind'], value: 'silent' } as const
    await put(store, moon('c', { title: 'A movie', attributes: { kind: 'silent' } }))
    const narrowed = await store.find({ text: 'film', where, limit: 9, budgetMs: 60_000 })
    assert.deepEqual(idsOf(narrowed.hits), ['c'])
    await setSearchSynonyms(store, [])
    assert.deepEqual(await found('film'), ['a'])
  })

  test('words are read as types and as the first entities in an order', async (t) => {
    const { store } = await open(t)
    const planet = (id: string) => ({ type: 'sol:planet', id, title: id, attributes: {} })
    const sized = (id: string, radiusKm: number | string, summary: string) =>
      moon(id, { title: id, summary, attributes: { radiusKm } })
    await put(store, planet('venus'), planet('terra'), planet('saturn'), planet('mercury'))
    await put(store, sized('rhea', 764, 'Of Saturn'), sized('titan', 2_575, 'Of Saturn'))
    await put(store, sized('ganymede', 2_634, 'Of Jupiter'), sized('dust', 'unknown', 'Of Saturn'))
    await setSearchSynonyms(store, [
      { from: ['moon', 'satellite'], to: [], type: 'sol:moon' },
      { from: ['planet'], to: [], type: 'sol:planet' },
      {
        from: ['largest'],
        to: [],
        type: 'sol:moon',
        order: { property: 'radiusKm', descending: true },
      },
    ])
    const found = await search(store, { text: 'largest satellite of saturn' })
    assert.deepEqual(idsOf(found.hits).slice(0, 2), ['titan', 'rhea'])
    assert.deepEqual(found.why, [
      { word: 'satellite', type: 'sol:moon' },
      { word: 'largest', type: 'sol:moon', order: '-radiusKm' },
    ])
    assert.deepEqual(found.matched, ['saturn'])
    assert.deepEqual(idsOf((await search(store, { text: 'largest moon' })).hits)[0], 'ganymede')
    const planets = await search(store, { text: 'planets' })
    assert.deepEqual(idsOf(planets.hits).toSorted(), ['mercury', 'saturn', 'terra', 'venus'])
    assert.deepEqual(planets.counts, { 'sol:planet': 4 })
    const plain = await search(store, { text: 'largest planets', plain: true })
    assert.deepEqual([idsOf(plain.hits), plain.why], [[], undefined])
    const where = { op: '<', property: ['radiusKm'], value: 2_600 } as const
    const smaller = await store.find({ text: 'largest moon', where, limit: 9, budgetMs: 60_000 })
    assert.equal(smaller.hits[0]?.id, 'titan')
    await setSearchSynonyms(store, [])
    assert.deepEqual(idsOf((await search(store, { text: 'planets' })).hits), [])
  })

  test('aliases with a custom weight still count as names, unless the weight is 0', async (t) => {
    const { store } = await open(t)
    const aliases = { attributes: { aliases: ['red dust', 'Rubrum'] } }
    await put(store, moon('a', { summary: 'red dust' }), moon('b', aliases))
    const found = async (text: string) => idsOf((await search(store, { text })).hits)
    assert.deepEqual([await found('dust'), await found('rubrum')], [['b', 'a'], ['b']])
    await setIndexRules(store, { 'sol:moon': { aliases: { weight: 0.1 } } })
    assert.deepEqual(
      [await found('dust'), await found('red dust')],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    )
    await setIndexRules(store, { 'sol:moon': { aliases: { weight: 0 } } })
    assert.deepEqual([await found('dust'), await found('rubrum')], [['a'], []])
  })
}
