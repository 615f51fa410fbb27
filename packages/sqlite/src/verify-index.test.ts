import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { importAll, planet, put } from '../../core/src/store/suite-data.ts'
import { checksumOf } from './checksum.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { rebuildSearchIndex, verifySearchIndex } from './verify-index.ts'

test('an index agrees with its entities after writes, deletes and imports', async (t) => {
  const file = fileOf(t)
  const store = openSqliteStore(file)
  await importAll(store, [planet('mars', { title: 'Mars' }), planet('venus', { summary: 'Hot' })])
  await put(store, planet('mars', { title: 'Red Mars' }), planet('earth'))
  await store.write([{ delete: { type: 'sol:planet', id: 'venus' } }])
  store.close()
  assert.deepEqual(verifySearchIndex(file), { agrees: true, entities: 2, documents: 2, damaged: 0 })
})

test('a mismatch between index and entities is detected, and a rebuild repairs it', async (t) => {
  const file = fileOf(t)
  const store = openSqliteStore(file)
  await put(store, planet('mars', { title: 'Mars' }), planet('earth', { title: 'Earth' }))
  store.close()
  const other = new DatabaseSync(file)
  const [revision, json] = ['x', '{"type":"sol:planet","id":"earth","title":"Terra","attributes":{}}']
  const set = other.prepare(`UPDATE entities SET revision = ?, json = ?, checksum = ? WHERE id = 'earth'`)
  set.run(revision, json, checksumOf('sol:planet', 'earth', revision, json))
  other.close()
  assert.deepEqual(verifySearchIndex(file), { agrees: false, entities: 2, documents: 2, damaged: 0 })
  rebuildSearchIndex(file)
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('a column value that differs from its entity is detected', async (t) => {
  const file = fileOf(t)
  const store = openSqliteStore(file)
  await put(store, planet('mars', { attributes: { mass: 0.107 } }), planet('earth'))
  store.close()
  const other = new DatabaseSync(file)
  // A fraction is not text, so postings do not contain it.
  const before = other.prepare(`SELECT json FROM entities WHERE id = 'mars'`).get()
  const [revision, changed] = ['x', String(before?.['json']).replace('0.107', '0.108')]
  const set = other.prepare(`UPDATE entities SET revision = ?, json = ?, checksum = ? WHERE id = 'mars'`)
  set.run(revision, changed, checksumOf('sol:planet', 'mars', revision, changed))
  other.close()
  assert.equal(verifySearchIndex(file).agrees, false)
  rebuildSearchIndex(file)
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('an index with another format is rebuilt when the store is opened for writing', async (t) => {
  const file = fileOf(t)
  const store = openSqliteStore(file)
  await put(store, planet('mars', { title: 'Mars' }))
  store.close()
  const other = new DatabaseSync(file)
  other.exec('UPDATE search_state SET format = 0; DELETE FROM search_rows')
  other.close()
  assert.equal(verifySearchIndex(file).agrees, false)
  const again = openSqliteStore(file)
  assert.equal((await again.find({ text: 'mars', limit: 1, budgetMs: 60_000 })).total, 1)
  again.close()
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('an unreadable entity is counted and prevents a rebuild of the index', async (t) => {
  const file = fileOf(t)
  const store = openSqliteStore(file)
  await put(store, planet('mars'), planet('earth'), planet('venus'))
  store.close()
  const other = new DatabaseSync(file)
  other.exec(`UPDATE entities SET json = '{"type' WHERE id = 'earth'`)
  other.exec(`UPDATE entities SET json = 'null' WHERE id = 'venus'`)
  other.close()
  const verdict = { agrees: false, entities: 3, documents: 3, damaged: 2 }
  assert.deepEqual(verifySearchIndex(file), verdict)
  assert.equal(rebuildSearchIndex(file), false)
  assert.deepEqual(verifySearchIndex(file), verdict)
})

function fileOf(t: TestContext): string {
  const folder = temporaryFolder()
  t.after(folder.remove)
  return folder.file('world.db')
}
