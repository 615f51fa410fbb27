/** Contract tests: groups with measures, and samples. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Found, Query, Store } from './contract.ts'
import type { GroupKey, GroupRequest, Measure } from './query/groups.ts'
import { idsOf, moon, type OpenStore, planet, put } from './suite-data.ts'

/** Registers the tests of groups for one engine. */
export function groupingTests(open: OpenStore): void {
  test('groups by every kind of value are in ascending order, with null last', async (t) => {
    const { store } = await open(t)
    await putMoons(store)
    const saturn = { type: 'sol:planet', id: 'saturn' }
    const jupiter = { ...saturn, id: 'jupiter' }
    const cases: [GroupKey, [unknown, number][]][] = [
      [value('number', 'mass'), [[-2, 1], [0.5, 2], [30, 1], [null, 2]]],
      [value('boolean', 'icy'), [[false, 1], [true, 2], [null, 3]]],
      [value('text', 'gases'), [['CO', 1], ['H', 2], ['He', 1], [null, 3]]],
      [value('instant', 'seen'), [[-1000, 1], [Date.UTC(2024, 1, 29, 23), 1], [null, 4]]],
      [value('reference', 'orbits'), [[jupiter, 2], [saturn, 2], [null, 2]]],
      [{ by: 'value', property: 'type', kind: 'text' }, [['sol:moon', 4], ['sol:planet', 2]]],
      [{ by: 'width', property: ['mass'], width: 10, origin: -5 }, [[-5, 3], [25, 1], [null, 2]]],
      [{ by: 'unit', property: ['seen'], kind: 'instant', unit: 'month' }, [[Date.UTC(1969, 11), 1], [Date.UTC(2024, 1), 1], [null, 4]]],
      [{ by: 'unit', property: ['seen'], kind: 'text', unit: 'week' }, [[Date.UTC(1609, 11, 28), 1], [null, 5]]],
      [{ by: 'cells', property: ['base'], degrees: 30 }, [[{ longitude: -180, latitude: -30 }, 1], [{ longitude: 0, latitude: 60 }, 1], [null, 4]]],
    ] // biome-ignore format: one case after another
    for (const [key, expected] of cases) {
      const { groups, total, partial } = await grouped(store, {
        keys: [key],
        sort: [{ by: 'key', descending: false }],
      })
      assert.deepEqual(
        groups.map(({ key: [only], count }) => [only, count]),
        expected,
        JSON.stringify(key),
      )
      assert.deepEqual([total, partial], [expected.length, undefined])
    }
  })

  test('measures are exact, and count the entities with values of other kinds', async (t) => {
    const { store } = await open(t)
    await putMoons(store)
    await put(
      store,
      ...[0.1, 0.2, 0.3, 1e20, -1e20].map((mass, at) => moon(`x${at}`, { attributes: { mass, tag: 'x' } })),
    )
    const measures: Measure[] = [
      ...(['sum', 'avg', 'median'] as const).map(
        (op) => ({ op, property: ['mass'], kind: 'number' }) as const,
      ),
      { op: 'min', property: ['mass'], kind: 'number' },
      { op: 'max', property: 'id', kind: 'text' },
      { op: 'max', property: ['seen'], kind: 'instant' },
      { op: 'count', property: ['gases'], kind: 'text' },
      { op: 'distinct', property: ['gases'], kind: 'text' },
    ]
    const { groups, ignored } = await grouped(store, { keys: [value('text', 'tag')], measures })
    assert.deepEqual(groups, [
      { key: ['x'], count: 5, measures: [0.6, 0.12, 0.2, -1e20, 'x4', null, 0, 0] },
      { key: [null], count: 6, measures: [29, 7.25, 0.5, -2, 'venus', Date.UTC(2024, 1, 29, 23), 3, 3] },
    ])
    assert.deepEqual(ignored, [1, 1, 1, 1, 0, 1, 0, 0])
  })

  test('two keys form pairs, of which the first in the order of a measure are returned', async (t) => {
    const { store } = await open(t)
    await putMoons(store)
    const keys = [value('text', 'gases'), value('boolean', 'icy')]
    const measures: Measure[] = [{ op: 'sum', property: ['mass'], kind: 'number' }]
    const sort = [{ by: 'measure', measure: 0, descending: true }, { by: 'count', descending: true }] as const // biome-ignore format: one list
    assert.deepEqual(await grouped(store, { keys, measures, sort, limit: 3 }), {
      groups: [
        { key: ['CO', null], count: 1, measures: [30] },
        { key: ['H', true], count: 2, measures: [1] },
        { key: ['He', true], count: 1, measures: [0.5] },
      ],
      total: 5,
      ignored: [1],
    })
  })

  test('groups cover the whole result of a text, a condition or nothing, and follow writes', async (t) => {
    const { store } = await open(t)
    const counts = async (query: Partial<Query>, keys: GroupKey[] = [value('boolean', 'icy')]) =>
      (await grouped(store, { keys }, query)).groups.map(({ key, count }) => [...key, count])
    assert.deepEqual([await counts({}), await counts({}, [])], [[], [[0]]])
    await putMoons(store)
    assert.deepEqual(await counts({ text: 'ringed' }), [[null, 1]])
    assert.deepEqual(await counts({ text: 'ringed' }, []), [[1]])
    const where = { op: '>', property: ['mass'], value: 0 } as const
    assert.deepEqual(await counts({ where }), [[true, 2], [null, 1]]) // biome-ignore format: one list
    await store.write([{ delete: { type: 'sol:moon', id: 'io' } }])
    await put(store, moon('europa', { attributes: { icy: false } }))
    assert.deepEqual(await counts({}), [[false, 2], [null, 3]]) // biome-ignore format: one list
  })

  test('a sample has the same order in every store, and continues at a cursor', async (t) => {
    const { store } = await open(t)
    await putMoons(store)
    const sort = [{ by: 'sample' }] as const
    const expected = ['titan', 'saturn', 'venus', 'io', 'rhea', 'europa']
    const whole = await ask(store, { sort })
    assert.deepEqual([idsOf(whole.hits), whole.last], [expected, undefined])
    const first = await ask(store, { sort, limit: 2 })
    assert.deepEqual(idsOf(first.hits), expected.slice(0, 2))
    assert.deepEqual(idsOf((await ask(store, { sort, after: first.last })).hits), expected.slice(2))
  })
}

function value(kind: Extract<GroupKey, { by: 'value' }>['kind'], name: string): GroupKey {
  return { by: 'value', property: [name], kind }
}

async function putMoons(store: Store): Promise<void> {
  const orbits = (id: string) => ({ type: 'sol:planet', id })
  await put(
    store,
    moon('io', { attributes: { mass: 0.5, icy: true, gases: ['H', 'He', 'H'], orbits: orbits('jupiter'), seen: '1610-01-01' } }),
    moon('europa', { attributes: { mass: 0.5, icy: true, gases: 'H', orbits: orbits('jupiter') } }),
    moon('titan', { attributes: { mass: 'heavy', icy: false, orbits: orbits('saturn'), base: { latitude: 90, longitude: 5 } } }),
    moon('rhea', { attributes: { mass: -2, orbits: orbits('saturn'), seen: '2024-02-29T23:00:00Z', base: { latitude: -0.1, longitude: 180 } } }),
    planet('saturn', { summary: 'Ringed', attributes: { seen: '1969-12-31T23:59:59Z' } }),
    planet('venus', { attributes: { mass: [30, 30], gases: ['CO'] } }),
  ) // biome-ignore format: one entity after another
}

async function ask(store: Store, query: Partial<Query>): Promise<Found> {
  return await store.find({ limit: 100, budgetMs: 10_000, ...query })
}

async function grouped(store: Store, group: Partial<GroupRequest>, query: Partial<Query> = {}) {
  const request = { keys: [], measures: [], sort: [], limit: 100, ...group }
  const { groups } = await ask(store, { limit: 0, group: request, ...query })
  assert.ok(groups)
  return groups
}
