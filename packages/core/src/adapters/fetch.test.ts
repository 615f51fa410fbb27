import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../handler/handler.ts'
import type { Store } from '../store/contract.ts'
import { createMemoryStore } from '../store/memory.ts'
import { toFetch } from './fetch.ts'

const DESCRIPTION = { id: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001', types: [{ type: 'sol:moon' }] }
const API = 'https://sol.example/api/world/v0'

async function sol() {
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:moon', id: 'europa', title: 'Europa', attributes: {} } }])
  return toFetch(createWorld({ ...DESCRIPTION, store, publicUrl: 'https://sol.example' }))
}

test('serves entities, pages, actions, 304 and HEAD through fetch', async () => {
  const fetch = await sol()
  const got = await fetch(`${API}/entities/sol%3Amoon/europa`)
  assert.equal(((await got.json()) as { id: string }).id, 'europa')
  const tag = got.headers.get('etag') ?? ''
  const again = await fetch(`${API}/entities/sol%3Amoon/europa`, { headers: { 'if-none-match': tag } })
  assert.deepEqual([again.status, again.body], [304, null])
  const head = await fetch(`${API}/entities/sol%3Amoon/europa`, { method: 'HEAD' })
  assert.deepEqual([head.status, head.body], [200, null])
  const page = await fetch(`${API}/entities/sol%3Amoon?limit=7`, { headers: { 'request-id': 'one' } })
  assert.equal(((await page.json()) as { limit: number }).limit, 7)
  assert.equal(page.headers.get('request-id'), 'one')
  const found = await fetch(`${API}/actions/wp%3Adiscover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"input":{"text":"europa"}}',
  })
  assert.equal(((await found.json()) as { output: { total: number } }).output.total, 1)
})

test('an error results in a response, not in a rejection', async () => {
  const fetch = await sol()
  const response = await fetch(`${API}/entities/sol%3Amoon/vulcan`)
  assert.equal(response.status, 404)
  assert.equal(((await response.json()) as { code: string }).code, 'entity_not_found')
})

test('a world behind fetch requires publicUrl or trustProxy', async () => {
  const options = { ...DESCRIPTION, store: createMemoryStore() }
  assert.throws(() => toFetch(createWorld(options)), /A world behind fetch needs publicUrl/)
  const fetch = toFetch(createWorld({ ...options, trustProxy: true }))
  const response = await fetch('https://inside.example/.well-known/world.json', {
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'sol.example' },
  })
  const { endpoints } = (await response.json()) as { endpoints: { api: string } }
  assert.equal(endpoints.api, API)
})

test('arguments after the request are ignored', async () => {
  const fetch = await sol()
  const page = new Request(`${API}/entities/sol%3Amoon`)
  for (const passed of [{ method: 'DELETE', body: 'x' }, { headers: { accept: 'image/png' } }, 7, null])
    assert.equal((await fetch(page, passed)).status, 200)
})

test('a Request object of a different implementation is accepted', async () => {
  const fetch = await sol()
  const { method, url, headers, signal } = new Request(`${API}/entities/sol%3Amoon?limit=3`)
  const page = await fetch({ method, url, headers, signal, body: null } as Request)
  assert.equal(((await page.json()) as { limit: number }).limit, 3)
})

test('a request head that HTTP forbids but runtimes let through is refused with an error body', async () => {
  const fetch = await sol()
  const url = `${API}/entities/sol%3Amoon`
  const cases = [
    [{}, 200, null],
    [{ headers: { host: 'sol.example', expect: '100-Continue' } }, 200, null],
    [{ url: 'http://a, a/x', headers: { host: 'a, a' } }, 400, 'invalid_request'],
    [{ url: '/x', headers: { host: 'a b' } }, 400, 'invalid_request'],
    [{ headers: { host: 'sol.example/x' } }, 400, 'invalid_request'],
    [{ headers: { expect: 'tea' } }, 417, 'expectation_failed'],
    [{ headers: { x: 'x'.repeat(20_000) } }, 431, 'headers_too_large'],
    [{ method: 'PROPFIND' }, 405, 'method_not_allowed'],
    [{ method: 'FROBNICATE' }, 501, 'not_implemented'],
    [{ method: 'CONNECT', url: 'sol.example:443' }, 501, 'not_implemented'],
  ] as const
  for (const [{ headers, ...head }, status, code] of cases.map(
    ([head, ...rest]) => [{ method: 'GET', url, headers: {}, ...head }, ...rest] as const,
  )) {
    const request = { ...head, headers: new Headers(headers), body: null } as Request
    const answer = await fetch(request)
    assert.deepEqual([answer.status, answer.headers.get('world-error-code')], [status, code], head.url)
    if (code !== null) assert.equal(((await answer.json()) as { code: string }).code, code)
  }
})

test('the runtime is told not to encode a body again', async (t) => {
  const made = t.mock.method(globalThis, 'Response')
  await (await sol())(`${API}/entities/sol%3Amoon`)
  assert.partialDeepStrictEqual(made.mock.calls[0]?.arguments[1], { encodeBody: 'manual' })
})

test('a search is cancelled when its request is aborted', async () => {
  const begun = Promise.withResolvers<AbortSignal | undefined>()
  const find: Store['find'] = ({ signal }) => {
    begun.resolve(signal)
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  }
  const store = { ...createMemoryStore(), find }
  const fetch = toFetch(createWorld({ ...DESCRIPTION, store, publicUrl: 'https://sol.example' }))
  const leaving = new AbortController()
  const response = fetch(`${API}/actions/wp%3Adiscover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"input":{}}',
    signal: leaving.signal,
  })
  const signal = await begun.promise
  assert.equal(signal?.aborted, false)
  leaving.abort()
  assert.equal((await response).status, 408)
  assert.equal(signal?.aborted, true)
})
