/** Contract tests: search. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result, Storage, StoredEntity } from './contract.ts'
import { searchSynonyms, setSearchSynonyms } from './search-synonyms.ts'
import { dice, idsOf, importAll, moon, type OpenStore, planet, put } from './suite-data.ts'

/** Registers the tests of searching for one engine. */
export function searchingTests(open: OpenStore): void {
  test('without text everything is found, by type and then id', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'), moon('\u{1f30d}'), moon('\ufffd'), planet('earth'))
    await storage.write([
      { put: { type: 'a:gone', id: 'x', attributes: {} } },
      { delete: { type: 'a:gone', id: 'x' } },
    ])
    for (const text of [undefined, '', ' \t\n\u3000']) {
      const found = await search(storage, { ...(text !== undefined && { text }) })
      assert.deepEqual(idsOf(found.hits), ['\ufffd', '\u{1f30d}', 'earth', 'mars'])
      const { hits: _, ...rest } = found
      const counts = { 'sol:moon': 2, 'sol:planet': 2 }
      assert.deepEqual(rest, { total: 4, counts, totalIsLowerBound: false, partial: false, matched: [] })
      assert.deepEqual(Object.keys(rest.counts), ['sol:moon', 'sol:planet'])
    }
  })

  test('types narrow a search; an empty list and unknown types match nothing', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('io', { title: 'Io' }), moon('io', { title: 'Io' }))
    for (const text of ['io', '']) {
      assert.deepEqual((await search(storage, { text, types: ['sol:moon', 'x:y', 'sol:moon'] })).counts, {
        'sol:moon': 1,
      })
      for (const types of [[], ['x:y']]) {
        const found = await search(storage, { text, types })
        assert.deepEqual([found.hits, found.total, found.counts, found.matched], [[], 0, {}, []])
      }
    }
  })

  test('words are found in titles, aliases, summaries and attributes, with the whole entity as answer', async (t) => {
    const { storage } = await open(t)
    const attributes = {
      aliases: ['Terra', 3],
      moons: [{ name: 'Luna' }],
      radius: 6371,
      deep: { er: ['Gaia'] },
    }
    await put(storage, planet('earth', { title: 'Earth', summary: 'The blue one', attributes }))
    for (const text of ['earth', 'EARTH', 'terra', 'blue', 'luna', '6371', 'gaia']) {
      const found = await search(storage, { text })
      assert.deepEqual(found.hits, [await storage.get('sol:planet', 'earth')], text)
      assert.deepEqual(found.matched, [text.toLowerCase()])
    }
    for (const text of ['aliases', 'sol', 'planet', '2026'])
      assert.equal((await search(storage, { text })).total, 0)
  })

  test('marks and case do not matter', async (t) => {
    const { storage } = await open(t)
    await put(
      storage,
      planet('cafe', { title: 'Café Ænima ÉCLAIR' }),
      planet('cafe2', { title: 'cafe\u0301' }),
    )
    for (const text of ['cafe', 'CAFÉ', 'cafe\u0301'])
      assert.equal((await search(storage, { text })).total, 2, text)
  })

  test('entities with all words come before those with some, titles before bodies, then type and id', async (t) => {
    const { storage } = await open(t)
    const words = (text: string) => ({ attributes: { text } })
    await put(
      storage,
      planet('some', { title: 'ice' }),
      planet('all', words('the ice and a giant')),
      planet('b', { title: 'giant' }),
      planet('a', { title: 'giant' }),
      moon('z', { title: 'giant' }),
      planet('0body', words('giant')),
      planet('none', { title: 'nothing' }),
    )
    const found = await search(storage, { text: 'ice giant absent' })
    assert.deepEqual([found.total, found.matched], [6, ['giant', 'ice']])
    const both = await search(storage, { text: 'giant ice' })
    assert.equal(both.hits[0]?.id, 'all')
    const ordered = both.hits.map(({ type, id }) => `${type} ${id}`)
    const tied = ['sol:moon z', 'sol:planet a', 'sol:planet b']
    assert.deepEqual(
      ordered.filter((key) => tied.includes(key)),
      tied,
    )
    assert.equal(ordered.at(-1), 'sol:planet 0body')
    assert.deepEqual(idsOf((await search(storage, { text: 'ice giant', limit: 2 })).hits), [
      both.hits[0]?.id,
      both.hits[1]?.id,
    ])
  })

  test('a limit of 0 gives the numbers alone', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars', { title: 'Mars' }), moon('phobos', { summary: 'of Mars' }))
    for (const text of ['mars', '']) {
      const { hits, total, counts } = await search(storage, { text, limit: 0 })
      assert.deepEqual(
        { hits, total, counts },
        { hits: [], total: 2, counts: { 'sol:moon': 1, 'sol:planet': 1 } },
      )
    }
  })

  test('what was changed or deleted is found by its new text only', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('x', { title: 'old' }), planet('y', { title: 'old' }))
    await storage.write([{ put: planet('x', { title: 'new' }) }, { delete: { type: 'sol:planet', id: 'y' } }])
    assert.equal((await search(storage, { text: 'old' })).total, 0)
    assert.deepEqual(idsOf((await search(storage, { text: 'new' })).hits), ['x'])
  })

  test('the same entities have the same order, whatever was written before', async (t) => {
    const [straight, crooked] = [(await open(t)).storage, (await open(t)).storage]
    const roll = dice(3)
    const vocabulary = ['ice', 'giant', 'red', 'dwarf', 'ring', 'storm']
    const text = () => Array.from({ length: 1 + roll(6) }, () => vocabulary[roll(6)]).join(' ')
    const entities = Array.from({ length: 80 }, (_, index) =>
      planet(`p${index}`, { title: text(), summary: text() }),
    )
    await importAll(straight, entities)
    await put(
      crooked,
      ...entities.map(({ id }) => planet(`${id}x`, { title: text() })),
      planet('p3', { title: text() }),
    )
    await importAll(crooked, entities.toReversed(), ['sol:planet'])
    for (const question of ['ice', 'red dwarf', 'ring storm giant']) {
      const [one, two] = [
        await search(straight, { text: question }),
        await search(crooked, { text: question }),
      ]
      assert.deepEqual(idsOf(one.hits), idsOf(two.hits))
      assert.ok(one.total > 0)
    }
  })

  test('no text at all is an error, and none of it is a command', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('x', { title: 'plain near words' }))
    const nothing = [
      '"',
      "'",
      '*',
      '^',
      '-',
      '+',
      '()',
      '{}',
      ':',
      '\0',
      '\ud800',
      '\u0301',
      '!?.,;',
      '🚀',
      '"""""',
      '\\',
    ]
    for (const text of nothing) {
      const found = await search(storage, { text })
      assert.deepEqual([found.total, found.hits, found.matched], [0, [], []], JSON.stringify(text))
    }
    const words = [
      '"plain', 'plain"', 'pl*', 'title:plain', 'plain AND', 'NOT plain', 'NEAR(plain words, 2)', '^plain', 'plain OR NOT',
      "plain'; DROP TABLE entities;--", 'plain\0words', '\udc00plain\ud800', '-plain', '{title} : plain', 'a'.repeat(512),
      'é'.repeat(512), 'a '.repeat(256), '"'.repeat(512), '(plain'.repeat(73), '𞤀 plain', '\u{10ffff}plain', 'ﬁ ß İ ı',
      Array.from({ length: 170 }, (_, index) => (index + 46_656).toString(36)).join(' '),
    ] // biome-ignore format: one case after another
    for (const text of words) await search(storage, { text })
    assert.equal((await search(storage, { text: 'title:plain' })).total, 1)
    assert.equal((await search(storage, { text: 'NOT plain' })).total, 1)
    assert.equal((await search(storage, { text: 'pl*' })).total, 1)
    assert.equal((await search(storage, { text: 'pl* x' })).total, 0)
    assert.deepEqual((await search(storage, { text: 'Plain OR near "PLAIN' })).matched, ['near', 'plain'])
  })

  test('rules of a type change the order, for what is there as well, and other types stay as they were', async (t) => {
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
    assert.deepEqual(await storage.indexRules(), {})
    await storage.setIndexRules({ 'sol:moon': { remark: { weight: 5 } } })
    assert.deepEqual(await storage.indexRules(), { 'sol:moon': { remark: { weight: 5 } } })
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
    await storage.setIndexRules({ 'sol:moon': { remark: { weight: 0 } }, 'sol:planet': {} })
    assert.deepEqual(await red('sol:moon'), [])
    assert.deepEqual(idsOf((await search(storage, { text: 'blue' })).hits), ['c'])
    const same = await storage.version()
    await storage.setIndexRules({ 'sol:moon': { remark: { weight: 0 } } })
    assert.equal(await storage.version(), same)
    await storage.setIndexRules({})
    assert.deepEqual(await red('sol:moon'), ['a', 'c'])
  })

  test('synonyms hold from the next question on, and for what is there already', async (t) => {
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
    const narrowed = await storage.find({ text: 'film', where, limit: 9, budgetMs: 1000 })
    assert.deepEqual(idsOf(narrowed.hits), ['c'])
    await setSearchSynonyms(storage, [])
    assert.deepEqual(await found('film'), ['a'])
  })

  test('aliases that are weighed stay names, and those that weigh nothing are none', async (t) => {
    const { storage } = await open(t)
    const aliases = { attributes: { aliases: ['red dust', 'Rubrum'] } }
    await put(storage, moon('a', { summary: 'red dust' }), moon('b', aliases))
    const found = async (text: string) => idsOf((await search(storage, { text })).hits)
    assert.deepEqual([await found('dust'), await found('rubrum')], [['b', 'a'], ['b']])
    await storage.setIndexRules({ 'sol:moon': { aliases: { weight: 0.1 } } })
    assert.deepEqual(
      [await found('dust'), await found('red dust')],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    )
    await storage.setIndexRules({ 'sol:moon': { aliases: { weight: 0 } } })
    assert.deepEqual([await found('dust'), await found('rubrum')], [['a'], []])
  })
}

async function search(
  storage: Storage,
  query: { text?: string; types?: string[]; limit?: number },
): Promise<Result<StoredEntity>> {
  return await storage.find({ limit: 100, budgetMs: 1000, ...query })
}
