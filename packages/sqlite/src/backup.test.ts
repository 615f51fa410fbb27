import assert from 'node:assert/strict'
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { isReached, positionNow } from '../../core/src/store/positions.ts'
import { prepare, storedFrom } from '../../core/src/store/prepared.ts'
import { importAt, moon, planet, put, stateOf } from '../../core/src/store/suite-data.ts'
import { namedValue } from '../../core/src/store/values.ts'
import { backupStore, restoreStore } from './backup.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { verifyStore } from './verify-store.ts'

function folderOf(t: TestContext) {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  return folder
}

const WRITTEN_AT = '2026-03-01T09:00:00Z'

test('a restored backup contains the whole store in one file', async (t) => {
  const folder = folderOf(t)
  const store = openSqliteStore(folder.file('a.db'))
  t.after(() => store.close())
  await put(store, moon('io', { title: 'Io' }), moon('europa'))
  await store.write([], { values: { worldId: 'urn:example:sol' } })
  const report = await backupStore(folder.file('a.db'), folder.file('b.backup'))
  assert.deepEqual([report.entities, report.types, report.problems], [2, { 'sol:moon': 2 }, []])
  assert.ok(!existsSync(folder.file('b.backup-wal')))
  await restoreStore(folder.file('b.backup'), folder.file('c.db'))
  const restored = openSqliteStore(folder.file('c.db'))
  t.after(() => restored.close())
  assert.deepEqual(await restored.get('sol:moon', 'io'), await store.get('sol:moon', 'io'))
  assert.equal((await namedValue(restored, 'worldId'))?.value, 'urn:example:sol')
  assert.equal((await restored.find({ text: 'io', limit: 1, budgetMs: 60_000 })).total, 1)
})

test('a restore starts a new epoch and rewrites recorded versions accordingly', async (t) => {
  const folder = folderOf(t)
  const store = openSqliteStore(folder.file('a.db'))
  t.after(() => store.close())
  const position = (await importAt(store, [moon('io')])).position
  const record = JSON.stringify({ versions: { 'sol:moon': position } })
  await store.write([], { values: { sources: record } })
  const { next } = await store.changes({ limit: 10 })
  await backupStore(folder.file('a.db'), folder.file('b.backup'))
  await restoreStore(folder.file('b.backup'), folder.file('c.db'))
  const restored = openSqliteStore(folder.file('c.db'))
  t.after(() => restored.close())
  assert.equal(await isReached(restored, position), undefined)
  await assert.rejects(
    Promise.resolve().then(() => restored.changes({ after: next, limit: 1 })),
    { code: 'expired' },
  )
  const { version } = await stateOf(restored, 'sol:moon')
  assert.deepEqual(JSON.parse((await namedValue(restored, 'sources'))?.value ?? ''), {
    versions: { 'sol:moon': version },
  })
})

test('migrating from format 2 adds a log and keeps the versions of unchanged types', async (t) => {
  const folder = folderOf(t)
  const db = new DatabaseSync(folder.file('a.db'))
  migrate(db, undefined, MIGRATIONS.slice(0, 2))
  const insert = db.prepare('INSERT INTO entities VALUES (?, ?, ?, ?)')
  for (const entity of [moon('io'), planet('mars')]) {
    const { type, id, revision, json } = storedFrom(prepare(entity), WRITTEN_AT, WRITTEN_AT)
    insert.run(type, id, revision, json)
  }
  db.exec(`INSERT INTO types VALUES ('sol:moon', 1, 'given'), ('sol:planet', 1, 'others'), ('sol:star', 0, 'met');
    INSERT INTO metadata VALUES ('sources', '{"versions":{"sol:moon":"x","sol:planet":"y","sol:star":"met"}}', 'given')`)
  db.close()
  const store = openSqliteStore(folder.file('a.db'))
  t.after(() => store.close())
  const versions = new Map([...(await store.types())].map(([type, { version }]) => [type, version]))
  const kept = JSON.parse((await namedValue(store, 'sources'))?.value ?? '').versions
  assert.equal(kept['sol:moon'], versions.get('sol:moon'))
  assert.equal(kept['sol:star'], versions.get('sol:star'))
  assert.equal(kept['sol:planet'], 'y')
  const { changes } = await store.changes({ limit: 10 })
  assert.deepEqual(
    changes.map(({ id, position }) => [id, position]),
    [
      ['io', await positionNow(store)],
      ['mars', await positionNow(store)],
    ],
  )
})

test('migrating from format 3 adds checksums to all undamaged entities', async (t) => {
  const folder = folderOf(t)
  const db = new DatabaseSync(folder.file('a.db'))
  migrate(db, undefined, MIGRATIONS.slice(0, 3))
  const insert = db.prepare('INSERT INTO entities (type, id, revision, json) VALUES (?, ?, ?, ?)')
  for (let number = 0; number < 1_500; number++) {
    const { type, id, revision, json } = storedFrom(prepare(moon(`${number}`)), WRITTEN_AT, WRITTEN_AT)
    insert.run(type, id, revision, number === 700 ? json.replace('700', '70') : json)
  }
  db.exec(`INSERT INTO types (type, count) VALUES ('sol:moon', 1500)`)
  db.close()
  const store = openSqliteStore(folder.file('a.db'))
  t.after(() => store.close())
  const { entities, damaged } = await store.list('sol:moon', { limit: 2_000 })
  assert.deepEqual([entities.length, damaged], [1_499, ['700']])
})

test('a backup made during writes contains every write up to one point in time', async (t) => {
  const folder = folderOf(t)
  const store = openSqliteStore(folder.file('a.db'))
  t.after(() => store.close())
  let written = 0
  const write = async () => {
    await put(store, moon(String(written).padStart(6, '0'), { attributes: { text: 'x'.repeat(2_000) } }))
    written += 1
  }
  while (written < 300) await write()
  for (let round = 0; round < 3; round++) {
    const before = written
    let done = false
    const target = folder.file(`${round}.backup`)
    const copying = backupStore(folder.file('a.db'), target).finally(() => {
      done = true
    })
    while (!done) {
      await write()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { entities } = await copying
    assert.ok(entities >= before && entities <= written, `${before} ${entities} ${written}`)
    const copy = new DatabaseSync(target, { readOnly: true })
    const last = copy.prepare('SELECT max(id) AS last FROM entities').get()?.['last']
    copy.close()
    assert.equal(last, String(entities - 1).padStart(6, '0'))
  }
})

test('existing files are never overwritten, and a damaged backup is not restored', async (t) => {
  const folder = folderOf(t)
  const store = openSqliteStore(folder.file('a.db'))
  await put(store, ...Array.from({ length: 500 }, (_, index) => moon(`m${index}`)))
  await store.close()
  writeFileSync(folder.file('taken'), '')
  await assert.rejects(backupStore(folder.file('a.db'), folder.file('taken')), { name: 'StoreFault' })
  await backupStore(folder.file('a.db'), folder.file('b.backup'))
  await assert.rejects(restoreStore(folder.file('b.backup'), folder.file('a.db')), { name: 'StoreFault' })
  truncateSync(folder.file('b.backup'), 20_000)
  await assert.rejects(restoreStore(folder.file('b.backup'), folder.file('c.db')), {
    name: 'StoreFault',
    message: `The backup ${folder.file('b.backup')} is damaged. Nothing was restored; take another backup.`,
  })
  writeFileSync(folder.file('letter'), 'Dear reader, '.repeat(100))
  await assert.rejects(restoreStore(folder.file('letter'), folder.file('c.db')), {
    message: `${folder.file('letter')} is not a backup of a store. Nothing was restored.`,
  })
  assert.deepEqual(
    readdirSync(folder.file('.')).filter((name) => name.startsWith('c.db')),
    [],
  )
})

test('verify reports entities that do not match their revision, and wrong counts', async (t) => {
  const folder = folderOf(t)
  const store = openSqliteStore(folder.file('a.db'))
  const reference = { type: 'sol:moon', id: 'none' }
  await put(store, moon('io', { title: 'Io', attributes: { near: [reference] } }), moon('europa'))
  await store.close()
  const sound = verifyStore(folder.file('a.db'))
  assert.deepEqual([sound.problems, sound.dangling], [[], 1])
  assert.deepEqual(sound.danglingExamples, ['sol:moon io: there is no sol:moon none'])
  const db = new DatabaseSync(folder.file('a.db'))
  db.exec(
    `UPDATE entities SET json = replace(json, '"Io"', '"Yo"') WHERE id = 'io'; UPDATE types SET count = 3`,
  )
  db.close()
  const { problems } = verifyStore(folder.file('a.db'))
  assert.deepEqual(problems, [
    'sol:moon io: is not what its revision says.',
    'sol:moon counts 3 entities and has 2.',
  ])
})

test('verification finds entities whose stored text differs from what was written', async (t) => {
  const folder = folderOf(t)
  const store = openSqliteStore(folder.file('a.db'), { now: () => new Date(0) })
  const ids = ['day', 'gone', 'null', 'other', 'space', 'torn', 'vast']
  await put(store, ...ids.map((id) => moon(id)), moon('whole'))
  await store.close()
  const db = new DatabaseSync(folder.file('a.db'))
  const replace = db.prepare('UPDATE entities SET json = replace(json, ?, ?) WHERE id = ?')
  replace.run('"createdAt":"1970-01-01', '"createdAt":"1970-02-30', 'day')
  replace.run(',"updatedAt":"1970-01-01T00:00:00Z"', '', 'gone')
  db.exec(`UPDATE entities SET json = 'null' WHERE id = 'null'`)
  replace.run('00:00:00Z', '00:00:00.000Z', 'other')
  replace.run(',"createdAt"', ', "createdAt"', 'space')
  db.exec(`UPDATE entities SET json = substr(json, 1, 9) WHERE id = 'torn'`)
  replace.run('"attributes":{', '"attributes":{"a":1e999,', 'vast')
  replace.run('1e999,}', '1e999}', 'vast')
  db.close()
  const OTHERWISE = 'is stored otherwise than it was written.'
  assert.deepEqual(verifyStore(folder.file('a.db')).problems, [
    `sol:moon day: ${OTHERWISE}`,
    `sol:moon gone: ${OTHERWISE}`,
    'sol:moon null: is stored as something that is no entity.',
    `sol:moon other: ${OTHERWISE}`,
    `sol:moon space: ${OTHERWISE}`,
    'sol:moon torn: is stored as something that is no entity.',
    'sol:moon vast: is not what its revision says.',
  ])
})

test('the content hash does not depend on the order or time of the writes', async (t) => {
  const folder = folderOf(t)
  for (const [name, ids] of [
    ['a.db', ['io', 'europa']],
    ['b.db', ['europa', 'io']],
  ] as const) {
    const store = openSqliteStore(folder.file(name), { now: () => new Date(name === 'a.db' ? 0 : 1e12) })
    for (const id of ids) await put(store, moon(id))
    await store.close()
  }
  assert.equal(verifyStore(folder.file('a.db')).contentHash, verifyStore(folder.file('b.db')).contentHash)
})

test('a store with data is backed up before it is migrated', async (t) => {
  const folder = folderOf(t)
  const store = openSqliteStore(folder.file('a.db'))
  await put(store, moon('io'))
  await store.close()
  const db = new DatabaseSync(folder.file('a.db'))
  t.after(() => db.close())
  const format = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  const steps = [...Array(format).fill(''), 'DELETE FROM entities']
  migrate(db, folder.file('a.db'), steps)
  assert.equal(db.prepare('SELECT count(*) AS n FROM entities').get()?.['n'], 0)
  assert.deepEqual(verifyStore(folder.file(`a.db.format-${format}.backup`)).types, { 'sol:moon': 1 })
})

test('migrating from format 1 moves the tokens out of the named values', async (t) => {
  const folder = folderOf(t)
  const db = new DatabaseSync(folder.file('old.db'))
  migrate(db, undefined, MIGRATIONS.slice(0, 1))
  db.exec(`INSERT INTO metadata VALUES ('worldId', 'urn:x'), ('token:a', 'first'), ('token:b', 'second'),
    ('token-use:b', '2026-03-01'), ('tokens', 'some')`)
  db.close()
  await restoreStore(folder.file('old.db'), folder.file('restored.db'))
  for (const name of ['old.db', 'restored.db']) {
    const store = openSqliteStore(folder.file(name))
    t.after(() => store.close())
    assert.deepEqual(
      [...(await store.values('~'))].map(([name, { value }]) => [name, value]),
      [
        ['~token-use:b', '2026-03-01'],
        ['~token:a', 'first'],
        ['~token:b', 'second'],
      ],
    )
    assert.deepEqual(await namedValue(store, 'worldId'), { value: 'urn:x', version: '' })
    assert.equal((await namedValue(store, 'tokens'))?.value, 'some')
    assert.equal(await namedValue(store, 'token:a'), undefined)
  }
})

test('migrating from format 7 moves the tokens out of their own table', async (t) => {
  const folder = folderOf(t)
  const db = new DatabaseSync(folder.file('old.db'))
  migrate(db, undefined, MIGRATIONS.slice(0, 7))
  db.exec(`INSERT INTO tokens VALUES ('a', 'first', NULL), ('b', 'second', '2026-03-01')`)
  db.close()
  const store = openSqliteStore(folder.file('old.db'))
  t.after(() => store.close())
  assert.deepEqual(
    [...(await store.values('~'))].map(([name, { value }]) => [name, value]),
    [
      ['~token-use:b', '2026-03-01'],
      ['~token:a', 'first'],
      ['~token:b', 'second'],
    ],
  )
})
