import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, isWorldError } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { DESCRIPTION, fill, moon } from './served.fixture.ts'
import { RIGHT_URLS, WRONG_URLS } from './urls.fixture.ts'

/** Returns the `fetch` of a fake world whose document names `api`, and the URLs that were requested. */
function stub(api: string) {
  const sent: string[] = []
  const fetch = async (url: string) => {
    sent.push(url)
    return Response.json(
      sent.length === 1
        ? { protocol: 'world/0.1', endpoints: { api } }
        : { type: 'sol:moon', id: 'io', attributes: {} },
    )
  }
  return { sent, fetch }
}

const DOCUMENT = 'https://origin.example/.well-known/world.json'

test('the URL lists are long and disjoint', () => {
  assert.deepEqual([RIGHT_URLS.size, WRONG_URLS.size], [1848, 1348])
  assert.deepEqual([...RIGHT_URLS.intersection(WRONG_URLS)], [])
})

test('the client appends a route to a valid URL without changing the URL', async () => {
  for (const api of RIGHT_URLS) {
    const { sent, fetch } = stub(api)
    const world = await connect('https://origin.example', { fetch })
    await world.get('sol:moon', 'io')
    const slash = api.endsWith('/') ? '' : '/'
    assert.deepEqual(sent, [DOCUMENT, `${api}${slash}entities/sol%3Amoon/io`])
  }
})

test('the client fails with invalid_response for an invalid URL and sends nothing to it', async () => {
  for (const api of WRONG_URLS) {
    const shown = JSON.stringify(api)
    const { sent, fetch } = stub(api)
    const error: unknown = await connect('https://origin.example', { fetch }).catch(
      (thrown: unknown) => thrown,
    )
    assert.ok(isWorldError(error), shown)
    assert.equal(error.code, 'invalid_response', shown)
    assert.deepEqual(sent, [DOCUMENT], shown)
  }
})

test('the server accepts the same URLs for apiUrl, and serves the API at each of them', async (t) => {
  const store = createMemoryStore()
  t.after(() => store.close())
  await fill(store, [moon('io')])
  const worldAt = (apiUrl: string) =>
    createWorld({ ...DESCRIPTION, store, publicUrl: 'https://origin.example', apiUrl, cacheBytes: 0 })
  for (const apiUrl of WRONG_URLS) assert.throws(() => worldAt(apiUrl), TypeError, JSON.stringify(apiUrl))
  for (const apiUrl of RIGHT_URLS) {
    const world = await connect('https://origin.example', { fetch: toFetch(worldAt(apiUrl)) })
    assert.equal(world.document.endpoints.api, apiUrl)
    assert.equal((await world.get('sol:moon', 'io')).id, 'io', JSON.stringify(apiUrl))
  }
})
