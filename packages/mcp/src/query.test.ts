import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import type { JsonObject } from '@worldwright/client/protocol'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { query } from '@worldwright/extensions/query'
import { memorySearch } from '@worldwright/search/entities'
import { callTool } from './tools.ts'

const ORIGIN = 'https://sol.example'
const SCHEMA = {
  type: 'object',
  properties: {
    '': { type: 'string' },
    mass: { type: 'number' },
    address: { type: 'object', properties: { city: { type: 'string' } } },
    'a.b': { type: 'string' },
    constructor: { type: 'string' },
  },
}

/** Asks a world of three moons through a tool. */
async function asker() {
  const store = createMemoryStore({ search: memorySearch })
  for (const [index, id] of ['io', 'europa', 'titan'].entries()) {
    const attributes = { mass: index + 1, address: { city: 'Rome' }, 'a.b': `dot ${id}`, '': '' }
    await store.write([{ put: { type: 'sol:moon', id, title: id, attributes } }])
  }
  const types = [{ type: 'sol:moon', title: 'Moon', schema: SCHEMA }]
  const world = createWorld({
    id: 'urn:x:sol',
    name: 'Sol',
    types,
    store,
    publicUrl: ORIGIN,
    extensions: [query()],
  })
  const fetch = toFetch(world)
  const open = () => connect(ORIGIN, { fetch, retries: 0 })
  const on = { name: 'sol.example', hasToken: false, open }
  return async (name: string, args: JsonObject) =>
    (await callTool([on], name, args, new AbortController().signal)).text
}

test('a card counts what can be counted, and has examples of the rest', async () => {
  const text = await (await asker())('describe_world', { type: 'sol:moon' })
  assert.match(text, /^sol:moon, 3 entities\./)
  assert.match(text, /\nmass number ×3 1…3\n/)
  assert.match(text, /\naddress object e\.g\. \{"city":"Rome"\}\n/)
})

test('a row has each column once, by any name', async () => {
  const ask = await asker()
  const types = ['sol:moon']
  assert.match(
    await ask('query', {
      types,
      fields: ['title', 'a.b', 'constructor', 'address.city'],
      sort: ['id'],
      limit: 1,
    }),
    /Columns: id \(sol:moon\)\|title\|a\.b\|constructor\|address\.city\n<data [^\n]*\neuropa\|"europa"\|"dot europa"\|\|Rome\n/,
  )
  assert.match(await ask('query', { types }), /\|"dot europa"\|/)
  const call = { type: 'sol:moon', id: 'io', fields: ['constructor'] }
  assert.match(await ask('get_entity', { ...call, fields: ['title'] }), /\ntitle: io\n<\/data>$/)
  assert.match(await ask('get_entity', call), /\nIt has no constructor\. It has: mass, address, a\.b, ""$/)
})

test('a count is one short answer, also as a measure', async () => {
  const ask = await asker()
  for (const more of [{ limit: 0 }, { measures: [{ op: 'count' }] }])
    assert.equal(await ask('query', { types: ['sol:moon'], ...more }), '3 found.')
  assert.equal(await ask('search', { types: ['sol:moon'], limit: 0 }), '3 found')
  const measures = [{ op: 'max', property: 'mass' }]
  assert.match(await ask('query', { types: ['sol:moon'], measures, limit: 0 }), /^3 entities in 1 groups/)
})

test('a long condition is refused unread', async () => {
  const where = `mass > 1${' OR mass > 1'.repeat(700)}`
  assert.equal(await (await asker())('query', { where }), 'where has at most 8192 characters.')
})

test('a text in double quotes and a list of wrong items are refused in words that help', async () => {
  const ask = await asker()
  assert.match(
    await ask('query', { types: ['sol:moon'], where: 'title = "Europa"' }),
    /\nTexts go in single quotes/,
  )
  const measures = ['avg:mass']
  assert.match(
    await ask('query', { types: ['sol:moon'], measures }),
    /^measures is to be a list of objects\./,
  )
})
