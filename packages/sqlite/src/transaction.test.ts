import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { onRollback, reading, rollBack, writing, writingIfFree } from './transaction.ts'

test('a write waits for the lock without blocking the process', async (t) => {
  const [db, other] = connections(t)
  other.exec('BEGIN IMMEDIATE')
  const written = writing(db, () => db.exec('INSERT INTO t VALUES (1)'))
  assert.ok(written instanceof Promise)
  await turn()
  other.exec('COMMIT')
  await written
  assert.equal(count(other), 1)
})

test('a write that has waited two seconds for the lock fails as busy', async (t) => {
  const [db, other] = connections(t)
  other.exec('BEGIN IMMEDIATE')
  const start = performance.now()
  await assert.rejects(async () => writing(db, () => assert.fail('it has no lock')), { code: 'busy' })
  assert.ok(performance.now() - start >= 2_000)
  assert.equal(count(db), 0)
})

test('a write aborted while it waits for the lock is not applied', async (t) => {
  const [db, other] = connections(t)
  other.exec('BEGIN IMMEDIATE')
  const ending = new AbortController()
  const written = writing(db, () => db.exec('INSERT INTO t VALUES (1)'), ending.signal)
  const reason = new Error('the caller left')
  ending.abort(reason)
  await assert.rejects(async () => written, reason)
  other.exec('COMMIT')
  assert.equal(count(db), 0)
})

test('a full disk is reported and nothing is written', (t) => {
  const [db] = connections(t)
  db.exec('PRAGMA max_page_count = 20')
  const fill = () => {
    for (;;) db.exec('INSERT INTO t VALUES (randomblob(3000))')
  }
  assert.throws(() => writing(db, fill), { name: 'StoreFault', code: 'full' })
  assert.equal(count(db), 0)
  writing(db, () => db.exec('INSERT INTO t VALUES (1)'))
  assert.equal(count(db), 1)
})

test('a transaction is rolled back if its work throws, and the error is rethrown', (t) => {
  const [db] = connections(t)
  const failure = new Error('of the caller')
  const failing = () => {
    db.exec('INSERT INTO t VALUES (1)')
    throw failure
  }
  assert.throws(() => writing(db, failing), failure)
  assert.equal(count(db), 0)
  assert.throws(
    () =>
      reading(db, () => {
        throw failure
      }),
    failure,
  )
  assert.equal(db.isTransaction, false)
})

test('listeners are called for every rolled-back transaction and for no other', (t) => {
  const [db] = connections(t)
  let heard = 0
  onRollback(db, () => {
    assert.equal(db.isTransaction, false)
    heard += 1
  })
  writing(db, () => db.exec('INSERT INTO t VALUES (1)'))
  reading(db, () => count(db))
  assert.equal(heard, 0)
  assert.throws(() => writing(db, () => assert.fail('of the caller')), /of the caller/)
  assert.equal(heard, 1)
  writing(db, () => rollBack(db))
  assert.equal(heard, 2)
  // SQLite itself rolls this transaction back.
  assert.throws(() => writing(db, () => db.exec('INSERT OR ROLLBACK INTO t VALUES (NULL)')))
  assert.equal(heard, 3)
})

test('writingIfFree leaves the sync level of the connection unchanged', (t) => {
  for (const db of connections(t))
    for (const level of [1, 2]) {
      db.exec(`PRAGMA synchronous = ${level}`)
      writingIfFree(db, () => {})
      assert.equal(db.prepare('PRAGMA synchronous').get()?.['synchronous'], level)
    }
})

function connections(t: TestContext): [DatabaseSync, DatabaseSync] {
  const folder = temporaryFolder()
  const [one, two] = [new DatabaseSync(folder.file('t.db')), new DatabaseSync(folder.file('t.db'))]
  t.after(() => {
    one.close()
    two.close()
    folder.remove()
  })
  one.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x NOT NULL)')
  return [one, two]
}

function count(db: DatabaseSync): unknown {
  return db.prepare('SELECT count(*) AS rows FROM t').get()?.['rows']
}

test('a failed read throws a fault even if its transaction cannot be ended', () => {
  const corrupt = () => {
    throw Object.assign(new Error('database disk image is malformed'), { errcode: 11 })
  }
  const db = { isTransaction: true, exec: (sql: string) => (sql === 'BEGIN' ? undefined : corrupt()) }
  for (const work of [corrupt, () => 1])
    assert.throws(() => reading(db as unknown as DatabaseSync, work), {
      name: 'StoreFault',
      code: 'damaged',
    })
})
