import assert from 'node:assert/strict'
import { API, overStores } from './world.fixture.ts'

const TOKEN = { authorization: 'Bearer x' }
const MOON = `${API}/entities/sol:moon/io`

overStores('responses to requests with a token are private, including 304 and HEAD', async ({ sol }) => {
  const { send } = await sol()
  const etag = (await send('GET', MOON)).headers['etag'] ?? ''
  for (const [method, fields, status] of [
    ['GET', {}, 200],
    ['HEAD', {}, 200],
    ['GET', { 'if-none-match': etag }, 304],
  ] as const) {
    const answer = await send(method, MOON, { ...TOKEN, ...fields })
    const { 'cache-control': caching, vary } = answer.headers
    assert.deepEqual(
      [answer.status, caching, vary],
      [status, 'private, no-cache', 'Accept-Encoding, Authorization'],
    )
  }
  // The cached response stays public.
  assert.equal((await send('GET', MOON)).headers['cache-control'], 'public, no-cache')
})

overStores('with a token, discovery stays public and errors are no-store', async ({ sol }) => {
  const { send } = await sol()
  const cachingOf = async (target: string) => (await send('GET', target, TOKEN)).headers['cache-control']
  for (const target of ['/.well-known/world.json', '/.well-known/world.json?x=1'])
    assert.equal(await cachingOf(target), 'public, max-age=60, stale-if-error=86400')
  assert.equal(await cachingOf(`${API}/entities/sol:moon/vulcan`), 'no-store')
})
