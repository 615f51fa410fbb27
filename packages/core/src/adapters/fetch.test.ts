import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../handler/handler.ts'
import type { Store } from '../store/contract.ts'
import { createMemoryStore } from '../store/memory.ts'
import { toFetch } from './fetch.ts'

const DESCRIPTION = { id: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001', types: [{ type: 'sol:moon' }] }
const API = 'https://sol.example/api/world/v0'

async function sol() {
  const storage = createMemoryStore()
  await storage.write([{ put: { type: 'sol:moon', id: 'europa', title: 'Europa', attributes: {} } }])
  return toFetch(createWorld({ ...DESCRIPTION, store: storage, publicUrl: 'https://sol.example' }))
}

test('a handler answers fetch: entities, actions with a body, 304, HEAD', async () => {
  const fetch = await sol()
  const got = await fetch(`${API}/entities/sol%3Amoon/europa`)
  assert.equal(((await got.json()) as { id: string }).id, 'europa')
  const tag = got.headers.get('etag') ?? ''
  const again = await fetch(`${API}/entities/sol%3Amoon/europa`, { headers: { 'if-none-match': tag } })
  assert.deepEqual([again.status, again.body], [304, null])
  const head = await fetch(`${API}/entities/sol%3Amoon/europa`, { method: 'HEAD' })
  assert.deepEqual([head.status, head.body], [200, null])
  const found = await fetch(`${API}/actions/wp%3Adiscover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"input":{"text":"europa"}}',
  })
  assert.equal(((await found.json()) as { output: { total: number } }).output.total, 1)
})

test('a failure is a response, never a rejection', async () => {
  const fetch = await sol()
  const response = await fetch(`${API}/entities/sol%3Amoon/vulcan`)
  assert.equal(response.status, 404)
  assert.equal(((await response.json()) as { code: string }).code, 'entity_not_found')
})

test('without publicUrl a world behind fetch answers discovery with an error, since it has no address', async () => {
  const fetch = toFetch(createWorld({ ...DESCRIPTION, store: createMemoryStore() }))
  const response = await fetch('https://anything.example/.well-known/world.json')
  assert.equal(response.status, 500)
})

test('a search is cancelled when its request is aborted', async () => {
  const begun = Promise.withResolvers<AbortSignal | undefined>()
  const find: Store['find'] = ({ signal }) => {
    begun.resolve(signal)
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  }
  const storage = { ...createMemoryStore(), find }
  const fetch = toFetch(createWorld({ ...DESCRIPTION, store: storage, publicUrl: 'https://sol.example' }))
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
