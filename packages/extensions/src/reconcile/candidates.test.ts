import assert from 'node:assert/strict'
import { test } from 'node:test'
import { services } from './services.fixture.ts'

const MOONS = 'sol%3Amoon'

/** Returns the candidates of a single query. */
async function asked(query: object) {
  const { post } = await services()
  const response = await post(MOONS, { queries: { q: query } })
  assert.equal(response.status, 200)
  const { q } = (await response.json()) as {
    q: { result: { id: string; match: boolean; score: number; name: string }[] }
  }
  return q.result
}

async function matched(query: object) {
  const result = await asked(query)
  assert.ok(result.every(({ score }, at) => score <= (result[at - 1]?.score ?? 100)))
  return result.filter(({ match }) => match).map(({ id }) => id)
}

test('names and aliases match regardless of case, accents, punctuation and comma order', async () => {
  assert.deepEqual(await matched({ query: 'Titan' }), ['titan'])
  assert.deepEqual(await matched({ query: ' TÍTAN!' }), ['titan'])
  assert.deepEqual(await matched({ query: 'Austen, Jane' }), ['austen'])
  assert.deepEqual(await matched({ query: 'Austen Jane' }), [])
  assert.deepEqual(await matched({ query: 'saturn vi' }), ['titan'])
})

test('a similar name is a candidate but not a match', async () => {
  const result = await asked({ query: 'Titen' })
  assert.deepEqual(
    result.map(({ id, match }) => [id, match]),
    [['titan', false]],
  )
})

test('an id matches its entity unless it is a plain number', async () => {
  assert.deepEqual(await matched({ query: 'phobos-2' }), ['phobos-2'])
  const [first] = await asked({ query: '1655' })
  assert.deepEqual([first?.id, first?.match, first?.score], ['1655', false, 100])
})

test('two entities with the same name are candidates but not matches', async () => {
  const result = await asked({ query: 'Phobos' })
  assert.deepEqual(
    result.map(({ match }) => match),
    [false, false],
  )
  const [only] = await asked({ query: 'Phobos', limit: 1 })
  assert.equal(only?.match, false)
})

test('properties distinguish entities with the same name', async () => {
  const having = (pid: string, v: unknown) => matched({ query: 'Phobos', properties: [{ pid, v }] })
  assert.deepEqual(await having('orbits', { id: 'mars', name: 'Mars' }), ['phobos'])
  assert.deepEqual(await having('orbits', 'mars'), ['phobos'])
  assert.deepEqual(await having('discovered', '1999'), ['phobos-2'])
  assert.deepEqual(await having('discovered', ['1870', '1877']), ['phobos'])
  assert.deepEqual(await having('orbits', 'Venus'), [])
  // The property is absent, so either entity may be meant.
  assert.deepEqual(await having('craters', 5), [])
})

test('a property with a different value prevents a match', async () => {
  assert.deepEqual(await matched({ query: 'Titan', properties: [{ pid: 'craters', v: '60' }] }), ['titan'])
  assert.deepEqual(await matched({ query: 'Titan', properties: [{ pid: 'craters', v: 61 }] }), [])
  assert.deepEqual(
    await matched({
      query: 'Titan',
      properties: [
        { pid: 'icy', v: true },
        { pid: 'orbit.days', v: 15.9 },
      ],
    }),
    ['titan'],
  )
})

test('a query by properties alone finds candidates but no match', async () => {
  const result = await asked({ properties: [{ pid: 'orbits', v: { id: 'saturn' } }] })
  assert.deepEqual(result.map(({ id }) => id).sort(), ['phobos-2', 'rhea', 'titan'])
  const codes = await asked({ properties: [{ pid: 'code', v: 'HY7000' }] })
  assert.deepEqual(codes[0]?.score, 100)
  assert.deepEqual(
    [...result, ...codes].map(({ match }) => match),
    [false, false, false, false],
  )
})

test('a code matches in any spelling if it is the only word or another word matches too', async () => {
  assert.deepEqual(await matched({ query: 'Hyperion (Saturn) HY7000' }), ['hyperion'])
  assert.deepEqual(await matched({ query: 'HY/7000' }), ['hyperion'])
  assert.deepEqual(await matched({ query: 'Rover HY7000' }), [])
  assert.deepEqual(await matched({ query: 'Hyperion HY7001' }), [])
})

test("a query for types other than the service's own finds nothing", async () => {
  assert.deepEqual(await matched({ query: 'Titan', type: 'sol:moon', type_strict: 'any' }), ['titan'])
  assert.deepEqual(await asked({ query: 'Titan', type: ['sol:planet'] }), [])
  assert.deepEqual(await matched({ query: 'Titan', type: ['sol:planet', 'sol:moon'] }), ['titan'])
})

test('a partial search yields no match', async () => {
  const { post } = await services({
    wrap: (store) => ({
      ...store,
      find: async (query) => ({ ...(await store.find(query)), partial: true }),
    }),
  })
  const response = await post(MOONS, { queries: { q: { query: 'Titan' } } })
  const { q } = (await response.json()) as { q: { result: { id: string; match: boolean }[] } }
  assert.deepEqual(
    q.result.map(({ id, match }) => [id, match]),
    [['titan', false]],
  )
})
