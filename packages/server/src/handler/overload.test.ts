/** What a world does while there is more to do than can be done. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StorageFault } from '../storage/contract.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { Admission } from './admission.ts'
import { createWorld } from './handler.ts'
import type { Lane, WorldRequest } from './http.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN } from './world.fixture.ts'

const LIST = `${API}/entities/sol:moon`
const DISCOVER = `${API}/actions/wp:discover`

/** A world whose lanes are full where the test says so, and that notes whether anything was begun. */
async function crowded() {
  const full = new Set<Lane>()
  const begun: Lane[] = []
  const admission = {
    run<T>(lane: Lane, _asking: unknown, work: () => T) {
      begun.push(lane)
      return work()
    },
    waiting: () => full.size,
    isFull: (lane: Lane) => full.has(lane),
  }
  const storage = createMemoryStorage()
  await storage.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  const handler = createWorld(DESCRIPTION, storage, { admission, publicUrl: ORIGIN })
  const get = (target: string, method = 'GET') => handler.handle({ method, target, headers: {} })
  return { full, begun, handler, get }
}

test('what a full lane would refuse is refused at once, and nothing is begun', async () => {
  const { full, begun, get } = await crowded()
  full.add('list')
  const refused = get(`${LIST}?limit=1`)
  assert.ok(!(refused instanceof Promise))
  assert.equal(refused.status, 503)
  assert.equal(refused.refused, true)
  assert.match(refused.headers['retry-after'] ?? '', /^[1-5]$/)
  const { code, message, details } = JSON.parse(String(refused.body))
  assert.deepEqual([code, details.reason, typeof message], ['unavailable', 'overloaded', 'string'])
  assert.deepEqual(begun, [])
  const head = await get(`${LIST}?limit=1`, 'HEAD')
  assert.deepEqual([head.status, head.body], [503, undefined])
})

test('other lanes, discovery, what is kept, and what there is not are answered all the same', async () => {
  const { full, get } = await crowded()
  await get(LIST)
  full.add('list')
  const statusOf = async (target: string, method?: string) => (await get(target, method)).status
  assert.equal(await statusOf(LIST), 200)
  assert.equal(await statusOf(`${LIST}/io`), 200)
  assert.equal(await statusOf('/.well-known/world.json'), 200)
  assert.equal(await statusOf('/nothing'), 404)
  assert.equal(await statusOf(`${API}/entities/%zz`), 400)
  assert.equal(await statusOf('/\u00fc'), 400)
  assert.equal(await statusOf(LIST, 'OPTIONS'), 204)
})

test('the body of what is refused is not read', async () => {
  const { full, handler } = await crowded()
  full.add('action')
  let read = false
  const body = (async function* () {
    read = true
    yield Buffer.from('{}')
  })()
  const { status } = await handler.handle({ method: 'POST', target: DISCOVER, headers: JSON_TYPE, body })
  assert.deepEqual([status, read], [503, false])
})

test('a client that was refused a search and repeats it at once is refused without asking', async () => {
  let asked = 0
  const storage = {
    ...createMemoryStorage(),
    find: async () => {
      asked += 1
      throw new StorageFault('overloaded', 'Too many searches wait already.')
    },
  }
  const handler = createWorld(DESCRIPTION, storage)
  const search = async (text: string, connection: number) => {
    const body = JSON.stringify({ input: { text } })
    const request: WorldRequest = {
      method: 'POST',
      target: DISCOVER,
      headers: { ...JSON_TYPE, 'content-length': String(body.length) },
      client: { address: '192.0.2.1', connection },
      body: (async function* () {
        yield Buffer.from(body)
      })(),
    }
    return (await handler.handle(request)).status
  }
  assert.deepEqual([await search('three long words', 1), asked], [503, 1])
  assert.deepEqual([await search('three long words', 1), asked], [503, 1])
  assert.deepEqual([await search('word', 1), asked], [503, 2])
  assert.deepEqual([await search('three long words', 2), asked], [503, 3])
})

test('who left while a kept answer waited for its turn harms nobody', async () => {
  const storage = createMemoryStorage()
  await storage.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  let now = 0
  const admission = new Admission({ now: () => now })
  const handler = createWorld(DESCRIPTION, storage, { admission, publicUrl: ORIGIN })
  const get = (signal?: AbortSignal) =>
    handler.handle({ method: 'GET', target: LIST, headers: {}, ...(signal && { signal }) })
  assert.equal((await get()).status, 200)
  // This round of the event loop has worked for long enough.
  await admission.run('get', {}, () => {
    now += 10
  })
  const leaving = new AbortController()
  const left = get(leaving.signal)
  const staying = get()
  leaving.abort()
  assert.equal((await left).status, 408)
  assert.equal((await staying).status, 200)
})
