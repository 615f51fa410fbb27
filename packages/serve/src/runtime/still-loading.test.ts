import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Extension } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { operator } from '@worldwright/extensions/operator'
import { listen } from '@worldwright/node'
import { emptyDefinition } from '@worldwright/publish'
import { type Loading, loadingOf, loadingText, stillLoading } from './still-loading.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function served(t: { after(work: () => unknown): void }, loading: Loading) {
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  const types = [{ type: 'sol:moon' }, { type: 'sol:planet' }]
  const extensions: Extension[] = [operator({}), stillLoading(loading)]
  const log: unknown[] = []
  const world = createWorld({ id: 'urn:x', types, store, extensions, log: (event) => log.push(event) })
  const server = await listen(world, { port: 0 })
  t.after(() => server.close())
  const get = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init)
  const discover = (types?: string[]) =>
    get('/api/world/v0/actions/wp%3Adiscover', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: types ? { types } : {} }),
    })
  return { get, discover }
}

test('during the first load, all but discovery is unavailable, with the progress and a time to retry', async (t) => {
  const loading: Loading = {}
  const { get, discover } = await served(t, loading)
  assert.equal((await get('/.well-known/world.json')).status, 200)
  loading.progress = { bytes: 50, totalBytes: 200, records: 1_234, entities: 1_234, phase: 'reading' }
  const lists = ['sol:planet', 'sol:moon', 'sol:comet'].map((type) => `/api/world/v0/entities/${type}`)
  for (const path of [...lists, '/api/world/v0/entities/sol:moon/io', '/api/operator/v0/entities/sol:moon']) {
    const answer = await get(path)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2'], path)
    const { code, message, details } = (await answer.json()) as Record<string, unknown>
    assert.deepEqual([code, details], ['unavailable', { retryAfterSeconds: 2, reason: 'loading' }])
    assert.equal(message, 'The sources are being loaded: 1,234 records read, 25 %. Try again later.')
    const head = await get(path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('world-error-code')], [503, 'unavailable'])
    assert.equal((await get(path, { method: 'OPTIONS' })).status, 204)
  }
  assert.equal((await discover(['sol:moon'])).status, 503)
})

test('during the first load, browsers get a page with the progress that reloads itself', async (t) => {
  const loading: Loading = {}
  const { get } = await served(t, loading)
  loading.progress = { bytes: 50, records: 1, entities: 1, phase: 'placing' }
  for (const path of ['/', '/api/world/v0/entities/sol:moon']) {
    const answer = await get(path, { headers: BROWSER })
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2'])
    assert.deepEqual(
      ['content-type', 'cache-control', 'vary'].map((name) => answer.headers.get(name)),
      ['text/html; charset=utf-8', 'no-store', 'Accept'],
    )
    const text = await answer.text()
    assert.match(text, /<meta http-equiv="refresh" content="2">/)
    assert.match(text, /The sources are being loaded: 1 record read; putting them in place\. This page/)
  }
  assert.equal(loadingText({}), 'The sources are being loaded.')
})

test('with an earlier load, only types that it lacks are unavailable', async (t) => {
  const { get, discover } = await served(t, { missing: ['sol:planet'] })
  const statusOf = async (type: string) => (await get(`/api/world/v0/entities/${type}`)).status
  assert.deepEqual(
    [await statusOf('sol:moon'), await statusOf('sol:planet'), await statusOf('sol:comet')],
    [200, 503, 404],
  )
  assert.deepEqual(
    [(await discover(['sol:moon'])).status, (await discover(['sol:moon', 'sol:planet'])).status],
    [200, 503],
  )
  // Any type would include those that are missing.
  assert.equal((await discover()).status, 503)
  assert.equal((await get('/nowhere', { headers: BROWSER })).status, 404)
})

test('during a first load, types that it has completed are read', async (t) => {
  const loading: Loading = { filled: ['sol:moon'] }
  const { get, discover } = await served(t, loading)
  const statusOf = async (type: string) => (await get(`/api/world/v0/entities/${type}`)).status
  assert.deepEqual(
    [await statusOf('sol:moon'), await statusOf('sol:planet'), await statusOf('sol:comet')],
    [200, 503, 503],
  )
  assert.deepEqual([(await discover(['sol:moon'])).status, (await discover()).status], [200, 503])
  assert.equal((await get('/api/operator/v0/entities/sol:moon/io')).status, 503)
  loading.filled = []
  assert.equal(await statusOf('sol:moon'), 503)
})

test('a world is loading if it has sources and no earlier load, or types that no load has filled', () => {
  const sources = [{ file: 'a.csv', type: 'x:a' }, { file: 'b.ndjson' }]
  const definition = { ...emptyDefinition(), sources }
  const fingerprint = { definition: '', files: '' }
  const before = (...types: string[]) => {
    const versions = Object.fromEntries(types.map((type) => [type, '1']))
    return { fingerprint, versions, rejected: 0, version: '1' }
  }
  assert.deepEqual(loadingOf(definition, undefined), {})
  assert.deepEqual(loadingOf(definition, before('x:b')), { missing: ['x:a'] })
  assert.equal(loadingOf(definition, before('x:a')), undefined)
  assert.deepEqual(loadingOf(definition, { ...before('x:b'), isPartial: true }), { filled: ['x:b'] })
  assert.equal(loadingOf(emptyDefinition(), undefined), undefined)
})
