import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, ORIGIN, overStores } from './world.fixture.ts'

const MOON = `${API}/entities/sol:moon/io`

function put(id: string, title: string, type = 'sol:moon') {
  return { put: { type, id, title, attributes: {} } }
}

overStores('a repeated request is answered from the cache with the same bytes', async ({ sol, waits }) => {
  const { handler, send } = await sol()
  for (const target of [MOON, `${API}/entities/sol:moon?limit=2`, '/.well-known/world.json']) {
    const first = await send('GET', target, { 'accept-encoding': 'br' })
    const before = handler.cacheStatistics().hits
    // Requests are sent in different turns of the event loop.
    await turn()
    const second = handler.handle({ method: 'GET', target, headers: { 'accept-encoding': 'br' } })
    assert.equal(second instanceof Promise, waits, target)
    const { headers, body } = await second
    assert.deepEqual(headers, first.headers)
    assert.deepEqual(Buffer.from(body as Uint8Array), Buffer.from(first.body as Uint8Array))
    assert.equal(handler.cacheStatistics().hits, before + 1)
  }
})

overStores('the cache serves HEAD and conditional requests, and keeps codings apart', async ({ sol }) => {
  const { send } = await sol()
  const plain = await send('GET', MOON)
  assert.equal((await send('HEAD', MOON)).body, undefined)
  assert.equal((await send('GET', MOON, { 'if-none-match': plain.headers['etag'] ?? '' })).status, 304)
  const coded = await send('GET', '/.well-known/world.json', { 'accept-encoding': 'gzip' })
  const uncoded = await send('GET', '/.well-known/world.json')
  assert.equal(coded.headers['content-encoding'], 'gzip')
  assert.equal(uncoded.headers['content-encoding'], undefined)
})

overStores('a response is never older than a write that returned before the request', async ({ sol }) => {
  const { send, store } = await sol()
  for (const title of ['one', 'two', 'three']) {
    await store.write([put('io', title)])
    assert.equal((await send('GET', MOON)).json().title, title)
    assert.equal((await send('GET', MOON)).json().title, title)
    const page = (await send('GET', `${API}/entities/sol:moon`)).json()
    assert.ok(page.entities.some((entity: { title: string }) => entity.title === title))
  }
})

overStores('a write to one type leaves cached responses of another type valid', async ({ sol }) => {
  const { handler, send, store } = await sol()
  await send('GET', MOON)
  await store.write([put('mars', 'Mars', 'sol:planet')])
  // The first request after a write rereads the type versions.
  await send('GET', `${API}/entities/sol:planet/mars`)
  const { hits } = handler.cacheStatistics()
  await send('GET', MOON)
  assert.equal(handler.cacheStatistics().hits, hits + 1)
})

overStores('method, Accept and read permission are checked before the cache', async ({ sol }) => {
  const { send, store } = await sol()
  await send('GET', MOON)
  assert.equal((await send('DELETE', MOON)).status, 405)
  assert.equal((await send('GET', MOON, { accept: 'text/html' })).status, 406)
  let admitted = true
  const admit = () => {
    if (!admitted) throw new Error('not you')
  }
  const handler = createWorld({
    ...DESCRIPTION,
    store,
    publicUrl: ORIGIN,
    extensions: [() => ({ name: 'sol:guard', admit })],
  })
  assert.equal((await handler.handle({ method: 'GET', target: MOON, headers: {} })).status, 200)
  admitted = false
  assert.equal((await handler.handle({ method: 'GET', target: MOON, headers: {} })).status, 500)
})

overStores('the cache stays within its size limit, and a limit of 0 disables it', async ({ sol }) => {
  const { store } = await sol()
  const large = 'x'.repeat(3_000)
  await store.write(Array.from({ length: 50 }, (_, index) => put(`moon-${index}`, large)))
  for (const cacheBytes of [0, 100_000]) {
    const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN, cacheBytes })
    for (let index = 0; index < 50; index += 1) {
      await handler.handle({ method: 'GET', target: `${API}/entities/sol:moon/moon-${index}`, headers: {} })
    }
    const { bytes, entries } = handler.cacheStatistics()
    assert.ok(bytes <= cacheBytes, `${bytes} of ${cacheBytes}`)
    assert.equal(entries > 0, cacheBytes > 0)
  }
})

overStores('a full cache admits a response only when it is requested again', async ({ sol }) => {
  const { store } = await sol()
  const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN, cacheBytes: 100_000 })
  const ask = async (number: number) =>
    void (await handler.handle({ method: 'GET', target: `${MOON}?n=${number}`, headers: {} }))
  for (let number = 0; number < 200; number++) await ask(number)
  const { entries } = handler.cacheStatistics()
  assert.ok(entries > 10 && entries < 100, `${entries} entries`)
  for (let number = 0; number < entries; number++) await ask(number)
  assert.equal(handler.cacheStatistics().hits, entries)
  for (let times = 0; times < 3; times++) await ask(1_000)
  assert.deepEqual(
    [handler.cacheStatistics().hits, handler.cacheStatistics().entries],
    [entries + 1, entries],
  )
})

overStores('every request gets its own response object, whose body may be removed', async ({ sol }) => {
  const { handler } = await sol()
  const ask = () => handler.handle({ method: 'GET', target: MOON, headers: {} })
  for (let times = 0; times < 3; times++) {
    const answer: { body?: unknown } = await ask()
    assert.ok(answer.body instanceof Uint8Array)
    answer.body = undefined
    // Requests are sent in different turns of the event loop.
    await turn()
  }
})

overStores('a cached body does not keep a larger buffer alive', async ({ sol }) => {
  const { handler } = await sol()
  for (const target of [MOON, `${API}/entities/sol:moon?limit=2`]) {
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      const request = { method: 'GET', target, headers: { 'accept-encoding': coding } }
      await handler.handle(request)
      const { hits } = handler.cacheStatistics()
      const { body } = await handler.handle(request)
      assert.equal(handler.cacheStatistics().hits, hits + 1)
      assert.ok(body instanceof Uint8Array)
      assert.equal(body.buffer.byteLength, body.byteLength, `${target} ${coding}`)
    }
  }
})

overStores('responses are cached separately by query and origin', async ({ sol }) => {
  const { send, store } = await sol()
  for (const limit of [1, 2, 1, 2])
    assert.equal((await send('GET', `${API}/entities/sol:moon?limit=${limit}`)).json().limit, limit)
  const handler = createWorld({ ...DESCRIPTION, store })
  const target = '/.well-known/world.json'
  for (const origin of ['http://one.example', 'http://two.example', 'http://one.example']) {
    const { body } = await handler.handle({ method: 'GET', target, headers: {}, origin })
    const { endpoints } = JSON.parse(Buffer.from(body as Uint8Array).toString())
    assert.equal(endpoints.api, `${origin}/api/world/v0`)
  }
})
