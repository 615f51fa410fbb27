import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connect } from './connect.ts'
import { restore } from './functions.ts'
import { type Answer, DOCUMENT, json, SECRET, scriptedFetch } from './scripted-fetch.fixture.ts'
import type { World } from './world.ts'

const ORIGIN = 'https://sol.example'
const KEPT = { 'cache-control': 'public, max-age=60, stale-if-error=86400', etag: 'W/"1"' }
const document = (headers: Record<string, string> = KEPT, body: object = DOCUMENT) => json(200, body, headers)
const moon = { type: 'sol:moon', id: 'europa' }

function at(t: TestContext, ms: number) {
  t.mock.timers.enable({ apis: ['Date'], now: ms })
}

async function storedWorld(t: TestContext, headers?: Record<string, string>): Promise<World> {
  at(t, 0)
  const world = await connect(ORIGIN, { fetch: scriptedFetch(document(headers)).fetch })
  return JSON.parse(JSON.stringify(world))
}

test('a world survives JSON and structured clone, without its secrets', async () => {
  const { fetch } = scriptedFetch(document())
  const world = await connect(ORIGIN, { fetch, ...SECRET, headers: { 'x-key': 'hunter2' } })
  for (const stored of [JSON.parse(JSON.stringify(world)), structuredClone(world)]) {
    assert.deepEqual(Object.keys(stored).toSorted(), ['document', 'id', 'origin', 'received'])
    assert.deepEqual(stored.document, DOCUMENT)
    assert.doesNotMatch(JSON.stringify(stored), /s3cret|hunter2/)
    const script = scriptedFetch(moon)
    const again = await connect(stored, { fetch: script.fetch })
    assert.equal((await again.get('sol:moon', 'europa')).id, 'europa')
    assert.equal(script.sent.length, 1)
  }
})

test('restoring a stored world sends no request until max-age minus Age has passed', async (t) => {
  const stored = await storedWorld(t, { ...KEPT, age: '20' })
  const early = scriptedFetch(document())
  t.mock.timers.setTime(39_999)
  await connect(stored, { fetch: early.fetch })
  assert.equal(early.sent.length, 0)
  t.mock.timers.setTime(40_000)
  await connect(stored, { fetch: early.fetch })
  assert.equal(early.sent.length, 1)
})

test('a stale world is revalidated with If-None-Match and renewed by a 304', async (t) => {
  const stored = await storedWorld(t)
  t.mock.timers.setTime(60_000)
  const { fetch, sent } = scriptedFetch(new Response(null, { status: 304 }))
  const world = await connect(stored, { fetch })
  assert.equal(sent[0]?.headers.get('if-none-match'), 'W/"1"')
  assert.deepEqual(world.document, DOCUMENT)
  const again = scriptedFetch()
  t.mock.timers.setTime(119_999)
  await connect(JSON.parse(JSON.stringify(world)), { fetch: again.fetch })
  assert.equal(again.sent.length, 0)
})

test('a changed document replaces the stored one', async (t) => {
  const stored = await storedWorld(t)
  t.mock.timers.setTime(60_000)
  const moved = { ...DOCUMENT, endpoints: { api: 'https://data.sol.example/w/v4' } }
  const { fetch, sent } = scriptedFetch(document({ etag: 'W/"2"' }, moved), moon)
  const world = await connect(stored, { fetch })
  await world.get('sol:moon', 'europa')
  assert.equal(sent[1]?.url, 'https://data.sol.example/w/v4/entities/sol%3Amoon/europa')
  assert.equal(world.received?.etag, 'W/"2"')
})

test('a document with no-store, no-cache, max-age=0 or a past Expires is stale immediately', async (t) => {
  for (const [headers, requests] of [
    [{ 'cache-control': 'private, no-store' }, 1],
    [{ 'cache-control': 'no-cache' }, 1],
    [{ 'cache-control': 'max-age=0' }, 1],
    [{ expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }, 1],
    [{ expires: 'Thu, 01 Jan 1970 00:01:00 GMT' }, 0],
    [{ 'cache-control': 's-maxage=0, max-age=9' }, 0],
    [{}, 0],
  ] as const) {
    at(t, 0)
    const first = scriptedFetch(document(headers), document(headers))
    const world = await connect(ORIGIN, { fetch: first.fetch })
    await connect(JSON.parse(JSON.stringify(world)), { fetch: first.fetch })
    assert.equal(first.sent.length, 1 + requests, JSON.stringify(headers))
    t.mock.timers.reset()
  }
})

test('a stored document is kept if its origin is unreachable, but refused if the origin serves another world', async (t) => {
  const stored = await storedWorld(t)
  t.mock.timers.setTime(60_000)
  for (const failing of [new TypeError('offline'), json(503, {}), json(404, {})]) {
    const { fetch, sent } = scriptedFetch(failing, moon)
    const world = await connect(stored, { fetch })
    assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
    assert.equal(sent.length, 2)
  }
  const other = scriptedFetch(document(KEPT, { ...DOCUMENT, world: { id: 'urn:other' } }))
  await assert.rejects(connect(stored, { fetch: other.fetch }), { code: 'world_mismatch' })
})

test('a stored world is validated like one read from its origin', async (t) => {
  const stored = await storedWorld(t)
  const options = { fetch: scriptedFetch().fetch }
  const wrong: [object, object, string][] = [
    [{ ...stored, document: {} }, {}, 'not_a_world'],
    [{ ...stored, document: { ...DOCUMENT, endpoints: { api: '/w' } } }, {}, 'invalid_response'],
    [{ ...stored, origin: 'https://sol.example/w' }, {}, 'invalid_argument'],
    [{ ...stored, id: 'urn:other' }, {}, 'world_mismatch'],
    [stored, { expectWorldId: 'urn:other' }, 'world_mismatch'],
  ]
  for (const [world, more, code] of wrong) {
    await assert.rejects(connect(world as World, { ...options, ...more }), { code })
  }
})

test('a connected world is revalidated when stale, but only once for concurrent calls', async (t) => {
  at(t, 0)
  const { fetch, urls, sent } = scriptedFetch(document(), moon, {}, moon, moon, moon)
  const world = await connect(ORIGIN, {
    fetch: (url, init) => (sent.length === 2 ? fetch(url, init).then(() => status304()) : fetch(url, init)),
  })
  const status304 = () => new Response(null, { status: 304 })
  await world.get('sol:moon', 'europa')
  t.mock.timers.setTime(60_000)
  await Promise.all([world.get('sol:moon', 'a'), world.get('sol:moon', 'b')])
  await world.get('sol:moon', 'c')
  assert.equal(urls().filter((url) => url.endsWith('world.json')).length, 2)
  assert.equal(sent.length, 6)
})

test('a connected world is revalidated at most once a minute', async (t) => {
  at(t, 0)
  const answers: Answer[] = [document({ 'cache-control': 'no-store' }), moon, moon, document(), moon]
  const { fetch, sent } = scriptedFetch(...answers)
  const world = await connect(ORIGIN, { fetch })
  await world.get('sol:moon', 'europa')
  t.mock.timers.setTime(59_999)
  await world.get('sol:moon', 'europa')
  assert.equal(sent.length, 3)
  t.mock.timers.setTime(60_000)
  await world.get('sol:moon', 'europa')
  assert.equal(sent.length, 5)
})

test('a hanging discovery origin delays a call by at most a quarter of its timeout', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 0 })
  const { fetch, sent } = scriptedFetch(document(), () => new Promise(() => {}), moon)
  const world = await connect(ORIGIN, { fetch })
  t.mock.timers.setTime(60_000)
  const call = world.get('sol:moon', 'europa', { timeout: 1000 })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(sent.length, 2)
  t.mock.timers.tick(250)
  assert.equal((await call).id, 'europa')
})

test('browsers revalidate through the platform cache, without a preflight', async (t) => {
  const stored = await storedWorld(t)
  t.mock.timers.setTime(60_000)
  const browser = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }
  const given = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  Object.defineProperty(globalThis, 'navigator', { value: browser, configurable: true })
  t.after(() => given && Object.defineProperty(globalThis, 'navigator', given))
  const { fetch, sent } = scriptedFetch(document())
  await connect(stored, { fetch })
  assert.equal(sent[0]?.headers.has('if-none-match'), false)
})

test('restore reconnects a stored world for use with functions', async (t) => {
  const stored = await storedWorld(t)
  t.mock.timers.setTime(60_000)
  const { fetch, sent } = scriptedFetch(new Response(null, { status: 304 }))
  const world = await restore(stored, { fetch })
  assert.deepEqual(world.document, DOCUMENT)
  assert.equal(sent.length, 1)
})
