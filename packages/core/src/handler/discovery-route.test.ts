import assert from 'node:assert/strict'
import type { JsonObject } from '@worldwright/client/protocol'
import { nodeCodings } from '../../../node/src/node-codings.ts'
import { createWorld } from './handler.ts'
import { ORIGIN, type Over, overStores } from './world.fixture.ts'

const DISCOVERY = { method: 'GET', target: '/.well-known/world.json', headers: {} }

const moon = (id: string, type = 'sol:moon') => ({ put: { type, id, attributes: {} } })

/** Creates a world whose types follow its store, and whose extension declarations can change. */
function changingWorld(createStore: Over['createStore']) {
  const store = createStore()
  const declared = { operator: undefined as JsonObject | undefined }
  const types = async () =>
    [...(await store.types()).keys()].map((type) => ({ type, title: 'A'.repeat(2_000) }))
  const handler = createWorld({
    id: 'urn:example:sol',
    types,
    store,
    publicUrl: ORIGIN,
    codings: nodeCodings,
    extensions: [() => ({ name: 'worldwright:operator', declares: () => declared.operator })],
  })
  return { store, handler, declared }
}

overStores(
  'discovery keeps the same bytes in every coding after writes that do not affect it',
  async ({ createStore }) => {
    const { store, handler } = changingWorld(createStore)
    await store.write([moon('io')])
    for (const coding of ['identity', 'br', 'gzip']) {
      const request = { ...DISCOVERY, headers: { 'accept-encoding': coding } }
      const first = await handler.handle(request)
      await store.write([moon(`europa-${coding}`)])
      const second = await handler.handle(request)
      assert.equal(second.body, first.body, coding)
      assert.equal(second.headers['etag'], first.headers['etag'])
    }
  },
)

overStores('discovery is rebuilt when a type is added or an extension changes', async ({ createStore }) => {
  const { store, handler, declared } = changingWorld(createStore)
  await store.write([moon('io')])
  const tag = async () => (await handler.handle(DISCOVERY)).headers['etag']
  const first = await tag()
  const io = { ...DISCOVERY, target: '/api/world/v0/entities/sol:moon/io' }
  await handler.handle(io)
  await store.write([moon('mars', 'sol:planet')])
  // A request for another cached response rereads the type versions before discovery does.
  await handler.handle(io)
  const second = await tag()
  assert.notEqual(second, first)
  declared.operator = { path: '/api/operator/v0' }
  await store.write([], { values: { any: '1' } })
  assert.notEqual(await tag(), second)
})

overStores('behind a trusted proxy, each of many hosts gets its own API URL', async ({ createStore }) => {
  const store = createStore()
  const handler = createWorld({ id: 'urn:example:sol', types: [], store, trustProxy: true })
  for (const host of [...Array(40).keys(), ...Array(40).keys()].map((number) => `h${number}.example`)) {
    const { body, headers } = await handler.handle({ ...DISCOVERY, headers: { host } })
    assert.equal(
      JSON.parse(Buffer.from(body as Uint8Array).toString()).endpoints.api,
      `http://${host}/api/world/v0`,
    )
    assert.equal(headers['cache-control'], 'private, no-store')
  }
})

overStores(
  'observe receives the route and the status, also for cached responses',
  async ({ createStore }) => {
    const store = createStore()
    await store.write([moon('io')])
    const seen: string[] = []
    const handler = createWorld({
      id: 'urn:example:sol',
      types: [{ type: 'sol:moon' }],
      store,
      publicUrl: ORIGIN,
      observe: ({ route, method, status, ms }) => {
        assert.ok(ms >= 0)
        seen.push(`${method} ${route} ${status}`)
      },
    })
    const targets = ['/api/world/v0/entities/sol:moon/io', '/api/world/v0/entities/sol:moon/none', '/nothing']
    for (const target of [...targets, ...targets]) await handler.handle({ ...DISCOVERY, target })
    const once = [
      'GET /api/world/v0/entities/{type}/{id} 200',
      'GET /api/world/v0/entities/{type}/{id} 404',
      'GET  404',
    ]
    assert.deepEqual(seen, [...once, ...once])
  },
)
