import assert from 'node:assert/strict'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { importAll, planet, put } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

const gone = { name: 'StoreFault', code: 'file_gone' }

test('a store whose file was moved away can be read but not written until the file is back', async (t) => {
  const { file, store } = await openedStore(t)
  for (const suffix of ['', '-wal']) {
    renameSync(file + suffix, `${file}.away`)
    await assert.rejects(put(store, planet('venus')), gone)
    await assert.rejects(importAll(store, [planet('venus')]), gone)
    await assert.rejects(async () => store.write([], { values: { '~a': 'b' } }), gone)
    await assert.rejects(async () => store.snapshot(), gone)
    assert.equal(existsSync(file + suffix), false)
    assert.equal((await store.get('sol:planet', 'mars'))?.id, 'mars')
    assert.equal((await store.find({ text: 'mars', limit: 1, budgetMs: 60_000 })).total, 1)
    renameSync(`${file}.away`, file + suffix)
    await put(store, planet('venus', { title: suffix }))
  }
  await store.close()
  const again = openSqliteStore(file)
  t.after(() => again.close())
  assert.match((await again.get('sol:planet', 'venus'))?.json ?? '', /"-wal"/)
})

test('a store is not opened without its write-ahead log if that was removed', async (t) => {
  const { file, store } = await openedStore(t)
  renameSync(`${file}-wal`, `${file}.away`)
  for (const readOnly of [false, true]) {
    assert.throws(() => openSqliteStore(file, { readOnly }), { ...gone, message: /world\.db-wal is gone/ })
    assert.equal(existsSync(`${file}-wal`), false)
  }
  renameSync(`${file}.away`, `${file}-wal`)
  const again = openSqliteStore(file)
  assert.equal((await again.get('sol:planet', 'mars'))?.id, 'mars')
  await again.close()
  await store.close()
  assert.deepEqual([existsSync(`${file}-wal`), existsSync(`${file}-shm`)], [false, false])
})

test("a file that replaces the store's file is neither written nor read", async (t) => {
  const { file, store } = await openedStore(t)
  copyFileSync(file, `${file}.copy`)
  rmSync(file)
  copyFileSync(`${file}.copy`, file)
  await assert.rejects(put(store, planet('venus')), gone)
  await assert.rejects(async () => store.snapshot(), gone)
  assert.equal((await store.get('sol:planet', 'mars'))?.id, 'mars')
})

test('a write committed to a deleted file is not acknowledged', async (t) => {
  let written = () => {}
  const { file, store } = await openedStore(t, () => {
    written()
    return new Date()
  })
  written = () => rmSync(file)
  await assert.rejects(put(store, planet('earth')), gone)
})

test('a store migrated by a newer version is read but not written', async (t) => {
  const { file, store } = await openedStore(t)
  const newer = new DatabaseSync(file)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  await assert.rejects(put(store, planet('venus')), { code: 'newer_format' })
  assert.equal((await store.get('sol:planet', 'mars'))?.id, 'mars')
})

async function openedStore(t: TestContext, now?: () => Date) {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const file = folder.file('world.db')
  const store = openSqliteStore(file, now ? { now } : {})
  t.after(() => store.close())
  await put(store, planet('mars', { title: 'Mars' }))
  return { file, store }
}
