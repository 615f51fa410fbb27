/** Bounds on the cost and duration of a request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import type { Query } from '../../../core/src/store/contract.ts'
import { propertiesOf, readBatch } from './read-queries.ts'
import { services } from './services.fixture.ts'

const MOONS = 'sol%3Amoon'
const MANY = Array.from({ length: 32 }, (_, at) => `value ${at}`)

test('query text and entity text are each folded only once', async (t) => {
  const aliases = Array.from({ length: 100 }, (_, at) => `alias, ${at}`)
  const { post } = await services({ entities: [{ type: 'sol:moon', id: 'io', attributes: { aliases } }] })
  const folded = t.mock.method(String.prototype, 'normalize')
  const properties = [{ pid: 'aliases', v: ['alias 99', ...MANY.slice(1)] }]
  const response = await post(MOONS, { queries: { q: { query: 'io', properties } } })
  assert.equal(response.status, 200)
  assert.ok(folded.mock.callCount() < 2_500, `${folded.mock.callCount()} foldings`)
})

test('the properties of a type are computed once per batch', () => {
  let reads = 0
  const properties = { code: { type: 'string' }, craters: { type: 'integer' } }
  const schema = {
    get properties() {
      reads += 1
      return properties
    },
  }
  const type = { type: 'sol:moon', schema }
  propertiesOf(type)
  const readsOf = (queries: number) => {
    reads = 0
    const query = { query: 'x', properties: Object.keys(properties).map((pid) => ({ pid, v: 1 })) }
    readBatch(
      JSON.stringify(Object.fromEntries(Array.from({ length: queries }, (_, at) => [at, query]))),
      type,
    )
    return reads
  }
  assert.equal(readsOf(10), readsOf(1))
})

/** Returns the search conditions of a query with one property. */
async function conditionsOf(pid: string, v: readonly string[], target?: JsonObject) {
  const reference = {
    type: 'object',
    properties: { type: target ?? { type: 'string' }, id: { type: 'string' } },
  }
  const names = Array.from({ length: 40 }, (_, at) => ({ type: `sol:t${at}` }))
  const schema = { type: 'object', properties: { one: reference, all: { type: 'array', items: reference } } }
  const asked: Query[] = []
  const { post } = await services({
    types: [{ type: 'sol:moon', schema }, ...names],
    wrap: (store) => ({
      ...store,
      find(query) {
        asked.push(query)
        return store.find(query)
      },
    }),
  })
  const response = await post(MOONS, { queries: { q: { properties: [{ pid, v }] } } })
  assert.equal(response.status, 200)
  const where = asked[0]?.where
  assert.ok(where && 'conditions' in where)
  return where.conditions.map((one) =>
    'values' in one ? one.values : 'conditions' in one ? one.conditions : [],
  )
}

test('a search compares properties with a bounded number of values', async () => {
  const [values = []] = await conditionsOf('one', MANY)
  assert.ok(values.length <= 32 + 256, String(values.length))
})

test('a reference is compared only with the types that its schema allows', async () => {
  for (const pid of ['one', 'all'])
    for (const target of [{ const: 'sol:t3' }, { enum: ['sol:t3'] }]) {
      const [values] = await conditionsOf(pid, ['io'], target)
      assert.deepEqual(values, ['io', { reference: { type: 'sol:t3', id: 'io' } }])
    }
})

test('a request ends at its timeout', { timeout: 3_000 }, async (t) => {
  const late = new AbortController()
  const limit = t.mock.method(AbortSignal, 'timeout', () => late.signal)
  const { post } = await services({
    wrap: (store) => ({
      ...store,
      find: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          late.abort()
        }),
    }),
  })
  const response = await post(MOONS, { queries: { q: { query: 'Titan' } } })
  const { code, details } = (await response.json()) as { code: string; details: object }
  assert.deepEqual([response.status, code, details], [504, 'action_timeout', { seconds: 30 }])
  assert.deepEqual(limit.mock.calls[0]?.arguments, [30_000])
})

test('other requests are served while entities are judged or extended', async () => {
  const moons = Array.from({ length: 60 }, (_, at) => ({
    type: 'sol:moon',
    id: `m${at}`,
    title: 'Same',
    attributes: {},
  }))
  const { post } = await services({ entities: moons })
  for (const form of [
    { queries: { q: { query: 'Same', limit: 100 } } },
    { extend: { ids: moons.map(({ id }) => id), properties: [{ id: 'code' }] } },
  ]) {
    let turns = 0
    let isOver = false
    const next = () => {
      turns += 1
      if (!isOver) setImmediate(next)
    }
    setImmediate(next)
    await post(MOONS, form)
    isOver = true
    assert.ok(turns >= 40, String(turns))
  }
})

test('a form is decoded once', async (t) => {
  const { post } = await services()
  const junk = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`n${at}`, '1']))
  const decoded = t.mock.method(globalThis, 'decodeURIComponent')
  const response = await post(MOONS, { ...junk, queries: { q: { query: 'Titan' } } })
  assert.equal(response.status, 200)
  assert.ok(decoded.mock.callCount() < 100, `${decoded.mock.callCount()} decodings`)
})

test('many references are resolved against many types in one pass', async (t) => {
  const types = Array.from({ length: 400 }, (_, at) => ({ type: `sol:t${at}` }))
  const near = Array.from({ length: 200 }, (_, at) => ({ type: 'sol:elsewhere', id: `x${at}` }))
  const schema = {
    properties: { near: { type: 'array', items: { properties: { type: {}, id: {} } } } },
  }
  const { post } = await services({
    types: [{ type: 'sol:moon', schema }, ...types],
    entities: [{ type: 'sol:moon', id: 'io', attributes: { near } }],
  })
  const looked = t.mock.method(String.prototype, 'normalize')
  const response = await post(MOONS, { extend: { ids: ['io'], properties: [{ id: 'near' }] } })
  assert.equal(response.status, 200)
  assert.ok(looked.mock.callCount() < 5_000, `${looked.mock.callCount()} looks`)
})

test('properties may have the names of inherited object members', async () => {
  const properties = { constructor: { type: 'string' }, toString: { type: 'number' } }
  const { get } = await services({ types: [{ type: 'sol:moon', schema: { type: 'object', properties } }] })
  const response = await get(`${MOONS}/suggest/property?prefix=`)
  assert.deepEqual(await response.json(), {
    result: [
      { id: 'constructor', name: 'Constructor' },
      { id: 'toString', name: 'To string' },
    ],
  })
})
