import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, ORIGIN, overStores } from './world.fixture.ts'

const MOON = `${API}/entities/sol:moon/io`

function put(id: string, title: string, type = 'sol:moon') {
  return { put: { type, id, title, attributes: {} } }
}

overStores(
  'a second request is answered from the cache, at once and with the same bytes',
  async ({ sol, waits }) => {
    const { handler, send } = await sol()
    for (const target of [MOON, `${API}/entities/sol:moon?limit=2`, '/.well-known/world.json']) {
      const first = await send('GET', target, { 'accept-encoding': 'br' })
      const before = handler.cacheStatistics().hits
      // Within one turn of the event loop, cached answers are synchronous for a few milliseconds only.
      await turn()
      const second = handler.handle({ method: 'GET', target, headers: { 'accept-encoding': 'br' } })
      assert.equal(second instanceof Promise, waits, target)
      const { headers, body } = await second
      assert.deepEqual(headers, first.headers)
      assert.deepEqual(Buffer.from(body as Uint8Array), Buffer.from(first.body as Uint8Array))
      assert.equal(handler.cacheStatistics().hits, before + 1)
    }
  },
)

overStores(
  'the cache answers HEAD without a body, 304 to clients that have it, and keeps forms apart',
  async ({ sol }) => {
    const { send } = await sol()
    const plain = await send('GET', MOON)
    assert.equal((await send('HEAD', MOON)).body, undefined)
    assert.equal((await send('GET', MOON, { 'if-none-match': plain.headers['etag'] ?? '' })).status, 304)
    const coded = await send('GET', '/.well-known/world.json', { 'accept-encoding': 'gzip' })
    const uncoded = await send('GET', '/.well-known/world.json')
    assert.equal(coded.headers['content-encoding'], 'gzip')
    assert.equal(uncoded.headers['content-encoding'], undefined)
  },
)

overStores('an answer is never older than a write that had returned before the request', async ({ sol }) => {
  const { send, storage } = await sol()
  for (const title of ['one', 'two', 'three']) {
    await storage.write([put('io', title)])
    assert.equal((await send('GET', MOON)).json().title, title)
    assert.equal((await send('GET', MOON)).json().title, title)
    const page = (await send('GET', `${API}/entities/sol:moon`)).json()
    assert.ok(page.entities.some((entity: { title: string }) => entity.title === title))
  }
})

overStores('a write to one type leaves the answers of another in the cache', async ({ sol }) => {
  const { handler, send, storage } = await sol()
  await send('GET', MOON)
  await storage.write([put('mars', 'Mars', 'sol:planet')])
  // The first answer after a write reads the new type versions.
  await send('GET', `${API}/entities/sol:planet/mars`)
  const { hits } = handler.cacheStatistics()
  await send('GET', MOON)
  assert.equal(handler.cacheStatistics().hits, hits + 1)
})

overStores('refusals come before the cache: method, Accept, and permission to read', async ({ sol }) => {
  const { send, storage } = await sol()
  await send('GET', MOON)
  assert.equal((await send('DELETE', MOON)).status, 405)
  assert.equal((await send('GET', MOON, { accept: 'text/html' })).status, 406)
  let admitted = true
  const admit = () => {
    if (!admitted) throw new Error('not you')
  }
  const handler = createWorld({
    ...DESCRIPTION,
    store: storage,
    publicUrl: ORIGIN,
    extensions: [() => ({ name: 'sol:guard', admit })],
  })
  assert.equal((await handler.handle({ method: 'GET', target: MOON, headers: {} })).status, 200)
  admitted = false
  assert.equal((await handler.handle({ method: 'GET', target: MOON, headers: {} })).status, 500)
})

overStores('the cache stays within its bytes, and 0 keeps nothing', async ({ sol }) => {
  const { storage } = await sol()
  const large = 'x'.repeat(3_000)
  await storage.write(Array.from({ length: 50 }, (_, index) => put(`moon-${index}`, large)))
  for (const cacheBytes of [0, 100_000]) {
    const handler = createWorld({ ...DESCRIPTION, store: storage, publicUrl: ORIGIN, cacheBytes })
    for (let index = 0; index < 50; index += 1) {
      await handler.handle({ method: 'GET', target: `${API}/entities/sol:moon/moon-${index}`, headers: {} })
    }
    const { bytes, entries } = handler.cacheStatistics()
    assert.ok(bytes <= cacheBytes, `${bytes} of ${cacheBytes}`)
    assert.equal(entries > 0, cacheBytes > 0)
  }
})

overStores(
  'what is asked for once pushes nothing out of a full cache, and what comes again does',
  async ({ sol }) => {
    const { storage } = await sol()
    const handler = createWorld({ ...DESCRIPTION, store: storage, publicUrl: ORIGIN, cacheBytes: 100_000 })
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
  },
)

overStores('every request has a response of its own, whose body can be taken out of it', async ({ sol }) => {
  const { handler } = await sol()
  const ask = () => handler.handle({ method: 'GET', target: MOON, headers: {} })
  for (let times = 0; times < 3; times++) {
    const answer: { body?: unknown } = await ask()
    assert.ok(answer.body instanceof Uint8Array)
    answer.body = undefined
    // Within one turn of the event loop, cached answers are synchronous for a few milliseconds only.
    await turn()
  }
})

overStores('what is kept holds the memory of its own bytes and no more', async ({ sol }) => {
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
