import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../store/memory.ts'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, ORIGIN, overStores } from './world.fixture.ts'

const MOONS = `${API}/entities/sol:moon`

overStores(
  'HEAD returns the header fields of GET without a body, and OPTIONS lists the methods of any path',
  async ({ sol }) => {
    const { send } = await sol()
    const got = await send('GET', `${API}/entities/sol:moon`, { 'request-id': 'same' })
    const head = await send('HEAD', `${API}/entities/sol:moon`, { 'request-id': 'same' })
    assert.equal(head.body, undefined)
    assert.deepEqual(head.headers, got.headers)
    const missing = await send('HEAD', `${API}/entities/sol:moon/vulcan`)
    assert.deepEqual(
      [missing.status, missing.headers['world-error-code'], missing.body],
      [404, 'entity_not_found', undefined],
    )
    for (const [target, allow] of [
      [`${API}/entities/sol:moon`, 'GET, HEAD, OPTIONS'],
      [`${API}/actions/wp:discover`, 'POST, OPTIONS'],
      ['/nowhere', 'GET, HEAD, OPTIONS'],
      ['*', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const options = await send('OPTIONS', target)
      assert.equal(options.status, 204)
      assert.equal(options.headers['allow'], allow)
      assert.equal(options.headers['access-control-allow-methods'], allow)
    }
  },
)

overStores('a matching entity tag returns 304 until the entity or page changes', async ({ sol }) => {
  const { send, store } = await sol()
  for (const target of [`${MOONS}/io`, `${MOONS}?limit=3`, MOONS]) {
    const etag = (await send('GET', target)).headers['etag'] ?? ''
    for (const method of ['GET', 'HEAD']) {
      const fields = { 'if-none-match': `"x", ${etag}`, 'accept-encoding': 'gzip', 'request-id': 'same' }
      const { status, body, requestId, headers } = await send(method, target, fields)
      assert.deepEqual([status, body, requestId], [304, undefined, 'same'])
      // A 304 has no headers that describe content: no type, length, coding or policy.
      assert.deepEqual(headers, {
        etag,
        'cache-control': 'public, no-cache',
        vary: 'Accept-Encoding',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': '*',
      })
    }
    await store.write([{ put: { type: 'sol:moon', id: 'io', title: target, attributes: {} } }])
    assert.equal((await send('GET', target, { 'if-none-match': etag })).status, 200)
  }
})

test('a 404 page with a matching entity tag stays 404', async () => {
  const page = { status: 404, headers: { 'content-type': 'text/html', etag: '"a"' }, body: 'none' }
  const handler = createWorld({
    ...DESCRIPTION,
    store: createMemoryStore(),
    publicUrl: ORIGIN,
    extensions: [() => ({ name: 'sol:page', notFound: () => page })],
  })
  const answer = await handler.handle({ method: 'GET', target: '/no', headers: { 'if-none-match': '"a"' } })
  assert.equal(answer.status, 404)
})

overStores('an unsupported method returns 405, with the supported ones in Allow', async ({ sol }) => {
  const { send } = await sol()
  for (const [method, target, allow] of [
    ['DELETE', MOONS, 'GET, HEAD, OPTIONS'],
    ['PUT', `${MOONS}/io`, 'GET, HEAD, OPTIONS'],
    ['HEAD', `${API}/actions/wp:discover`, 'POST, OPTIONS'],
    // A runtime may pass on any method name, even that of an Object.prototype property.
    ['constructor', `${MOONS}/io`, 'GET, HEAD, OPTIONS'],
  ] as const) {
    const { status, headers, text } = await send(method, target)
    assert.deepEqual([status, headers['allow']], [405, allow], method)
    if (method !== 'HEAD') assert.deepEqual(JSON.parse(text).details, { method, allowed: allow.split(', ') })
  }
})

overStores('bodies of at least 1 KiB are compressed on request', async ({ sol }) => {
  const { send } = await sol()
  for (const coding of ['br', 'gzip', 'zstd']) {
    const large = await send('GET', '/.well-known/world.json', { 'accept-encoding': coding })
    assert.equal(large.headers['content-encoding'], coding)
    assert.equal(large.headers['content-length'], String((large.body as Uint8Array).byteLength))
    assert.equal(large.headers['vary'], 'Accept-Encoding')
    const small = await send('GET', `${API}/entities/sol:moon/io`, { 'accept-encoding': coding })
    assert.equal(small.headers['content-encoding'], undefined)
    assert.equal(small.headers['vary'], 'Accept-Encoding')
  }
})

overStores('the API may have a different origin and path from discovery', async ({ sol }) => {
  const { send } = await sol({ publicUrl: ORIGIN, apiUrl: 'https://api.example/v7/worlds/sol/' })
  const document = (await send('GET', '/.well-known/world.json')).json()
  assert.equal(document.endpoints.api, 'https://api.example/v7/worlds/sol/')
  assert.equal((await send('GET', '/v7/worlds/sol/entities/sol:moon/io')).status, 200)
  assert.equal((await send('GET', `${API}/entities/sol:moon/io`)).status, 404)
})

overStores('Host and X-Forwarded fields have no effect unless the proxy is trusted', async ({ sol }) => {
  const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const own = await (await sol()).send('GET', '/.well-known/world.json', forged)
  assert.equal(own.json().endpoints.api, 'https://sol.example/api/world/v0')
  const trusting = await (await sol({ trustProxy: true })).send('GET', '/.well-known/world.json', forged)
  assert.equal(trusting.json().endpoints.api, 'https://evil.example/api/world/v0')
  assert.equal(trusting.headers['cache-control'], 'private, no-store')
})

overStores('invalid options are refused when the world is created', async ({ createStore }) => {
  const store = createStore()
  for (const options of [
    { publicUrl: 'https://sol.example/path' },
    { publicUrl: 'sol.example' },
    { publicUrl: 'ftp://sol.example' },
    { apiUrl: '/api' },
    { apiUrl: 'https://u:p@sol.example/api' },
    { apiUrl: 'https://sol.example/api?x' },
  ]) {
    assert.throws(() => createWorld({ ...DESCRIPTION, store, ...options }), TypeError)
  }
  assert.throws(() => createWorld({ ...DESCRIPTION, id: 'sol', store }), TypeError)
})
