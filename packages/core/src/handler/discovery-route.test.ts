import assert from 'node:assert/strict'
import type { JsonObject } from '@worldwright/client/protocol'
import { nodeCodings } from '../../../node/src/node-codings.ts'
import { createWorld } from './handler.ts'
import { ORIGIN, type Over, overStores } from './world.fixture.ts'

const DISCOVERY = { method: 'GET', target: '/.well-known/world.json', headers: {} }

const moon = (id: string, type = 'sol:moon') => ({ put: { type, id, attributes: {} } })

/** Creates a world that lists the types of its store, and whose extension declarations can change. */
function changingWorld(createStorage: Over['createStorage']) {
  const storage = createStorage()
  const declared = { operator: undefined as JsonObject | undefined }
  const types = async () =>
    [...(await storage.types()).keys()].map((type) => ({ type, title: 'A'.repeat(2_000) }))
  const handler = createWorld({
    id: 'urn:example:sol',
    types,
    store: storage,
    publicUrl: ORIGIN,
    codings: nodeCodings,
    extensions: [() => ({ name: 'worldwright:operator', declares: () => declared.operator })],
  })
  return { storage, handler, declared }
}

overStores(
  'discovery is prepared once: after writes that change nothing in it, the same bytes go out in every form',
  async ({ createStorage }) => {
    const { storage, handler } = changingWorld(createStorage)
    await storage.write([moon('io')])
    for (const coding of ['identity', 'br', 'gzip']) {
      const request = { ...DISCOVERY, headers: { 'accept-encoding': coding } }
      const first = await handler.handle(request)
      await storage.write([moon(`europa-${coding}`)])
      const second = await handler.handle(request)
      assert.equal(second.body, first.body, coding)
      assert.equal(second.headers['etag'], first.headers['etag'])
    }
  },
)

overStores(
  'discovery is made again when a type comes, or an extension changes',
  async ({ createStorage }) => {
    const { storage, handler, declared } = changingWorld(createStorage)
    await storage.write([moon('io')])
    const tag = async () => (await handler.handle(DISCOVERY)).headers['etag']
    const first = await tag()
    await storage.write([moon('mars', 'sol:planet')])
    const second = await tag()
    assert.notEqual(second, first)
    declared.operator = { path: '/api/operator/v0' }
    await storage.write([], { values: { any: '1' } })
    assert.notEqual(await tag(), second)
  },
)

overStores(
  'behind a proxy that may name any host, each gets its own address, and no memory grows',
  async ({ createStorage }) => {
    const storage = createStorage()
    const handler = createWorld({ id: 'urn:example:sol', types: [], store: storage, trustProxy: true })
    for (const host of [...Array(40).keys(), ...Array(40).keys()].map((number) => `h${number}.example`)) {
      const { body, headers } = await handler.handle({ ...DISCOVERY, headers: { host } })
      assert.equal(
        JSON.parse(Buffer.from(body as Uint8Array).toString()).endpoints.api,
        `http://${host}/api/world/v0`,
      )
      assert.equal(headers['cache-control'], 'private, no-store')
    }
  },
)

overStores(
  'what was observed of a request: its route, also where the answer was ready, and its status',
  async ({ createStorage }) => {
    const storage = createStorage()
    await storage.write([moon('io')])
    const seen: string[] = []
    const handler = createWorld({
      id: 'urn:example:sol',
      types: [{ type: 'sol:moon' }],
      store: storage,
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
