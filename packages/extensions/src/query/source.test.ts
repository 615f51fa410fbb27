import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Extension } from '@worldwright/core'
import type { Source } from '@worldwright/core/store'
import { withIndex } from '@worldwright/search/entities'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { arraySource } from '../../../core/src/store/array-source.fixture.ts'
import { attachments } from '../attachments/index.ts'
import { changes } from '../changes/index.ts'
import { openApi } from '../openapi/index.ts'
import { operator } from '../operator/index.ts'
import { pages } from '../pages/index.ts'
import { reconcile } from '../reconcile/index.ts'
import { results } from '../results/index.ts'
import { query } from './index.ts'

const rows = arraySource([
  { type: 'sol:planet', id: 'jupiter', title: 'Jupiter', attributes: {} },
  ...['io', 'europa'].map((id, mass) => ({
    type: 'sol:moon',
    id,
    title: id,
    attributes: { mass, orbits: { type: 'sol:planet', id: 'jupiter' } },
  })),
])
const ndjson = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  async *write(snapshot: { entities(): AsyncIterable<{ json: string }> }) {
    for await (const { json } of snapshot.entities()) yield `${json}\n`
  },
}

/** Returns a function that sends requests to a world over a source. */
function worldOver(store: Source, ...extensions: Extension[]) {
  const types = [
    { type: 'sol:moon', schema: { properties: { mass: { type: 'number' } } } },
    { type: 'sol:planet' },
  ]
  const publicUrl = 'https://sol.example'
  const { handle } = createWorld({ id: 'urn:x:sol', types, store, publicUrl, extensions })
  return async (target: string, input?: object) => {
    const { status, body } = await handle({
      method: input ? 'POST' : 'GET',
      target,
      headers: input ? { 'content-type': 'application/json' } : {},
      ...(input && { body: pieces(JSON.stringify({ input })) }),
    })
    const chunks = body instanceof Uint8Array || typeof body === 'string' ? [Buffer.from(body)] : (body ?? [])
    const text = Buffer.concat((await Array.fromAsync(chunks)).map((chunk) => Buffer.from(chunk))).toString()
    return { status, text }
  }
}

const SEARCHING = { query, pages, reconcile, results: () => results({ formats: [ndjson] }) }
const WRITING = { changes, operator }

test('extensions that need conditions refuse a source without a search, and name a way to add one', () => {
  for (const [name, extension] of Object.entries(SEARCHING))
    assert.throws(
      () => worldOver(rows, extension()),
      (error) => error instanceof TypeError && error.message.startsWith(`${name}() needs a source with find`),
    )
})

test('extensions that write or read the log refuse every source that takes no writes', () => {
  for (const source of [rows, withIndex(rows)])
    for (const extension of Object.values(WRITING))
      assert.throws(() => worldOver(source, extension()), /^TypeError: An extension needs a store/)
})

test('a world over a plain source answers everything that it declares', async () => {
  const ask = worldOver(rows, openApi(), attachments({ folder: import.meta.dirname }))
  const { extensions, actions } = JSON.parse((await ask('/.well-known/world.json')).text)
  assert.deepEqual(Object.keys(extensions), ['worldwright:openapi', 'worldwright:attachments'])
  assert.deepEqual(
    actions.map(({ name }: { name: string }) => name),
    ['wp:discover'],
  )
  assert.equal((await ask('/openapi.json')).status, 200)
  assert.equal((await ask('/attachments/source.test.ts')).status, 200)
})

test('with an index beside it, a source answers queries, results, reconciliation and pages', async () => {
  const ask = worldOver(withIndex(rows), ...Object.values(SEARCHING).map((extension) => extension()))
  const where = { op: '>', args: [{ property: 'mass' }, 0] }
  const asked = { types: ['sol:moon'], where, sort: [{ property: 'mass' }], facets: [{ property: 'mass' }] }
  const answer = await ask('/api/world/v0/actions/worldwright%3Aquery', asked)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(JSON.parse(answer.text).output.entities[0].id, 'europa')
  const input = encodeURIComponent(JSON.stringify({ types: ['sol:moon'], where }))
  const file = await ask(`/api/world/v0/results/result.ndjson?input=${input}`)
  assert.equal(JSON.parse(file.text).id, 'europa', file.text)
  const queries = encodeURIComponent(JSON.stringify({ q: { query: 'Io' } }))
  const matches = await ask(`/reconcile/sol:moon?queries=${queries}`)
  assert.equal(JSON.parse(matches.text).q.result[0].id, 'io')
  const page = await ask('/t/sol:planet/jupiter')
  assert.match(page.text, /What points here.*href="\/t\/sol%3Amoon\/europa"/s)
  assert.equal((await ask('/')).status, 200)
})
