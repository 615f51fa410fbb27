import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../core/src/store/contract.ts'
import { importAll, planet, put } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { verifySearchIndex } from './verify-index.ts'

const DAMAGE = 'UPDATE search_rows SET bytes = zeroblob(length(bytes))'

test('searches of a damaged index fail, and reads and writes continue while it is rebuilt', async (t) => {
  const { file, store, damage } = await damagedStore(t)
  damage(DAMAGE)
  await assert.rejects(async () => find(store, 'mars'), { name: 'StoreFault', code: 'index_rebuilding' })
  // The new index must include entities that are written, changed or deleted during the rebuild.
  assert.equal((await store.get('sol:planet', 'mars'))?.id, 'mars')
  await put(store, planet('uranus', { title: 'Uranus' }), planet('mars', { title: 'Red planet' }))
  await store.write([{ delete: { type: 'sol:planet', id: 'venus' } }])
  await untilFound(store)
  const found = async (text: string) => (await find(store, text)).hits.map(({ id }) => id)
  assert.deepEqual(
    [await found('uranus'), await found('red'), await found('venus'), await found('earth')],
    [['uranus'], ['mars'], [], ['earth']],
  )
  assert.deepEqual(verifySearchIndex(file), { agrees: true, entities: 3, documents: 3, damaged: 0 })
})

test('a write that detects index damage succeeds and triggers a rebuild', async (t) => {
  const { file, store, damage } = await damagedStore(t)
  damage(DAMAGE)
  await put(store, planet('mars', { title: 'Red planet' }))
  assert.match((await store.get('sol:planet', 'mars'))?.json ?? '', /Red planet/)
  await untilFound(store)
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('a store whose index has lost its segments can be opened and then rebuilds the index', async (t) => {
  const { file, store, damage } = await damagedStore(t)
  damage('DELETE FROM search_segments')
  store.close()
  assert.equal(verifySearchIndex(file).agrees, false)
  const again = openSqliteStore(file)
  t.after(() => again.close())
  await untilFound(again)
  assert.equal((await find(again, 'venus')).total, 1)
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('a large store opens at once, and its index is built in the background', async (t) => {
  const { file, store, damage } = await damagedStore(t)
  await importAll(
    store,
    Array.from({ length: 2_500 }, (_, at) => planet(`p${at}`, { title: `Planet ${at}` })),
  )
  store.close()
  // Format 0: the index was discarded. Format 1: an older version built it.
  for (const format of [0, 1]) {
    damage(`UPDATE search_state SET format = ${format}`)
    const again = openSqliteStore(file)
    t.after(() => again.close())
    await assert.rejects(async () => find(again, 'mars'), {
      code: 'index_rebuilding',
      message: 'The search index is being built again from the entities. Try again soon.',
    })
    await put(again, planet('uranus', { title: `Uranus ${format}` }))
    await untilFound(again)
    assert.equal((await find(again, 'p2499')).hits[0]?.id, 'p2499')
    assert.equal(verifySearchIndex(file).agrees, true)
    again.close()
  }
})

test('a read-only store reports a damaged index and changes nothing', async (t) => {
  const { file, damage } = await damagedStore(t)
  damage(DAMAGE)
  const reader = openSqliteStore(file, { readOnly: true })
  t.after(() => reader.close())
  reader.repairIndex?.()
  for (let times = 0; times < 2; times++)
    await assert.rejects(async () => find(reader, 'mars'), { code: 'index_rebuilding' })
})

test('an index built by a newer version is not searched, written or rebuilt', async (t) => {
  const { file, store, damage } = await damagedStore(t)
  damage('UPDATE search_state SET format = 99')
  await assert.rejects(async () => find(store, 'mars'), { code: 'newer_format' })
  await assert.rejects(put(store, planet('mars')), { code: 'newer_format' })
  assert.equal((await store.get('sol:planet', 'mars'))?.id, 'mars')
  store.close()
  assert.throws(() => openSqliteStore(file), { code: 'newer_format' })
})

async function damagedStore(t: TestContext) {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const file = folder.file('world.db')
  const store = openSqliteStore(file)
  t.after(() => store.close())
  await put(store, planet('mars', { title: 'Mars' }), planet('venus', { title: 'Venus' }), planet('earth'))
  const damage = (sql: string) => {
    const other = new DatabaseSync(file)
    other.exec(sql)
    other.close()
  }
  return { file, store, damage }
}

function find(store: Store, text: string) {
  return store.find({ text, limit: 5, budgetMs: 10_000 })
}

/** Waits until searches succeed again. The wait lets the build thread run. */
async function untilFound(store: Store): Promise<void> {
  for (;;) {
    try {
      await find(store, 'mars')
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'index_rebuilding') throw error
      await pause(5)
    }
  }
}
