import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { positionNow } from '../../../core/src/store/positions.ts'
import { searchSynonyms } from '../../../core/src/store/search-synonyms.ts'
import { moon, planet, put } from '../../../core/src/store/suite-data.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { openSqliteStore } from '../../../sqlite/src/open.ts'
import { temporaryFolder } from '../../../sqlite/src/temporary-folder.fixture.ts'
import { describeUpstream } from './index.ts'
import {
  assertSameAnswers,
  following,
  ORIGIN,
  replicaOver,
  scribbler,
  upstreamOver,
  Wire,
} from './replica.fixture.ts'

const createStore = () => createMemoryStore({ search: memorySearch })

for (const [engine, telling, open] of [
  ['memory', 'events', createStore],
  ['memory', 'pages', createStore],
  ['SQLite', 'events', inFile],
] as const) {
  test(`a replica in ${engine} following via ${telling} matches its upstream after any writes`, async (t) => {
    const store = createStore()
    const replica = await open(t)
    const upstream = await upstreamOver(store, { telling })
    const scribble = scribbler(store, 3)
    for (let count = 0; count < 20; count++) await scribble()
    const { until, reached } = following(t, replica, new Wire(upstream).fetch)
    const { description } = await until('described')
    for (let round = 0; round < 15; round++) {
      for (let count = 0; count < 4; count++) await scribble()
      await reached(store)
      await assertSameAnswers(replicaOver(replica, description), upstream)
    }
    assert.deepEqual(await replica.types(), await store.types())
  })

  test(`a replica in ${engine} following via ${telling} starts over if the upstream is restored`, async (t) => {
    const [first, second] = [createStore(), createStore()]
    const replica = await open(t)
    await put(first, planet('mars'), planet('old'), moon('io'))
    await put(second, planet('mars'), planet('new'))
    const wire = new Wire(await upstreamOver(first, { telling }))
    const { until, reached } = following(t, replica, wire.fetch)
    await reached(first)
    wire.handler = await upstreamOver(second, { telling })
    await until('startedOver')
    await reached(second)
    assert.equal(await replica.get('sol:planet', 'old'), undefined)
    const description = await describeUpstream({ origin: ORIGIN, store: replica, signal: t.signal })
    await assertSameAnswers(replicaOver(replica, description), wire.handler)
  })

  test(`a replica in ${engine} following via ${telling} starts over if the upstream has trimmed its log`, async (t) => {
    const clock = { time: new Date('2026-03-01T09:00:00Z') }
    const store = createMemoryStore({ search: memorySearch, now: () => clock.time })
    const replica = await open(t)
    await put(store, planet('mars'), planet('old'))
    const upstream = await upstreamOver(store, { telling })
    const first = following(t, replica, new Wire(upstream).fetch)
    await first.reached(store)
    await first.stop()
    await store.write([{ delete: { type: 'sol:planet', id: 'old' } }])
    clock.time = new Date('2026-08-01T09:00:00Z')
    await put(store, planet('new'))
    const second = following(t, replica, new Wire(upstream).fetch)
    await second.until('startedOver')
    await second.reached(store)
    const description = await describeUpstream({ origin: ORIGIN, store: replica, signal: t.signal })
    await assertSameAnswers(replicaOver(replica, description), upstream)
    assert.equal(await replica.get('sol:planet', 'old'), undefined)
  })
}

test('a replica resumes after an upstream outage and transfers nothing twice', async (t) => {
  const store = createStore()
  const replica = createStore()
  await put(store, planet('mars'))
  const wire = new Wire(await upstreamOver(store))
  const { until, reached } = following(t, replica, wire.fetch)
  await reached(store)
  const upstream = wire.handler
  wire.handler = undefined
  const { error, retryMs } = await until('lost')
  assert.equal((error as { code?: string }).code, 'network_error')
  assert.ok(retryMs >= 2 && retryMs <= 5, `${retryMs}`)
  assert.ok((await until('lost')).retryMs >= 5)
  await put(store, planet('venus'))
  wire.handler = upstream
  const position = await positionNow(store)
  const { changes } = await until('current', (event) => event.position === position)
  assert.equal(changes, 1)
})

test('a reopened store resumes replication', async (t) => {
  const store = createStore()
  const replica = createStore()
  await put(store, planet('mars'), planet('venus'))
  const wire = new Wire(await upstreamOver(store))
  const first = following(t, replica, wire.fetch)
  await first.reached(store)
  await first.stop()
  await put(store, planet('earth'))
  const targets: string[] = []
  wire.seen = (target) => targets.push(target)
  const second = following(t, replica, wire.fetch)
  const { changes } = await second.until('current')
  assert.equal(changes, 1)
  assert.match(targets[1] ?? '', /since=/)
})

test('an interrupted first replication resumes, and is invisible until complete', async (t) => {
  const store = createStore()
  const replica = createStore()
  await put(store, ...Array.from({ length: 2_500 }, (_, count) => planet(`p${count}`)))
  const wire = new Wire(await upstreamOver(store))
  const upstream = wire.handler
  const pages: string[] = []
  wire.seen = (target) => {
    if (!target.includes('/changes')) return
    pages.push(target)
    if (pages.length === 2) wire.handler = undefined
  }
  const { until, reached } = following(t, replica, wire.fetch)
  await until('lost')
  assert.deepEqual([...(await replica.types())], [])
  wire.handler = upstream
  await reached(store)
  assert.equal((await replica.list('sol:planet', { limit: 0 })).total, 2_500)
  assert.equal(pages.filter((target) => !target.includes('since=')).length, 1)
})

test('a different world at the same origin is refused at the start and not followed later', async (t) => {
  const [store, foreign, replica] = [createStore(), createStore(), createStore()]
  await put(store, planet('mars'))
  await put(foreign, planet('wrong'))
  const wire = new Wire(await upstreamOver(store))
  const first = following(t, replica, wire.fetch)
  await first.reached(store)
  wire.handler = await upstreamOver(foreign, { id: 'urn:example:other' })
  await put(foreign, planet('more'))
  await first.until('lost', ({ error }) => (error as { code?: string }).code === 'world_mismatch')
  assert.equal(await replica.get('sol:planet', 'wrong'), undefined)
  await first.stop()
  const second = following(t, replica, wire.fetch)
  await assert.rejects(second.next(), { code: 'world_mismatch' })
})

test('a non-empty store and a world without the extension are refused', async (t) => {
  const [store, own] = [createStore(), createStore()]
  await put(own, planet('mine'))
  const wire = new Wire(await upstreamOver(store))
  await assert.rejects(following(t, own, wire.fetch).next(), { code: 'not_empty' })
  const { createWorld } = await import('../../../core/src/handler/handler.ts')
  const plain = new Wire(createWorld({ id: 'urn:example:sol', types: [], store, publicUrl: ORIGIN }))
  await assert.rejects(following(t, createStore(), plain.fetch).next(), { code: 'not_followable' })
})

test('a replica of a replica can continue from the original upstream', async (t) => {
  const [store, middle, last] = [createStore(), createStore(), createStore()]
  const upstream = await upstreamOver(store)
  const scribble = scribbler(store, 11)
  for (let count = 0; count < 30; count++) await scribble()
  const first = following(t, middle, new Wire(upstream).fetch)
  const { description } = await first.until('described')
  await first.reached(store)
  const wire = new Wire(replicaOver(middle, description))
  const second = following(t, last, wire.fetch)
  for (let round = 0; round < 5; round++) {
    await scribble()
    await first.reached(store)
    await second.reached(store)
    await assertSameAnswers(replicaOver(last, description), upstream)
  }
  await scribble()
  wire.handler = upstream
  await second.reached(store)
  await assertSameAnswers(replicaOver(last, description), upstream)
})

test('the description is refreshed when the upstream has a new type', async (t) => {
  const store = createStore()
  const replica = createStore()
  await put(store, planet('mars', { title: 'Mars' }))
  const { until } = following(t, replica, new Wire(await upstreamOver(store)).fetch)
  const { description } = await until('described')
  assert.deepEqual(
    [description.name, description.indexRules],
    ['Sol', { 'sol:planet': { note: { weight: 3 } } }],
  )
  const { hits } = await replica.find({ text: 'the red planet', limit: 1, budgetMs: 60_000 })
  assert.deepEqual(
    hits.map(({ id }) => id),
    ['mars'],
  )
  assert.deepEqual(await searchSynonyms(replica), await searchSynonyms(store))
  await put(store, moon('io'))
  const { description: next } = await until('described')
  assert.deepEqual(next.entityTypes, [
    { type: 'sol:moon', title: 'SOL:MOON' },
    { type: 'sol:planet', title: 'SOL:PLANET' },
  ])
})

async function inFile(t: TestContext): Promise<Store> {
  const folder = temporaryFolder()
  const store = await openSqliteStore(folder.file('copy.db'))
  t.after(async () => {
    await store.close()
    folder.remove()
  })
  return store
}

test('a new replica reports and omits a damaged entity, and adds it once it is repaired', async (t) => {
  const folder = temporaryFolder()
  const store = openSqliteStore(folder.file('upstream.db'))
  t.after(async () => {
    await store.close()
    folder.remove()
  })
  await put(store, moon('europa'), moon('io'), planet('mars'))
  const db = new DatabaseSync(folder.file('upstream.db'))
  db.exec(`UPDATE entities SET json = replace(json, 'io', 'oi') WHERE id = 'io'`)
  db.close()
  const replica = createStore()
  const { until, reached } = following(t, replica, new Wire(await upstreamOver(store)).fetch)
  assert.deepEqual(await until('damaged'), { event: 'damaged', entities: [{ type: 'sol:moon', id: 'io' }] })
  await reached(store)
  assert.equal((await replica.list('sol:moon', { limit: 9 })).entities.length, 1)
  assert.equal((await replica.get('sol:planet', 'mars'))?.id, 'mars')
  await put(store, moon('io'))
  await reached(store)
  assert.equal((await replica.get('sol:moon', 'io'))?.id, 'io')
})
