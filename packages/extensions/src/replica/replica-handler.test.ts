import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { planet, put } from '../../../core/src/store/suite-data.ts'
import { operator } from '../operator/index.ts'
import { lagSeconds, NEVER_CAUGHT_UP, replica, statusAfter } from './index.ts'
import { ORIGIN, WORLD_ID } from './replica.fixture.ts'

const CURRENT = { event: 'current', position: 'p', changes: 0 } as const

async function replicaWorld() {
  const store = createMemoryStore()
  await put(store, planet('mars'))
  const description = { id: WORLD_ID, types: [{ type: 'sol:planet' }] }
  const now = { status: NEVER_CAUGHT_UP, time: 1_000 }
  const { handle } = createWorld({
    ...description,
    store,
    publicUrl: ORIGIN,
    extensions: [
      operator({ upstream: 'https://upstream.example' }),
      replica({ status: () => now.status, now: () => now.time }),
    ],
  })
  const send = async (method: string, target: string) => {
    const { status, headers, body } = await handle({ method, target, headers: {} })
    const text = body === undefined ? '' : Buffer.from(body as Uint8Array).toString()
    return { status, headers, text, json: () => JSON.parse(text) }
  }
  return { now, send }
}

test('requests are refused as unavailable until the replica has caught up', async () => {
  const { now, send } = await replicaWorld()
  for (const target of ['/.well-known/world.json', '/api/world/v0/entities/sol%3Aplanet/mars', '/nowhere']) {
    const { status, headers, json } = await send('GET', target)
    assert.deepEqual([status, json().code, headers['retry-after']], [503, 'unavailable', '1'])
    assert.deepEqual([(await send('HEAD', target)).status, (await send('HEAD', target)).text], [503, ''])
  }
  assert.equal((await send('OPTIONS', '/')).status, 204)
  now.status = statusAfter(now.status, CURRENT, now.time)
  assert.equal((await send('GET', '/.well-known/world.json')).status, 200)
})

test("every response reports the replica's lag, including cached ones", async () => {
  const { now, send } = await replicaWorld()
  const lag = async () =>
    (await send('GET', '/api/world/v0/entities/sol%3Aplanet/mars')).headers['worldwright-lag']
  now.status = statusAfter(now.status, CURRENT, now.time)
  now.time += 60_000
  assert.equal(await lag(), '0.0')
  now.status = statusAfter(now.status, CURRENT, now.time)
  now.status = statusAfter(now.status, { event: 'lost', error: undefined, retryMs: 1 }, now.time)
  now.time += 2_345
  assert.equal(await lag(), '2.4')
  now.time += 60_000
  assert.equal(await lag(), '62.4')
  now.status = statusAfter(now.status, CURRENT, now.time)
  assert.equal(await lag(), '0.0')
})

test('a replica that is behind or starts over is readable but not current', () => {
  const current = statusAfter(NEVER_CAUGHT_UP, CURRENT, 1_000)
  for (const event of [{ event: 'behind', changes: 1 }, { event: 'startedOver' }] as const) {
    const status = statusAfter(current, event, 2_000)
    assert.deepEqual(status, { isReady: true, isCurrent: false, currentAt: 1_000 })
    assert.equal(lagSeconds(status, 4_500), 3.5)
  }
})

test('the operator API of a replica refuses requests and names the origin of the upstream', async () => {
  const { now, send } = await replicaWorld()
  now.status = statusAfter(now.status, CURRENT, now.time)
  for (const [method, path] of [
    ['PUT', 'entities/sol%3Aplanet/mars'],
    ['PATCH', 'entities/sol%3Aplanet/mars'],
    ['DELETE', 'entities/sol%3Aplanet/mars'],
    ['POST', 'entities/sol%3Aplanet'],
    ['GET', 'export'],
  ] as const) {
    const { status, headers, json } = await send(method, `/api/operator/v0/${path}`)
    assert.deepEqual(
      [status, headers['world-error-code'], json().details],
      [421, 'not_the_owner', { owner: 'https://upstream.example' }],
    )
  }
})
