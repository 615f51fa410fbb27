import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createMemoryStore, type Query, StoreFault } from '@worldwright/core/store'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { fedStore, moon } from './feeding.fixture.ts'

const REFUSED = { error: { root_cause: [{ reason: 'unknown field type' }] } }
const QUERY: Query = { text: 'io', limit: 10, budgetMs: 1_000 }

/** Starts a cluster without an index that refuses to create one. `lease` is its lease document. */
async function refusing(t: TestContext, lease?: object) {
  const cluster = { url: '', creations: 0, isRefusing: true }
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
    if (url.startsWith('/sol-lease/_doc/lease')) {
      if (method === 'PUT') return answer(200, { _seq_no: 1, _primary_term: 1 })
      return lease ? answer(200, { _seq_no: 1, _primary_term: 1, _source: lease }) : answer(404, {})
    }
    if (method === 'PUT' && url === '/sol-1') {
      cluster.creations += 1
      return cluster.isRefusing ? answer(400, REFUSED) : answer(200, {})
    }
    if (method === 'GET') return answer(404, {})
    if (url.includes('_mget')) return answer(200, { docs: Array.from({ length: 33 }, () => ({})) })
    return answer(url.includes('_create') ? 201 : 200, {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  cluster.url = `opensearch://127.0.0.1:${(server.address() as AddressInfo).port}/sol`
  return cluster
}

/** Ends all pauses of the feeder until a condition holds. */
async function passing(t: TestContext, isOver: () => boolean): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    if (isOver()) return
    t.mock.timers.tick(10_000)
  }
}

test('a feeder that fails three times says so to operators and clients, and again when it works', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const cluster = await refusing(t)
  const { store, said } = fedStore(t, cluster.url)
  await passing(t, () => said.length === 1)
  const failed = async () => store.find(QUERY)
  await assert.rejects(failed, { code: 'index_rebuilding', details: undefined })
  await passing(t, () => said.length === 2)
  assert.deepEqual(said, [
    'The search index is not fed: The search cluster answered sol-1 with 400: unknown field type',
    'The search index is not fed, 3 times in succession: The search cluster answered sol-1 with 400: unknown field type',
  ])
  assert.equal(cluster.creations, 3)
  await assert.rejects(failed, { code: 'index_rebuilding', details: { failing: true } })
  cluster.isRefusing = false
  await passing(t, () => said.length === 3)
  assert.equal(said[2], 'The search index is fed again.')
})

test('each batch is published to tracers with its number of changes', async (t) => {
  const cluster = await refusing(t)
  cluster.isRefusing = false
  const plain = createMemoryStore({ search: memorySearch })
  await plain.write([moon('io'), moon('europa')])
  const { promise, resolve } = Promise.withResolvers<object>()
  const published = (batch: unknown) => resolve(batch as object)
  subscribe('tracing:worldwright:feed:asyncEnd', published)
  t.after(() => unsubscribe('tracing:worldwright:feed:asyncEnd', published))
  fedStore(t, cluster.url, { plain })
  assert.partialDeepStrictEqual(await promise, { changes: 2 })
})

test('a feeder waits longer after each failure, whatever is written meanwhile', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const waits: unknown[] = []
  const { setTimeout } = globalThis
  t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number, ...rest: []) => {
    // HTTP uses timers too.
    if (new Error().stack?.includes('feeder.ts')) waits.push(ms)
    return setTimeout(run, ms, ...rest)
  })
  const cluster = await refusing(t)
  const { plain } = fedStore(t, cluster.url)
  await passing(t, () => waits.length === 6)
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  await plain.write([moon('io')])
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(cluster.creations, 6)
})

test('a node knows of the lag and the failure from the node that feeds the index', async (t) => {
  const lease = { holder: 'another', lagMs: 30_000, lost: 'unknown field type' }
  const { store } = fedStore(t, (await refusing(t, lease)).url)
  let lag: unknown
  while (lag === undefined)
    await Promise.resolve(store.find(QUERY)).catch(({ code, details }) => {
      assert.equal(code, 'index_rebuilding')
      lag = details?.lagSeconds
    })
  assert.ok(Number(lag) >= 30 && Number(lag) < 40, `${lag}`)
})

test('the own index of a store answers if the cluster gives no answer, has no index or cannot be fed', async (t) => {
  const plain = createMemoryStore({ search: memorySearch })
  await plain.write([moon('io', 'Io')])
  const own = await plain.find(QUERY)
  assert.equal(own.total, 1)
  const { url } = await refusing(t)
  const dead = 'opensearch://127.0.0.1:1/sol'
  for (const cluster of [url, dead]) {
    const { store } = fedStore(t, cluster, { plain, hasOwnIndex: true })
    assert.deepEqual(await store.find(QUERY), own)
  }
  const without = fedStore(t, dead, { plain })
  await assert.rejects(async () => without.store.find(QUERY), { code: 'search_unreachable' })
})

test('a failure of the own index is passed on', async (t) => {
  const fault = new StoreFault('overloaded', 'Too much waits.')
  const plain = { ...createMemoryStore(), find: () => Promise.reject(fault) }
  const { store } = fedStore(t, 'opensearch://127.0.0.1:1/sol', { plain, hasOwnIndex: true })
  await assert.rejects(async () => store.find(QUERY), fault)
})
