/** Contract tests: conditions, sort orders and facets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Found, Query, Store } from './contract.ts'
import { setIndexRules } from './index-rules.ts'
import type { Condition, PropertyPath, SortKey, SortPosition } from './query/conditions.ts'
import { idsOf, moon, type OpenStore, planet, put } from './suite-data.ts'

/** Registers the structured query tests for one engine. */
export function askingTests(open: OpenStore): void {
  test('a condition restricts the result, with and without text', async (t) => {
    const { store } = await open(t)
    await putPlanets(store)
    const heavy = { op: '>', property: ['mass'], value: 1 } as const
    assert.deepEqual(await found(store, { where: heavy }), ['jupiter', 'saturn'])
    assert.deepEqual(await found(store, { where: { op: 'not', condition: heavy } }), ['earth', 'mars'])
    assert.deepEqual(await found(store, { where: heavy, text: 'ringed' }), ['saturn'])
    assert.deepEqual(await found(store, { where: heavy, types: ['sol:moon'] }), [])
    const { total, counts } = await ask(store, { where: heavy, limit: 1 })
    assert.deepEqual([total, counts], [2, { 'sol:planet': 2 }])
  })

  test('every kind of value can be queried', async (t) => {
    const { store } = await open(t)
    await putPlanets(store)
    const saturn = { type: 'sol:planet', id: 'saturn' }
    const cases: [Condition, string[]][] = [
      [{ op: '=', property: ['rings'], value: true }, ['jupiter', 'saturn']],
      [{ op: 'prefix', property: 'title', prefix: 'Ma' }, ['mars']],
      [{ op: 'in', property: 'id', values: ['earth', 'io', 7] }, ['io', 'earth']],
      [{ op: '=', property: ['orbits'], value: { reference: saturn } }, ['titan']],
      [{ op: 'refersTo', target: saturn }, ['titan']],
      [{ op: '>=', property: ['found'], value: { instant: Date.UTC(1655, 2, 25) } }, ['titan']],
      [{ op: 'between', property: ['mass'], low: 1, high: 95 }, ['earth', 'saturn']],
      [{ op: 'absent', property: ['mass'] }, ['io', 'titan', 'venus']],
      [{ op: 'containsAll', property: ['gases'], values: ['H2', 'He'] }, ['jupiter', 'saturn']],
      [{ op: 'inBox', property: ['station'], west: 170, south: -10, east: -170, north: 10 }, ['earth']],
      [{ op: 'within', property: ['station'], center: { longitude: 179, latitude: 0 }, metres: 120_000 }, ['earth']],
      [{ op: '=', property: 'type', value: 'sol:moon' }, ['io', 'titan']],
    ] // biome-ignore format: one case after another
    for (const [where, ids] of cases)
      assert.deepEqual(await found(store, { where }), ids, JSON.stringify(where))
  })

  test('an attribute excluded from the index matches no condition, but its text can be searched', async (t) => {
    const { store } = await open(t)
    await putPlanets(store)
    const saturn = { type: 'sol:planet', id: 'saturn' }
    const orbiting = (op: 'values' | 'any'): Condition =>
      op === 'any'
        ? { op: 'refersTo', target: saturn }
        : { op: '=', property: ['orbits'], value: { reference: saturn } }
    const counted = async () =>
      Promise.all([orbiting('values'), orbiting('any')].map((where) => found(store, { where })))
    assert.deepEqual(await counted(), [['titan'], ['titan']])
    await setIndexRules(store, { 'sol:moon': { orbits: { index: false } } })
    assert.deepEqual(await counted(), [[], []])
    const attributes = { orbits: saturn, remark: 'icy' }
    await put(store, moon('rhea', { attributes }))
    await setIndexRules(store, { 'sol:moon': { remark: { index: false } } })
    assert.deepEqual(await counted(), [
      ['rhea', 'titan'],
      ['rhea', 'titan'],
    ])
    const icy: Condition = { op: '=', property: ['remark'], value: 'icy' }
    assert.deepEqual(await found(store, { where: icy }), [])
    assert.deepEqual(await found(store, { text: 'icy' }), ['rhea'])
  })

  test('a sorted walk continues from its last position even if that entity was deleted', async (t) => {
    const { store } = await open(t)
    await putPlanets(store)
    const sort: SortKey[] = [{ by: 'value', property: ['mass'], kind: 'number', descending: true }]
    const walked: string[] = []
    let after: SortPosition | undefined
    do {
      const page: Found = await ask(store, { sort, limit: 2, ...(after && { after }) })
      assert.equal(page.total, 7 - Number(walked.length > 2))
      walked.push(...idsOf(page.hits))
      after = page.last
      if (walked.length === 4) await store.write([{ delete: { type: 'sol:planet', id: 'mars' } }])
    } while (after)
    assert.deepEqual(walked, ['jupiter', 'saturn', 'earth', 'mars', 'io', 'titan', 'venus'])
  })

  test('facets count the whole result', async (t) => {
    const { store } = await open(t)
    await putPlanets(store)
    const gases: PropertyPath = ['gases']
    const { facets } = await ask(store, {
      limit: 0,
      facets: [
        { facet: 'values', property: gases, kind: 'text', limit: 2 },
        { facet: 'ranges', property: ['mass'], kind: 'number', ranges: [{ to: 1 }, { from: 1 }] },
        { facet: 'histogram', property: ['mass'], kind: 'number', buckets: 2 },
        { facet: 'referrers', target: { type: 'sol:planet', id: 'saturn' }, limit: 5 },
      ],
    })
    assert.deepEqual(facets, [
      {
        present: 3,
        absent: 4,
        buckets: [
          { value: 'H2', count: 2 },
          { value: 'He', count: 2 },
        ],
        more: true,
      },
      {
        present: 4,
        absent: 3,
        buckets: [
          { to: 1, count: 1 },
          { from: 1, count: 3 },
        ],
      },
      {
        present: 4,
        absent: 3,
        minimum: 0.5,
        maximum: 318,
        buckets: [
          { from: 0.5, to: 159.25, count: 3 },
          { from: 159.25, to: 318, count: 1 },
        ],
      },
      { present: 1, absent: 6, buckets: [{ type: 'sol:moon', path: ['orbits'], count: 1 }] },
    ])
  })

  test('conditions, orders and facets continue through references, to the latest state of the referenced entities', async (t) => {
    const { store } = await open(t)
    await putPlanets(store)
    const mass = { reference: ['orbits'], property: ['mass'] } as const
    const heavy = { op: '>', property: mass, value: 100 } as const
    assert.deepEqual(await found(store, { where: heavy }), ['io'])
    const sort: SortKey[] = [{ by: 'value', property: mass, kind: 'number', descending: false }]
    assert.deepEqual(await found(store, { where: { op: '>', property: mass, value: 0 }, sort }), [
      'titan',
      'io',
    ])
    await put(store, planet('saturn', { attributes: { mass: 900 } }))
    assert.deepEqual(await found(store, { where: heavy }), ['io', 'titan'])
    await store.write([{ delete: { type: 'sol:planet', id: 'jupiter' } }])
    assert.deepEqual(await found(store, { where: heavy }), ['titan'])
    const titles = { facet: 'values', property: { ...mass, property: 'id' }, kind: 'text', limit: 5 } as const
    const absent = { op: 'absent', property: mass } as const
    const { hits, facets } = await ask(store, { types: ['sol:moon'], where: absent, facets: [titles] })
    assert.deepEqual([idsOf(hits), facets], [['io'], [{ present: 0, absent: 1, buckets: [] }]])
  })

  test('creation and update times can be queried, including those of imported entities', async (t) => {
    const { store, clock } = await open(t)
    await put(store, planet('earth'), planet('mars'))
    const first = clock.time.getTime()
    clock.time = new Date(first + 60_000)
    const running = await store.bulk()
    await running.add([planet('mars', { title: 'Mars' }), planet('venus')])
    clock.time = new Date(first + 120_000)
    await running.commit()
    const since = (property: 'createdAt' | 'updatedAt') =>
      found(store, { where: { op: '>', property, value: { instant: first + 60_000 } } })
    assert.deepEqual([await since('createdAt'), await since('updatedAt')], [['venus'], ['mars', 'venus']])
  })

  test('entities that share rare words are similar, and the entity itself is excluded', async (t) => {
    const { store } = await open(t)
    await put(
      store,
      moon('io', { title: 'Io', summary: 'Volcanoes of sulphur on a moon' }),
      moon('europa', { title: 'Europa', summary: 'A moon with an ocean' }),
      moon('titan', { title: 'Titan', summary: 'A moon' }),
      planet('venus', { title: 'Venus', summary: 'Volcanoes, sulphur', attributes: { mass: 0.8 } }),
      planet('mars', { title: 'Mars' }),
    )
    const io = { type: 'sol:moon', id: 'io' }
    assert.deepEqual((await found(store, { similar: io }))[0], 'venus')
    const { hits, total, matched, last } = await ask(store, { similar: io, limit: 1 })
    assert.deepEqual([idsOf(hits), total, matched.includes('volcano')], [['venus'], 3, true])
    const rest = await found(store, { similar: io, after: last, types: ['sol:moon', 'sol:planet'] })
    assert.deepEqual(rest.sort(), ['europa', 'titan'])
    assert.deepEqual(await found(store, { similar: io, types: ['sol:moon'], sort: BY_ID }), [
      'europa',
      'titan',
    ])
    const where = { op: '=', property: ['mass'], value: 0.8 } as const
    assert.deepEqual(await found(store, { similar: io, where }), ['venus'])
    assert.deepEqual(await found(store, { similar: { type: 'sol:planet', id: 'mars' } }), [])
    assert.deepEqual(await found(store, { similar: { type: 'sol:planet', id: 'nibiru' } }), [])
  })

  test("a type's index rules determine which attributes count for similarity", async (t) => {
    const { store } = await open(t)
    const of = (id: string, kind: string, note: string) => planet(id, { attributes: { kind, note } })
    await put(
      store,
      of('a', 'giant', 'red'),
      of('b', 'giant', 'blue'),
      of('c', 'dwarf', 'red'),
      of('d', 'x', 'y'),
    )
    const similar = { type: 'sol:planet', id: 'a' }
    await setIndexRules(store, { 'sol:planet': { note: { weight: 0 } } })
    assert.deepEqual(await found(store, { similar }), ['b'])
    await setIndexRules(store, { 'sol:planet': { kind: { weight: 0 } } })
    assert.deepEqual(await found(store, { similar }), ['c'])
  })

  test('values too long to be compared are counted as unindexed', async (t) => {
    const { store } = await open(t)
    await put(
      store,
      planet('a', { attributes: { note: 'x'.repeat(129) } }),
      planet('b', { attributes: { note: 'x' } }),
    )
    const { hits, unindexed } = await ask(store, {
      where: { op: 'prefix', property: ['note'], prefix: 'x' },
    })
    assert.deepEqual([idsOf(hits), unindexed], [['b'], 1])
    assert.equal((await ask(store, { where: { op: 'absent', property: ['note'] } })).total, 0)
    assert.equal((await ask(store, { where: { op: 'absent', property: ['other'] } })).unindexed, undefined)
  })
}

const BY_ID: SortKey[] = [{ by: 'value', property: 'id', kind: 'text', descending: false }]

async function putPlanets(store: Store): Promise<void> {
  const orbits = (id: string) => ({ orbits: { type: 'sol:planet', id } })
  await put(
    store,
    planet('jupiter', { attributes: { mass: 318, rings: true, gases: ['H2', 'He', 'CH4'] } }),
    planet('saturn', { summary: 'Ringed', attributes: { mass: 95, rings: true, gases: ['H2', 'He'] } }),
    planet('earth', { attributes: { mass: 1, station: { latitude: 0, longitude: 180 } } }),
    planet('mars', { title: 'Mars', attributes: { mass: 0.5, rings: false, gases: 'CO2' } }),
    planet('venus', { attributes: { mass: null } }),
    moon('titan', { attributes: { ...orbits('saturn'), found: '1655-03-25T00:00:00Z' } }),
    moon('io', { attributes: { ...orbits('jupiter'), found: '1610-01-08' } }),
  )
}

async function ask(store: Store, query: Partial<Query>): Promise<Found> {
  return await store.find({ limit: 100, budgetMs: 10_000, ...query })
}

async function found(store: Store, query: Partial<Query>): Promise<string[]> {
  return idsOf((await ask(store, query)).hits)
}
