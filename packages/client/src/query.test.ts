import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { query } from '@worldwright/extensions/query'
import { memorySearch } from '@worldwright/search/entities'
import { parseCql2 } from './cql2/cql2.ts'
import { connect, isWorldError } from './index.ts'
import type { DiscoverInput, DiscoverOutput, EntityRef } from './protocol.ts'
import { type Answer, discoverPages, type Group, groupTable, pages, propertiesIn } from './query.ts'

interface Sol {
  entities: {
    'sol:moon': { mass: number; orbits: EntityRef; tags?: string[] }
    'sol:planet': { rings: boolean }
  }
  actions: object
}

const SCHEMA = {
  properties: {
    mass: { type: 'number' },
    orbits: { type: 'object', properties: { type: { type: 'string' }, id: { type: 'string' } } },
  },
}
const SATURN = { type: 'sol:planet', id: 'saturn' }

async function sol() {
  const store = createMemoryStore({ search: memorySearch })
  const moons = [1, 2, 3, 4, 5].map((mass) => ({
    put: { type: 'sol:moon', id: `m${mass}`, attributes: { mass, orbits: SATURN } },
  }))
  await store.write([...moons, { put: { ...SATURN, attributes: { rings: true } } }])
  const types = [{ type: 'sol:moon', schema: SCHEMA }, { type: 'sol:planet' }]
  const answer = toFetch(
    createWorld({
      id: 'urn:x:sol',
      types,
      store,
      publicUrl: 'https://sol.example',
      extensions: [query()],
    }),
  )
  let asked = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked += 1
    return answer(new Request(input, init))
  }
  return { world: await connect<Sol>('https://sol.example', { fetch }), count: () => asked }
}

test('query returns the first page, all pages or all entities', async () => {
  const { world } = await sol()
  const answer = world.query({
    types: ['sol:moon'],
    where: { op: '>', args: [{ property: 'mass' }, 1] },
    sort: ['-mass'],
    facets: ['mass'],
    limit: 3,
  })
  const page = await answer.page()
  assert.deepEqual([page.total, page.entities.length, page.facets?.[0]?.present], [4, 3, 4])
  const pages = []
  for await (const one of answer.pages()) pages.push(one.entities.map(({ attributes }) => attributes.mass))
  assert.deepEqual(pages, [[5, 4, 3], [2]])
  const ids = []
  for await (const { id } of answer) ids.push(id)
  assert.deepEqual(ids, ['m5', 'm4', 'm3', 'm2'])
})

test('pages are requested only when they are needed', async () => {
  const { world, count } = await sol()
  const before = count()
  const answer = world.query({ types: ['sol:moon'], limit: 2 })
  assert.equal(count(), before)
  for await (const { id } of answer) if (id === 'm2') break
  assert.equal(count(), before + 1)
})

test('propertiesIn returns the alternatives to a refused property', async () => {
  const { world } = await sol()
  const where = parseCql2('radius > 1')
  await assert.rejects(world.query({ types: ['sol:moon'], where }).page(), (error) => {
    assert.ok(isWorldError(error))
    assert.equal(error.code, 'invalid_input')
    assert.deepEqual(propertiesIn(error).slice(-2), ['mass', 'orbits'])
    return true
  })
})

test('the compiler checks queries against the types of a world', async () => {
  const { world } = await sol()
  const types: ['sol:moon'] = ['sol:moon']
  world.query({ types, sort: ['-mass', 'title'], fields: ['mass'], include: ['orbits'] })
  // @ts-expect-error: moons have no radius
  world.query({ types, sort: ['-radius'] })
  world.query({ types, where: { op: '>', args: [{ property: 'mass' }, 1] } })
  assert.equal((await world.query({ types, where: 'mass > 3' }).page()).total, 2)
  // @ts-expect-error: a condition is no number
  world.query({ types, where: 3 })
  // @ts-expect-error: masses are numbers
  world.query({ types, where: { op: '>', args: [{ property: 'mass' }, 'heavy'] } })
  // @ts-expect-error: no such type
  world.query({ types: ['sol:rock'] })
})

test('the compiler checks keys, measures and the order of groups, and types each measure of a group', async () => {
  const { world } = await sol()
  const types: ['sol:moon'] = ['sol:moon']
  const answer = world.query({
    types,
    group: [{ property: 'mass', width: 2 }, 'tags'],
    measures: [
      { op: 'avg', property: 'mass' },
      { op: 'count', property: 'orbits' },
      { op: 'max', property: 'orbits.id' },
    ],
    groupSort: ['-avg:mass', 'key'],
    groupLimit: 5,
  })
  const read = async ({ key, count, measures: [avg, orbits, last] }: GroupOf<typeof answer>) => {
    const known: [number | null, number, number | string | null] = [avg, orbits, last]
    // @ts-expect-error: a group without masses has no average
    const average: number = avg
    return [key[0], count, known, average]
  }
  assert.equal(typeof read, 'function')
  // @ts-expect-error: moons have no radius
  world.query({ types, group: ['radius'] })
  // @ts-expect-error: the unit is misspelt
  world.query({ types, group: [{ property: 'createdAt', unit: 'years' }] })
  // @ts-expect-error: moons have no radius
  world.query({ types, measures: [{ op: 'avg', property: 'radius' }] })
  // @ts-expect-error: there is no such operation
  world.query({ types, measures: [{ op: 'mean', property: 'mass' }] })
  // @ts-expect-error: the sum is not among the measures
  world.query({ types, measures: [{ op: 'avg', property: 'mass' }], groupSort: ['sum:mass'] })
})

type GroupOf<A> = A extends Answer<unknown, infer M> ? Group<M> : never

test('facets and groups are requested with the first page only', async () => {
  const asked: object[] = []
  const world = {
    async action(action: string, input: object = {}) {
      asked.push(input)
      const output = { entities: [], ...(asked.length === 1 && { nextCursor: 'a' }) }
      return { action, output }
    },
  }
  const grouped = { facets: ['mass'], group: ['mass'], groupSort: ['key' as const], groupLimit: 5 }
  const input = { types: ['sol:moon'], ...grouped, measures: [{ op: 'avg', property: 'mass' } as const] }
  await Array.fromAsync(pages(world, input))
  assert.deepEqual(asked, [input, { types: ['sol:moon'], cursor: 'a' }])
})

test('the compiler knows the types of the entities that discover returns', async () => {
  const { world } = await sol()
  const moons = await world.discover({ types: ['sol:moon'] })
  const masses: (number | undefined)[] = moons.entities.map(({ attributes }) => attributes.mass)
  assert.deepEqual(masses.toSorted(), [1, 2, 3, 4, 5])
  // @ts-expect-error: moons have no rings
  moons.entities[0]?.attributes.rings
  const both = await world.discover({ types: ['sol:moon', 'sol:planet'] })
  // @ts-expect-error: only planets have rings
  both.entities[0]?.attributes.rings
  for (const one of (await world.discover()).entities)
    if (one.type === 'sol:planet') assert.equal(one.attributes.rings, true)
  // @ts-expect-error: no such type
  await world.discover({ types: ['sol:rock'] }).catch(() => {})
})

test('discoverPages yields all results, or a single page from a world without cursors', async () => {
  const answers: Record<string, DiscoverOutput> = {}
  const output = { entities: [], limit: 1, total: 2, counts: {}, truncated: true, matched: [] }
  answers[''] = { ...output, nextCursor: 'a' }
  answers['a'] = { ...output }
  const world = { discover: async ({ cursor = '' }: DiscoverInput = {}) => answers[cursor] as DiscoverOutput }
  assert.equal((await Array.fromAsync(discoverPages(world, { text: 'x' }))).length, 2)
  assert.equal((await Array.fromAsync(discoverPages(world, { cursor: 'a' }))).length, 1)
  answers['a'] = { ...output, nextCursor: 'a' }
  await assert.rejects(Array.fromAsync(discoverPages(world)), { code: 'pagination_loop' })
})

test('all columns of a table of groups have different names', () => {
  const group = ['count', 'count_', 'x'].map((property) => ({ property, kind: 'text' }))
  const measures = ['x', 'x'].map((property) => ({ op: 'avg', property, kind: 'number' }) as const)
  const { columns } = groupTable({ group, measures })
  assert.deepEqual(columns, ['count', 'count_', 'x', 'count__', 'avg:x', 'avg:x_'])
})
