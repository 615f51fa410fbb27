/** Tests of the handler with admission control. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../store/memory.ts'
import { createWorld } from './handler.ts'
import type { Lane } from './http.ts'
import { overloaded } from './unavailable.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN } from './world.fixture.ts'

const LIST = `${API}/entities/sol:moon`
const DISCOVER = `${API}/actions/wp:discover`

/** Creates a world that refuses requests of the classes in `full`, and lists the classes of all requests in `asked`. */
async function crowded() {
  const full = new Set<Lane>()
  const asked: Lane[] = []
  const admission = {
    isCalm: () => !full.has('cached'),
    run<T>(lane: Lane, _asking: unknown, work: () => T) {
      asked.push(lane)
      if (full.has(lane)) throw overloaded()
      return work()
    },
  }
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  const handler = createWorld({ ...DESCRIPTION, store, admission, publicUrl: ORIGIN })
  const get = async (target: string, method = 'GET') => handler.handle({ method, target, headers: {} })
  return { full, asked, handler, get }
}

test('a request of a full class is refused with a time to retry', async () => {
  const { full, get } = await crowded()
  full.add('read')
  const refused = await get(`${LIST}?limit=1`)
  assert.equal(refused.status, 503)
  assert.match(refused.headers['retry-after'] ?? '', /^[1-5]$/)
  const { code, details } = JSON.parse(Buffer.from(refused.body as Uint8Array).toString())
  assert.deepEqual([code, details.reason], ['unavailable', 'overloaded'])
  const head = await get(`${LIST}?limit=1`, 'HEAD')
  assert.deepEqual([head.status, head.body], [503, undefined])
})

test('discovery and unknown paths are answered under overload', async () => {
  const { full, asked, get } = await crowded()
  await get(LIST)
  for (const lane of ['read', 'search', 'write'] as const) full.add(lane)
  asked.length = 0
  const statusOf = async (target: string, method?: string) => (await get(target, method)).status
  assert.equal(await statusOf(LIST), 200)
  assert.deepEqual(asked, [])
  assert.equal(await statusOf('/.well-known/world.json'), 200)
  assert.equal(await statusOf('/nothing'), 404)
  assert.equal(await statusOf(LIST, 'OPTIONS'), 204)
  assert.deepEqual(asked, ['free'])
  full.add('cached')
  assert.equal(await statusOf(LIST), 503)
  assert.deepEqual(asked, ['free', 'cached'])
  assert.equal(await statusOf(`${LIST}/io`), 503)
})

test('the body of a refused request is not read', async () => {
  const { full, handler } = await crowded()
  full.add('search')
  let read = false
  const body = (async function* () {
    read = true
    yield Buffer.from('{}')
  })()
  const { status } = await handler.handle({ method: 'POST', target: DISCOVER, headers: JSON_TYPE, body })
  assert.deepEqual([status, read], [503, false])
})
