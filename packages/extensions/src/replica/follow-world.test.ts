import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { positionNow } from '../../../core/src/store/positions.ts'
import { moon, planet, put } from '../../../core/src/store/suite-data.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { openSqliteStore } from '../../../sqlite/src/open.ts'
import { temporaryFolder } from '../../../sqlite/src/temporary-folder.fixture.ts'
import { describeUpstream } from './index.ts'
import {
  assertSameAnswers,
  copyOver,
  following,
  ORIGIN,
  scribbler,
  upstreamOver,
  Wire,
} from './replica.fixture.ts'

const createStorage = () => createMemoryStore({ search: memorySearch })

for (const [engine, telling, open] of [
  ['memory', 'events', createStorage],
  ['memory', 'pages', createStorage],
  ['SQLite', 'events', inFile],
] as const) {
  test(`a replica in ${engine} answers as its upstream does, after any writes, by ${telling}`, async (t) => {
    const storage = createStorage()
    const copy = await open(t)
    const upstream = await upstreamOver(storage, { telling })
    const scribble = scribbler(storage, 3)
    for (let count = 0; count < 20; count++) await scribble()
    const { until, reached } = following(t, copy, new Wire(upstream).fetch)
    const { description } = await until('described')
    for (let round = 0; round < 15; round++) {
      for (let count = 0; count < 4; count++) await scribble()
      await reached(storage)
      await assertSameAnswers(copyOver(copy, description), upstream)
    }
    assert.deepEqual(await copy.types(), await storage.types())
  })

  test(`a restored upstream is replicated again into ${engine}, with nothing left from before, by ${telling}`, async (t) => {
    const [first, second] = [createStorage(), createStorage()]
    const copy = await open(t)
    await put(first, planet('mars'), planet('old'), moon('io'))
    await put(second, planet('mars'), planet('new'))
    const wire = new Wire(await upstreamOver(first, { telling }))
    const { until, reached } = following(t, copy, wire.fetch)
    await reached(first)
    wire.handler = await upstreamOver(second, { telling })
    await until('startedOver')
    await reached(second)
    assert.equal(await copy.get('sol:planet', 'old'), undefined)
    const description = await describeUpstream({ origin: ORIGIN, storage: copy, signal: t.signal })
    await assertSameAnswers(copyOver(copy, description), wire.handler)
  })

  test(`a replica in ${engine} that was away for too long starts over, and keeps nothing that is gone, by ${telling}`, async (t) => {
    const clock = { time: new Date('2026-03-01T09:00:00Z') }
    const storage = createMemoryStore({ search: memorySearch, now: () => clock.time })
    const copy = await open(t)
    await put(storage, planet('mars'), planet('old'))
    const upstream = await upstreamOver(storage, { telling })
    const first = following(t, copy, new Wire(upstream).fetch)
    await first.reached(storage)
    await first.stop()
    await storage.write([{ delete: { type: 'sol:planet', id: 'old' } }])
    clock.time = new Date('2026-08-01T09:00:00Z')
    await put(storage, planet('new'))
    const second = following(t, copy, new Wire(upstream).fetch)
    await second.until('startedOver')
    await second.reached(storage)
    const description = await describeUpstream({ origin: ORIGIN, storage: copy, signal: t.signal })
    await assertSameAnswers(copyOver(copy, description), upstream)
    assert.equal(await copy.get('sol:planet', 'old'), undefined)
  })
}

test('a replica continues where it was after its upstream was gone, and transfers nothing twice', async (t) => {
  const storage = createStorage()
  const copy = createStorage()
  await put(storage, planet('mars'))
  const wire = new Wire(await upstreamOver(storage))
  const { until, reached } = following(t, copy, wire.fetch)
  await reached(storage)
  const upstream = wire.handler
  wire.handler = undefined
  const { error, retryMs } = await until('lost')
  assert.equal((error as { code?: string }).code, 'network_error')
  assert.ok(retryMs >= 2 && retryMs <= 5, `${retryMs}`)
  assert.ok((await until('lost')).retryMs >= 5)
  await put(storage, planet('venus'))
  wire.handler = upstream
  const position = await positionNow(storage)
  const { changes } = await until('current', (event) => event.position === position)
  assert.equal(changes, 1)
})

test('a reopened store continues where it was, also from another address', async (t) => {
  const storage = createStorage()
  const copy = createStorage()
  await put(storage, planet('mars'), planet('venus'))
  const wire = new Wire(await upstreamOver(storage))
  const first = following(t, copy, wire.fetch)
  await first.reached(storage)
  await first.stop()
  await put(storage, planet('earth'))
  const targets: string[] = []
  wire.seen = (target) => targets.push(target)
  const second = following(t, copy, wire.fetch)
  const { changes } = await second.until('current')
  assert.equal(changes, 1)
  assert.match(targets[1] ?? '', /since=/)
})

test('a replica that was interrupted continues there, and shows nothing until it is complete', async (t) => {
  const storage = createStorage()
  const copy = createStorage()
  await put(storage, ...Array.from({ length: 2_500 }, (_, count) => planet(`p${count}`)))
  const wire = new Wire(await upstreamOver(storage))
  const upstream = wire.handler
  const pages: string[] = []
  wire.seen = (target) => {
    if (!target.includes('/changes')) return
    pages.push(target)
    if (pages.length === 2) wire.handler = undefined
  }
  const { until, reached } = following(t, copy, wire.fetch)
  await until('lost')
  assert.deepEqual([...(await copy.types())], [])
  wire.handler = upstream
  await reached(storage)
  assert.equal((await copy.list('sol:planet', { limit: 0 })).total, 2_500)
  assert.equal(pages.filter((target) => !target.includes('since=')).length, 1)
})

test('another world at the same address is refused at the start, and later not followed', async (t) => {
  const [storage, foreign, copy] = [createStorage(), createStorage(), createStorage()]
  await put(storage, planet('mars'))
  await put(foreign, planet('wrong'))
  const wire = new Wire(await upstreamOver(storage))
  const first = following(t, copy, wire.fetch)
  await first.reached(storage)
  wire.handler = await upstreamOver(foreign, { id: 'urn:example:other' })
  await put(foreign, planet('more'))
  await first.until('lost', ({ error }) => (error as { code?: string }).code === 'world_mismatch')
  assert.equal(await copy.get('sol:planet', 'wrong'), undefined)
  await first.stop()
  const second = following(t, copy, wire.fetch)
  await assert.rejects(second.next(), { code: 'world_mismatch' })
})

test('a store with entities of its own, and a world without the extension, are refused', async (t) => {
  const [storage, own] = [createStorage(), createStorage()]
  await put(own, planet('mine'))
  const wire = new Wire(await upstreamOver(storage))
  await assert.rejects(following(t, own, wire.fetch).next(), { code: 'not_empty' })
  const { createWorld } = await import('../../../core/src/handler/handler.ts')
  const plain = new Wire(createWorld({ id: 'urn:example:sol', types: [], store: storage, publicUrl: ORIGIN }))
  await assert.rejects(following(t, createStorage(), plain.fetch).next(), { code: 'not_followable' })
})

test('a replica of a replica is the same, and continues at the upstream with tokens of the replica', async (t) => {
  const [storage, middle, last] = [createStorage(), createStorage(), createStorage()]
  const upstream = await upstreamOver(storage)
  const scribble = scribbler(storage, 11)
  for (let count = 0; count < 30; count++) await scribble()
  const first = following(t, middle, new Wire(upstream).fetch)
  const { description } = await first.until('described')
  await first.reached(storage)
  const wire = new Wire(copyOver(middle, description))
  const second = following(t, last, wire.fetch)
  for (let round = 0; round < 5; round++) {
    await scribble()
    await first.reached(storage)
    await second.reached(storage)
    await assertSameAnswers(copyOver(last, description), upstream)
  }
  await scribble()
  wire.handler = upstream
  await second.reached(storage)
  await assertSameAnswers(copyOver(last, description), upstream)
})

test('the description of the upstream is replicated when it has a new type', async (t) => {
  const storage = createStorage()
  const copy = createStorage()
  await put(storage, planet('mars', { title: 'Mars' }))
  const { until } = following(t, copy, new Wire(await upstreamOver(storage)).fetch)
  const { description } = await until('described')
  assert.deepEqual(
    [description.name, description.indexRules],
    ['Sol', { 'sol:planet': { note: { weight: 3 } } }],
  )
  const { hits } = await copy.find({ text: 'the red planet', limit: 1, budgetMs: 60_000 })
  assert.deepEqual(
    hits.map(({ id }) => id),
    ['mars'],
  )
  await put(storage, moon('io'))
  const { description: next } = await until('described')
  assert.deepEqual(next.entityTypes, [
    { type: 'sol:moon', title: 'SOL:MOON' },
    { type: 'sol:planet', title: 'SOL:PLANET' },
  ])
})

async function inFile(t: TestContext): Promise<Store> {
  const folder = temporaryFolder()
  const storage = await openSqliteStore(folder.file('copy.db'))
  t.after(async () => {
    await storage.close()
    folder.remove()
  })
  return storage
}

test('a damaged entity is named and left out of a first replica, and taken when it is repaired', async (t) => {
  const folder = temporaryFolder()
  const storage = openSqliteStore(folder.file('owner.db'))
  t.after(async () => {
    await storage.close()
    folder.remove()
  })
  await put(storage, moon('europa'), moon('io'), planet('mars'))
  const db = new DatabaseSync(folder.file('owner.db'))
  db.exec(`UPDATE entities SET json = replace(json, 'io', 'oi') WHERE id = 'io'`)
  db.close()
  const copy = createStorage()
  const { until, reached } = following(t, copy, new Wire(await upstreamOver(storage)).fetch)
  assert.deepEqual(await until('damaged'), { event: 'damaged', entities: [{ type: 'sol:moon', id: 'io' }] })
  await reached(storage)
  assert.equal((await copy.list('sol:moon', { limit: 9 })).entities.length, 1)
  assert.equal((await copy.get('sol:planet', 'mars'))?.id, 'mars')
  await put(storage, moon('io'))
  await reached(storage)
  assert.equal((await copy.get('sol:moon', 'io'))?.id, 'io')
})
