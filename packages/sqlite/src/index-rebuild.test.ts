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

test('a damaged index fails searches, and is rebuilt while reads and writes go on', async (t) => {
  const { file, storage, damage } = await damagedStore(t)
  damage(DAMAGE)
  await assert.rejects(async () => find(storage, 'mars'), { name: 'StorageFault', code: 'index_rebuilding' })
  // The index includes entities that are written, changed and deleted while it is built.
  assert.equal((await storage.get('sol:planet', 'mars'))?.id, 'mars')
  await put(storage, planet('uranus', { title: 'Uranus' }), planet('mars', { title: 'Red planet' }))
  await storage.write([{ delete: { type: 'sol:planet', id: 'venus' } }])
  await untilFound(storage)
  const found = async (text: string) => (await find(storage, text)).hits.map(({ id }) => id)
  assert.deepEqual(
    [await found('uranus'), await found('red'), await found('venus'), await found('earth')],
    [['uranus'], ['mars'], [], ['earth']],
  )
  assert.deepEqual(verifySearchIndex(file), { agrees: true, entities: 3, documents: 3, damaged: 0 })
})

test('a write that meets the damage succeeds, and the index is rebuilt', async (t) => {
  const { file, storage, damage } = await damagedStore(t)
  damage(DAMAGE)
  await put(storage, planet('mars', { title: 'Red planet' }))
  assert.match((await storage.get('sol:planet', 'mars'))?.json ?? '', /Red planet/)
  await untilFound(storage)
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('a store whose index lost its segments opens, and finds everything again', async (t) => {
  const { file, storage, damage } = await damagedStore(t)
  damage('DELETE FROM search_segments')
  storage.close()
  assert.equal(verifySearchIndex(file).agrees, false)
  const again = openSqliteStore(file)
  t.after(() => again.close())
  await untilFound(again)
  assert.equal((await find(again, 'venus')).total, 1)
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('a large store opens at once, and its index is built in the background', async (t) => {
  const { file, storage, damage } = await damagedStore(t)
  await importAll(
    storage,
    Array.from({ length: 2_500 }, (_, at) => planet(`p${at}`, { title: `Planet ${at}` })),
  )
  storage.close()
  // Format 0: it was given up. Format 1: an older version built it.
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

test('a reader reports a damaged index and changes nothing', async (t) => {
  const { file, damage } = await damagedStore(t)
  damage(DAMAGE)
  const reader = openSqliteStore(file, { readOnly: true })
  t.after(() => reader.close())
  reader.repairIndex?.()
  for (let times = 0; times < 2; times++)
    await assert.rejects(async () => find(reader, 'mars'), { code: 'index_rebuilding' })
})

test('an index that a newer version built is neither searched nor written nor rebuilt', async (t) => {
  const { file, storage, damage } = await damagedStore(t)
  damage('UPDATE search_state SET format = 99')
  await assert.rejects(async () => find(storage, 'mars'), { code: 'newer_format' })
  await assert.rejects(put(storage, planet('mars')), { code: 'newer_format' })
  assert.equal((await storage.get('sol:planet', 'mars'))?.id, 'mars')
  storage.close()
  assert.throws(() => openSqliteStore(file), { code: 'newer_format' })
})

async function damagedStore(t: TestContext) {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const file = folder.file('world.db')
  const storage = openSqliteStore(file)
  t.after(() => storage.close())
  await put(storage, planet('mars', { title: 'Mars' }), planet('venus', { title: 'Venus' }), planet('earth'))
  const damage = (sql: string) => {
    const other = new DatabaseSync(file)
    other.exec(sql)
    other.close()
  }
  return { file, storage, damage }
}

function find(storage: Store, text: string) {
  return storage.find({ text, limit: 5, budgetMs: 10_000 })
}

/** Waits until searches are answered again: the thread that builds needs a moment, and a core. */
async function untilFound(storage: Store): Promise<void> {
  for (;;) {
    try {
      await find(storage, 'mars')
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'index_rebuilding') throw error
      await pause(5)
    }
  }
}
