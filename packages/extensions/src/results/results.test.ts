import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writtenFormats } from '@worldwright/publish/formats'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { type Query, StoreFault } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import type { GroupResult } from '../../../core/src/store/query/groups.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { results } from './results.ts'

const TYPES = [
  {
    type: 'sol:moon',
    schema: {
      type: 'object',
      properties: {
        mass: { type: 'number' },
        place: {
          type: 'object',
          properties: { latitude: { type: 'number' }, longitude: { type: 'number' } },
        },
      },
    },
  },
  { type: 'sol:planet' },
]

async function world(refuses: (search: number) => boolean = () => false) {
  const memory = createMemoryStore({ search: memorySearch })
  let searches = 0
  const store = {
    ...memory,
    find: async (query: Query) => {
      if (refuses(++searches)) throw new StoreFault('overloaded', 'Too many searches wait already.')
      // Enough on the slowest machine, since a search that is cut short has no page.
      return memory.find({ ...query, budgetMs: 60_000 })
    },
  }
  const moons = Array.from({ length: 1_200 }, (_, index) => ({
    put: {
      type: 'sol:moon',
      id: `m${String(index).padStart(4, '0')}`,
      title: index === 3 ? '=HYPERLINK("x")' : `Moon ${index}`,
      attributes: { mass: index, ...(index % 2 && { place: { latitude: 1, longitude: 2 } }) },
    },
  }))
  await store.write(moons)
  /** Makes the source answer every grouped query with these groups. */
  const groupsAre = (groups: GroupResult) => {
    const { find } = store
    store.find = async (query) => ({ ...(await find(query)), ...(query.group && { groups }) })
  }
  const description = { id: 'urn:x:sol', types: TYPES }
  const extensions = [results({ formats: writtenFormats() })]
  const fetch = toFetch(createWorld({ ...description, store, publicUrl: 'https://sol.example', extensions }))
  const take = async (file: string, input: unknown, headers = {}) => {
    const query = `?input=${encodeURIComponent(typeof input === 'string' ? input : JSON.stringify(input))}`
    const response = await fetch(
      new Request(`https://sol.example/api/world/v0/results/${file}${query}`, { headers }),
    )
    return { response, text: await response.text() }
  }
  return { store, take, groupsAre }
}

const QUESTION = {
  types: ['sol:moon'],
  where: { op: '<', args: [{ property: 'mass' }, 1_100] },
  sort: ['-mass'],
}

test('a CSV result contains all pages in order and escapes formulas', async () => {
  const { take } = await world()
  const { response, text } = await take('result.csv', QUESTION, { accept: 'text/csv' })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  const rows = text.trimEnd().split('\n')
  assert.equal(rows.length, 1_101)
  assert.deepEqual(rows.slice(0, 2), [
    'id,title,summary,mass,place',
    'm1099,Moon 1099,,1099,"{""latitude"":1,""longitude"":2}"',
  ])
  assert.match(text, /^m0003,"'=HYPERLINK/m)
  assert.equal((await take('result.csv', { ...QUESTION, where: 'mass < 1100' })).text, text)
})

test('GeoJSON includes entities without a location, and NDJSON contains only the selected fields', async () => {
  const { take } = await world()
  const { features } = JSON.parse((await take('result.geojson', QUESTION)).text)
  assert.equal(features.length, 1_100)
  assert.deepEqual(
    features.slice(0, 2).map(({ geometry }: { geometry: object }) => geometry),
    [{ type: 'Point', coordinates: [2, 1] }, null],
  )
  const lines = (await take('result.ndjson', { ...QUESTION, fields: ['mass'] })).text.trimEnd().split('\n')
  assert.equal(lines.length, 1_100)
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    type: 'sol:moon',
    id: 'm1099',
    title: 'Moon 1099',
    attributes: { mass: 1_099 },
  })
})

test('an invalid query is refused before anything is sent', async () => {
  const { take } = await world()
  for (const [file, input, code] of [
    ['result.xml', QUESTION, 'not_found'],
    ['result.csv', '{', 'invalid_parameter'],
    ['result.csv', [], 'invalid_parameter'],
    ['result.csv', {}, 'invalid_parameter'],
    ['result.csv', { ...QUESTION, limit: 5 }, 'invalid_parameter'],
    ['result.csv', { ...QUESTION, facets: ['mass'] }, 'invalid_parameter'],
    ['result.csv', { types: ['sol:moon'], sort: ['mas'] }, 'invalid_input'],
  ] as const) {
    const { response, text } = await take(file, input)
    assert.equal(JSON.parse(text).code, code, JSON.stringify(input))
    assert.ok(response.status >= 400)
  }
})

test('a file of groups has a row for each, with columns named by keys and measures', async () => {
  const { take, groupsAre } = await world()
  const groups = [
    { key: [0, '=x'], count: 3, measures: [-1.5] },
    { key: [10, null], count: 1, measures: [null] },
  ]
  groupsAre({ groups, total: 2, ignored: [0] })
  const input = {
    group: [{ property: 'mass', width: 10 }, 'title'],
    measures: [{ op: 'avg', property: 'mass' }],
  }
  const { response, text } = await take('result.csv', input)
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(text, "mass:10,title,count,avg:mass\n0,'=x,3,-1.5\n10,,1,\n")
  assert.deepEqual(
    (await take('result.ndjson', input)).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { 'mass:10': 0, title: '=x', count: 3, 'avg:mass': -1.5 },
      { 'mass:10': 10, title: null, count: 1, 'avg:mass': null },
    ],
  )
  const refused = await take('result.geojson', input)
  assert.match(refused.text, /asks for groups, which geojson does not hold/)
  // A file is never short unless the question limits its groups.
  groupsAre({ groups, total: 1_001, ignored: [0] })
  assert.match((await take('result.csv', input)).text, /There are 1001 groups, and a file holds 1000 at most/)
  assert.equal((await take('result.csv', { ...input, groupLimit: 2 })).text, text)
  groupsAre({ groups, total: 2, ignored: [0], partial: true })
  assert.equal(JSON.parse((await take('result.csv', input)).text).code, 'action_timeout')
})

test('a source that ignores groups is refused with not_implemented', async () => {
  const { store, take } = await world()
  const { find } = store
  store.find = ({ group: _, ...query }) => find(query)
  const { response, text } = await take('result.csv', { group: ['mass'] })
  assert.deepEqual([response.status, JSON.parse(text).code], [501, 'not_implemented'])
})

test('an incomplete result fails instead of being truncated', async () => {
  const { store, take } = await world()
  const find = store.find
  let asked = 0
  store.find = async (query) => {
    asked += 1
    const found = await find(query)
    return asked === 3 ? { ...found, partial: true } : found
  }
  await assert.rejects(take('result.ndjson', QUESTION))
})

test('an error on the first page has its own status and code in every format', async () => {
  for (const format of ['csv', 'geojson', 'ndjson']) {
    const busy = await (await world((search) => search === 1)).take(`result.${format}`, QUESTION)
    assert.deepEqual([busy.response.status, JSON.parse(busy.text).code], [503, 'unavailable'])
    const { store, take } = await world()
    const find = store.find
    store.find = async (query) => ({ ...(await find(query)), partial: true })
    const slow = await take(`result.${format}`, QUESTION)
    assert.deepEqual([slow.response.status, JSON.parse(slow.text).code], [504, 'action_timeout'])
    store.find = async (query) => ({ ...(await find(query)), damaged: [{ type: 'sol:moon', id: 'm0001' }] })
    const damaged = await take(`result.${format}`, QUESTION)
    assert.deepEqual([damaged.response.status, JSON.parse(damaged.text).code], [500, 'damaged'])
  }
})

test('later pages of a result are retried if refused under load', async () => {
  const { take } = await world((search) => search === 2 || search === 4)
  const { text } = await take('result.ndjson', QUESTION)
  assert.equal(text.trim().split('\n').length, 1_100)
})
