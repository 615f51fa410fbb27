/** Contract tests: search, by an index or by reading every entity. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query, Result, Store, StoredEntity } from './contract.ts'
import { dice, idsOf, importAll, moon, type OpenStore, planet, put } from './suite-data.ts'

/** Registers the search tests for one engine. */
export function searchingTests(open: OpenStore): void {
  test('a search without text finds all entities, ordered by type and id', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'), moon('\u{1f30d}'), moon('\ufffd'), planet('earth'))
    await store.write([
      { put: { type: 'a:gone', id: 'x', attributes: {} } },
      { delete: { type: 'a:gone', id: 'x' } },
    ])
    for (const text of [undefined, '', ' \t\n\u3000']) {
      const found = await search(store, { ...(text !== undefined && { text }) })
      assert.deepEqual(idsOf(found.hits), ['\ufffd', '\u{1f30d}', 'earth', 'mars'])
      const { hits: _, ...rest } = found
      const counts = { 'sol:moon': 2, 'sol:planet': 2 }
      assert.deepEqual(rest, { total: 4, counts, totalIsLowerBound: false, partial: false, matched: [] })
      assert.deepEqual(Object.keys(rest.counts), ['sol:moon', 'sol:planet'])
    }
  })

  test('a search finds only the given types, and unknown types match nothing', async (t) => {
    const { store } = await open(t)
    await put(store, planet('io', { title: 'Io' }), moon('io', { title: 'Io' }))
    for (const text of ['io', '']) {
      assert.deepEqual((await search(store, { text, types: ['sol:moon', 'x:y', 'sol:moon'] })).counts, {
        'sol:moon': 1,
      })
      for (const types of [[], ['x:y']]) {
        const found = await search(store, { text, types })
        assert.deepEqual([found.hits, found.total, found.counts, found.matched], [[], 0, {}, []])
      }
    }
  })

  test('a word in the title, an alias, the summary or an attribute finds the whole entity', async (t) => {
    const { store } = await open(t)
    const attributes = {
      aliases: ['Terra', 3],
      moons: [{ name: 'Luna' }],
      radius: 6371,
      deep: { er: ['Gaia'] },
    }
    await put(store, planet('earth', { title: 'Earth', summary: 'The blue one', attributes }))
    for (const text of ['earth', 'EARTH', 'terra', 'blue', 'luna', '6371', 'gaia']) {
      const found = await search(store, { text })
      assert.deepEqual(found.hits, [await store.get('sol:planet', 'earth')], text)
      assert.deepEqual(found.matched, [text.toLowerCase()])
    }
    for (const text of ['aliases', 'sol', 'planet', '2026'])
      assert.equal((await search(store, { text })).total, 0)
  })

  test('a search ignores case and diacritics', async (t) => {
    const { store } = await open(t)
    await put(store, planet('cafe', { title: 'Café Ænima ÉCLAIR' }), planet('cafe2', { title: 'cafe\u0301' }))
    for (const text of ['cafe', 'CAFÉ', 'cafe\u0301'])
      assert.equal((await search(store, { text })).total, 2, text)
  })

  test('hits are ranked by number of matching words, then titles before other text, then type and id', async (t) => {
    const { store } = await open(t)
    const words = (text: string) => ({ attributes: { text } })
    await put(
      store,
      planet('all', words('the ice and a giant with a halo')),
      planet('b', { title: 'ice giant' }),
      planet('a', { title: 'ice giant' }),
      moon('z', { title: 'ice giant' }),
      planet('0body', words('ice, a giant')),
      ...['p', 'q', 'r', 's'].map((id) => planet(id, { title: 'halo' })),
      planet('none', { title: 'nothing' }),
    )
    const text = 'halo giant ice'
    const found = await search(store, { text: `${text} absent` })
    assert.deepEqual([found.hits[0]?.id, found.matched], ['all', ['giant', 'halo', 'ice']])
    const both = await search(store, { text })
    assert.equal(both.hits[0]?.id, 'all')
    // A store may leave out what holds only one word.
    const ordered = both.hits.map(({ type, id }) => `${type} ${id}`).filter((key) => !/ [pqrs]$/.test(key))
    const tied = ['sol:moon z', 'sol:planet a', 'sol:planet b']
    assert.deepEqual(
      ordered.filter((key) => tied.includes(key)),
      tied,
    )
    assert.equal(ordered.at(-1), 'sol:planet 0body')
    assert.deepEqual(idsOf((await search(store, { text, limit: 2 })).hits), [
      both.hits[0]?.id,
      both.hits[1]?.id,
    ])
  })

  test('a limit of 0 returns only the totals', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars', { title: 'Mars' }), moon('phobos', { summary: 'of Mars' }))
    for (const text of ['mars', '']) {
      const { hits, total, counts } = await search(store, { text, limit: 0 })
      assert.deepEqual(
        { hits, total, counts },
        { hits: [], total: 2, counts: { 'sol:moon': 1, 'sol:planet': 1 } },
      )
    }
  })

  test('a changed entity is found by its new text only, and a deleted one not at all', async (t) => {
    const { store } = await open(t)
    await put(store, planet('x', { title: 'old' }), planet('y', { title: 'old' }))
    await store.write([{ put: planet('x', { title: 'new' }) }, { delete: { type: 'sol:planet', id: 'y' } }])
    assert.equal((await search(store, { text: 'old' })).total, 0)
    assert.deepEqual(idsOf((await search(store, { text: 'new' })).hits), ['x'])
  })

  test('the order of hits depends only on the current entities, not on earlier writes', async (t) => {
    const [straight, crooked] = [(await open(t)).store, (await open(t)).store]
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

  test('no search text causes an error or is interpreted as query syntax', async (t) => {
    const { store } = await open(t)
    await put(store, planet('x', { title: 'plain near words' }), planet('y', { title: 'A plain title' }))
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
      const found = await search(store, { text })
      assert.deepEqual([found.total, found.hits, found.matched], [0, [], []], JSON.stringify(text))
    }
    const words = [
      '"plain', 'plain"', 'pl*', 'title:plain', 'plain AND', 'NOT plain', 'NEAR(plain words, 2)', '^plain', 'plain OR NOT',
      "plain'; DROP TABLE entities;--", 'plain\0words', '\udc00plain\ud800', '-plain', '{title} : plain', 'a'.repeat(512),
      'é'.repeat(512), 'a '.repeat(256), '"'.repeat(512), '(plain'.repeat(73), '𞤀 plain', '\u{10ffff}plain', 'ﬁ ß İ ı',
      Array.from({ length: 170 }, (_, index) => (index + 46_656).toString(36)).join(' '),
    ] // biome-ignore format: one case after another
    for (const text of words) await search(store, { text })
    assert.equal((await search(store, { text: 'title:plain' })).hits[0]?.id, 'y')
    assert.equal((await search(store, { text: 'NOT plain' })).total, 2)
    assert.deepEqual((await search(store, { text: 'Plain OR near "PLAIN' })).matched, ['near', 'plain'])
  })
}

/** Searches a store for up to a hundred hits. */
export async function search(
  store: Store,
  query: Partial<Pick<Query, 'text' | 'types' | 'limit' | 'plain'>>,
): Promise<Result<StoredEntity>> {
  return await store.find({ limit: 100, budgetMs: 60_000, ...query })
}
