import assert from 'node:assert/strict'
import { createReadStream, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { beginToFollow } from '../../core/src/store/followed.ts'
import { positionNow } from '../../core/src/store/positions.ts'
import { prepare, storedFrom } from '../../core/src/store/prepared.ts'
import { moon, put } from '../../core/src/store/suite-data.ts'
import { backupStore, receiveBackup, restoreStore } from './backup.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { verifyStore } from './verify-store.ts'

/** Returns the path of a file in a folder with a sealed backup `b.backup` of 500 moons. */
async function backedUp(t: TestContext) {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const store = openSqliteStore(folder.file('a.db'))
  await put(store, ...Array.from({ length: 500 }, (_, at) => moon(`m${at}`, { title: `Moon ${at}` })))
  const position = await positionNow(store)
  await store.close()
  await backupStore(folder.file('a.db'), folder.file('b.backup'))
  return { file: folder.file, position }
}

test('a received backup has the position and the index of its store, and no seal', async (t) => {
  const { file, position } = await backedUp(t)
  assert.match(
    readFileSync(file('b.backup'), 'latin1').slice(-93),
    /\nworldwright backup, sha256 [0-9a-f]{64}\n$/,
  )
  await receiveBackup(createReadStream(file('b.backup'), { highWaterMark: 60 }), file('c.db'))
  const { size, mode } = statSync(file('c.db'))
  assert.deepEqual([size % 8_192, mode & 0o777], [0, 0o600])
  const store = openSqliteStore(file('c.db'), { readOnly: true })
  t.after(() => store.close())
  assert.equal(await positionNow(store), position)
  assert.equal((await store.find({ text: 'moon', limit: 1, budgetMs: 60_000 })).total, 500)
})

test('a backup that is cut off, changed or unsealed is not received', async (t) => {
  const { file } = await backedUp(t)
  const whole = readFileSync(file('b.backup'))
  const changed = Buffer.from(whole)
  changed[whole.length - 5_000] = (changed[whole.length - 5_000] ?? 0) ^ 1
  const cases = [
    [whole.subarray(0, -1), /^it is cut off/],
    [whole.subarray(0, whole.length / 2), /^it is cut off/],
    [whole.subarray(0, 0), /^it is cut off/],
    [Buffer.concat([whole, Buffer.from('\n')]), /^it is cut off/],
    [changed, /^it is damaged or was changed/],
  ] as const
  for (const [at, [bytes, message]] of cases.entries()) {
    writeFileSync(file('x'), bytes)
    await assert.rejects(receiveBackup(createReadStream(file('x')), file(`${at}.db`)), {
      code: 'damaged',
      message,
    })
  }
  await assert.rejects(restoreStore(file('x'), file('d.db')), { message: /x: it is damaged or was changed/ })
  assert.ok(!existsSync(file('d.db.partial')))
})

test('a backup of a former version, without a seal, is restored', async (t) => {
  const { file } = await backedUp(t)
  truncateSync(file('b.backup'), statSync(file('b.backup')).size - 93)
  assert.equal((await restoreStore(file('b.backup'), file('c.db'))).entities, 500)
})

test('a sealed backup of an older format is migrated when it is received', async (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const db = new DatabaseSync(folder.file('old.db'))
  migrate(db, undefined, MIGRATIONS.slice(0, -1))
  db.close()
  const { sealBackup } = await import('./backup-seal.ts')
  await sealBackup(folder.file('old.db'))
  await receiveBackup(createReadStream(folder.file('old.db')), folder.file('new.db'))
  const store = openSqliteStore(folder.file('new.db'), { readOnly: true })
  assert.equal((await store.types()).size, 0)
  await store.close()
})

test('a sealed backup can be opened and written as a store', async (t) => {
  const { file } = await backedUp(t)
  assert.deepEqual(verifyStore(file('b.backup')).problems, [])
  const store = openSqliteStore(file('b.backup'))
  await put(store, ...Array.from({ length: 500 }, (_, at) => moon(`n${at}`)))
  await store.close()
  const { entities, problems } = verifyStore(file('b.backup'))
  assert.deepEqual([entities, problems], [1_000, []])
})

test('a restored replica waits for no write of its former upstream', async (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const store = openSqliteStore(folder.file('a.db'))
  const following = await beginToFollow(store)
  const entity = storedFrom(prepare(moon('io')), '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z')
  await following.add([{ type: 'sol:moon', id: 'io', entity, position: 'aaaaaaaaaaaaaaaaaa-7' }])
  const position = 'aaaaaaaaaaaaaaaaaa-7.5'
  await following.commit({ position, earliest: 'aaaaaaaaaaaaaaaaaa-0', versions: new Map() })
  assert.equal(await positionNow(store), position)
  await store.close()
  await backupStore(folder.file('a.db'), folder.file('b.backup'))
  await restoreStore(folder.file('b.backup'), folder.file('c.db'))
  const restored = openSqliteStore(folder.file('c.db'))
  t.after(() => restored.close())
  assert.match(await positionNow(restored), /^[^.]+-7$/)
})
