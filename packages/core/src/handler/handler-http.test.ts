import assert from 'node:assert/strict'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, ORIGIN, overStores } from './world.fixture.ts'

overStores(
  'HEAD has the fields of GET and no body; OPTIONS names the methods of any path',
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

overStores('an unchanged entity or page is 304 with its fields; a write changes the tag', async ({ sol }) => {
  const { send, storage } = await sol()
  for (const target of [`${API}/entities/sol:moon/io`, `${API}/entities/sol:moon?limit=3`]) {
    const etag = (await send('GET', target)).headers['etag'] ?? ''
    const again = await send('GET', target, { 'if-none-match': `"x", ${etag}` })
    assert.equal(again.status, 304)
    assert.equal(again.body, undefined)
    assert.equal(again.headers['etag'], etag)
    assert.equal(again.headers['cache-control'], 'public, no-cache')
    assert.equal(again.headers['vary'], 'Accept-Encoding')
    assert.equal(again.headers['access-control-allow-origin'], '*')
    await storage.write([{ put: { type: 'sol:moon', id: 'io', title: target, attributes: {} } }])
    assert.equal((await send('GET', target, { 'if-none-match': etag })).status, 200)
  }
})

overStores('bodies over 1 KiB are compressed as asked, smaller ones never', async ({ sol }) => {
  const { send } = await sol()
  for (const coding of ['br', 'gzip', 'zstd']) {
    const large = await send('GET', '/.well-known/world.json', { 'accept-encoding': coding })
    assert.equal(large.headers['content-encoding'], coding)
    assert.equal(large.headers['vary'], 'Accept-Encoding')
    const small = await send('GET', `${API}/entities/sol:moon/io`, { 'accept-encoding': coding })
    assert.equal(small.headers['content-encoding'], undefined)
    assert.equal(small.headers['vary'], 'Accept-Encoding')
  }
})

overStores('the API may stand on another origin and path than the discovery document', async ({ sol }) => {
  const { send } = await sol({ publicUrl: ORIGIN, apiUrl: 'https://api.example/v7/worlds/sol/' })
  const document = (await send('GET', '/.well-known/world.json')).json()
  assert.equal(document.endpoints.api, 'https://api.example/v7/worlds/sol/')
  assert.equal((await send('GET', '/v7/worlds/sol/entities/sol:moon/io')).status, 200)
  assert.equal((await send('GET', `${API}/entities/sol:moon/io`)).status, 404)
})

overStores(
  'forged Host and X-Forwarded fields have no effect, unless a proxy is trusted',
  async ({ sol }) => {
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const own = await (await sol()).send('GET', '/.well-known/world.json', forged)
    assert.equal(own.json().endpoints.api, 'https://sol.example/api/world/v0')
    const trusting = await (await sol({ trustProxy: true })).send('GET', '/.well-known/world.json', forged)
    assert.equal(trusting.json().endpoints.api, 'https://evil.example/api/world/v0')
    assert.equal(trusting.headers['cache-control'], 'private, no-store')
  },
)

overStores('options that cannot work are refused when the world is made', async ({ createStorage }) => {
  const storage = createStorage()
  for (const options of [
    { publicUrl: 'https://sol.example/path' },
    { publicUrl: 'sol.example' },
    { publicUrl: 'ftp://sol.example' },
    { apiUrl: '/api' },
    { apiUrl: 'https://u:p@sol.example/api' },
    { apiUrl: 'https://sol.example/api?x' },
  ]) {
    assert.throws(() => createWorld({ ...DESCRIPTION, store: storage, ...options }), TypeError)
  }
  assert.throws(() => createWorld({ ...DESCRIPTION, id: 'sol', store: storage }), TypeError)
})
