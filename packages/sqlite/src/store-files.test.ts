import assert from 'node:assert/strict'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { importAll, planet, put } from '../../core/src/store/suite-data.ts'
import { createTokens } from '../../core/src/store/tokens.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

const gone = { name: 'StorageFault', code: 'file_gone' }

test('a store whose file is moved away is read and not written, and is well when the file is back', async (t) => {
  const { file, storage } = await openedStore(t)
  for (const suffix of ['', '-wal']) {
    renameSync(file + suffix, `${file}.away`)
    await assert.rejects(put(storage, planet('venus')), gone)
    await assert.rejects(importAll(storage, [planet('venus')]), gone)
    await assert.rejects(async () => createTokens(storage).put('a', 'b'), gone)
    await assert.rejects(async () => storage.snapshot(), gone)
    assert.equal(existsSync(file + suffix), false)
    assert.equal((await storage.get('sol:planet', 'mars'))?.id, 'mars')
    assert.equal((await storage.find({ text: 'mars', limit: 1, budgetMs: 60_000 })).total, 1)
    renameSync(`${file}.away`, file + suffix)
    await put(storage, planet('venus', { title: suffix }))
  }
  await storage.close()
  const again = openSqliteStore(file)
  t.after(() => again.close())
  assert.match((await again.get('sol:planet', 'venus'))?.json ?? '', /"-wal"/)
})

test('a store whose log was taken away is not opened without it', async (t) => {
  const { file, storage } = await openedStore(t)
  renameSync(`${file}-wal`, `${file}.away`)
  for (const readOnly of [false, true]) {
    assert.throws(() => openSqliteStore(file, { readOnly }), { ...gone, message: /world\.db-wal is gone/ })
    assert.equal(existsSync(`${file}-wal`), false)
  }
  renameSync(`${file}.away`, `${file}-wal`)
  const again = openSqliteStore(file)
  assert.equal((await again.get('sol:planet', 'mars'))?.id, 'mars')
  await again.close()
  await storage.close()
  assert.deepEqual([existsSync(`${file}-wal`), existsSync(`${file}-shm`)], [false, false])
})

test('another file in place of the store is neither written nor read', async (t) => {
  const { file, storage } = await openedStore(t)
  copyFileSync(file, `${file}.copy`)
  rmSync(file)
  copyFileSync(`${file}.copy`, file)
  await assert.rejects(put(storage, planet('venus')), gone)
  await assert.rejects(async () => storage.snapshot(), gone)
  assert.equal((await storage.get('sol:planet', 'mars'))?.id, 'mars')
})

test('a write that was committed into a file that is gone is not acknowledged', async (t) => {
  let written = () => {}
  const { file, storage } = await openedStore(t, () => {
    written()
    return new Date()
  })
  written = () => rmSync(file)
  await assert.rejects(put(storage, planet('earth')), gone)
})

test('a store that a newer version migrated is read and not written', async (t) => {
  const { file, storage } = await openedStore(t)
  const newer = new DatabaseSync(file)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  await assert.rejects(put(storage, planet('venus')), { code: 'newer_format' })
  assert.equal((await storage.get('sol:planet', 'mars'))?.id, 'mars')
})

async function openedStore(t: TestContext, now?: () => Date) {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const file = folder.file('world.db')
  const storage = openSqliteStore(file, now ? { now } : {})
  t.after(() => storage.close())
  await put(storage, planet('mars', { title: 'Mars' }))
  return { file, storage }
}
