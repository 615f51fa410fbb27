import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { planet, put } from '../../core/src/store/suite-data.ts'
import { backupStore, restoreStore } from './backup.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

test('a reopened store has the same content and versions', async (t) => {
  const file = fileOf(t)
  const first = openSqliteStore(file)
  await put(first, planet('mars', { title: 'Mars' }))
  await first.write([], { values: { world: 'urn:uuid:1' } })
  const before = [first.get('sol:planet', 'mars'), first.types(), first.version(), first.values('world')]
  first.close()
  first.close()
  const again = openSqliteStore(file)
  t.after(() => again.close())
  assert.deepEqual(
    [again.get('sol:planet', 'mars'), again.types(), again.version(), again.values('world')],
    before,
  )
  assert.equal((await again.find({ text: 'mars', limit: 1, budgetMs: 100 })).total, 1)
})

test('a store, its log and its backup are accessible only to the file owner', async (t) => {
  const file = fileOf(t)
  const store = openSqliteStore(file)
  await put(store, planet('mars'))
  await backupStore(file, `${file}.backup`)
  const modes = [file, `${file}-wal`, `${file}.backup`].map((path) => statSync(path).mode & 0o777)
  assert.deepEqual(modes, [0o600, 0o600, 0o600])
  store.close()
  chmodSync(`${file}.backup`, 0o644)
  const restored = fileOf(t)
  await restoreStore(`${file}.backup`, restored)
  assert.equal(statSync(restored).mode & 0o777, 0o600)
})

test('a store in a read-only folder can be read, and no files are created there', async (t) => {
  const file = fileOf(t)
  const store = openSqliteStore(file)
  await put(store, planet('mars'))
  store.close()
  chmodSync(file, 0o444)
  const folder = dirname(file)
  chmodSync(folder, 0o555)
  const program = `
    import { openSqliteStore } from ${JSON.stringify(join(import.meta.dirname, 'open.ts'))}
    import { verifyStore } from ${JSON.stringify(join(import.meta.dirname, 'verify-store.ts'))}
    const store = openSqliteStore(process.argv[1], { readOnly: true })
    const snapshot = store.snapshot()
    console.log(store.get('sol:planet', 'mars') !== undefined, [...snapshot.entities()].length)
    console.log(verifyStore(process.argv[1]).problems.length)
  `
  // Root ignores folder permissions, so the program runs as nobody.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if ('uid' in nobody) chownSync(file, 65_534, 65_534)
  const args = ['--conditions=@worldwright/source', '--input-type=module', '--eval', program, file]
  const { stdout, stderr } = spawnSync(process.execPath, args, { ...nobody, encoding: 'utf8' })
  chmodSync(folder, 0o755)
  assert.equal(stdout, 'true 1\n0\n', stderr)
  assert.deepEqual(readdirSync(folder), [basename(file)])
})

test('a file that is not a store is refused and left unchanged', (t) => {
  const zeros = Buffer.alloc(8_192)
  const header = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_080, 7)])
  for (const content of ['x', 'id,title\n1,Mars\n'.repeat(1_000), zeros, header]) {
    const file = fileOf(t)
    writeFileSync(file, content)
    assertRefused(file, 'not_a_store')
  }
})

test('a database of another program is refused and left unchanged, in any journal mode', (t) => {
  for (const journal of ['DELETE', 'WAL']) {
    const file = fileOf(t)
    const other = new DatabaseSync(file)
    other.exec(`PRAGMA journal_mode = ${journal}; CREATE TABLE t (x); INSERT INTO t VALUES (1)`)
    other.close()
    assertRefused(file, 'not_a_store')
  }
})

test("another program's write-ahead log is not checkpointed", (t) => {
  const file = fileOf(t)
  const copy = fileOf(t)
  const other = new DatabaseSync(file)
  t.after(() => other.close())
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)')
  for (const suffix of ['', '-wal']) writeFileSync(copy + suffix, readFileSync(file + suffix))
  const before = ['', '-wal'].map((suffix) => readFileSync(copy + suffix))
  assert.throws(() => openSqliteStore(copy), { code: 'not_a_store' })
  assert.deepEqual(
    ['', '-wal'].map((suffix) => readFileSync(copy + suffix)),
    before,
  )
})

test('a store with a newer format is refused and left unchanged', (t) => {
  const file = fileOf(t)
  openSqliteStore(file).close()
  const newer = new DatabaseSync(file)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  assertRefused(file, 'newer_format')
})

test('an empty file becomes a store, but a folder is refused', (t) => {
  const file = fileOf(t)
  writeFileSync(file, '')
  openSqliteStore(file).close()
  openSqliteStore(file, { readOnly: true }).close()
  assert.throws(() => openSqliteStore(dirname(file)), { code: 'not_a_store' })
  assert.throws(() => openSqliteStore(`${file}-missing/world.db`), { code: 'not_a_store' })
})

test('names with a special meaning in SQLite are treated as file names', (t) => {
  const file = fileOf(t)
  mkdirSync(`${file}-folder`)
  const before = process.cwd()
  process.chdir(`${file}-folder`)
  t.after(() => process.chdir(before))
  for (const name of [':memory:', 'file:x?mode=memory']) openSqliteStore(name).close()
  assert.deepEqual(readdirSync('.').sort(), [':memory:', 'file:x?mode=memory'])
})

test('a read-only store can be read but not written', async (t) => {
  const file = fileOf(t)
  assert.throws(() => openSqliteStore(file, { readOnly: true }), { code: 'not_a_store' })
  assert.deepEqual(readdirSync(dirname(file)), [])
  const writer = openSqliteStore(file)
  await put(writer, planet('mars'))
  const reader = openSqliteStore(file, { readOnly: true })
  t.after(() => [reader, writer].map((store) => store.close()))
  assert.deepEqual(reader.get('sol:planet', 'mars'), writer.get('sol:planet', 'mars'))
  await assert.rejects(put(reader, planet('venus')), { name: 'StoreFault', code: 'read_only' })
  await assert.rejects(async () => reader.bulk(), { code: 'read_only' })
  await assert.rejects(async () => reader.write([], { values: { a: 'b' } }), { code: 'read_only' })
})

function assertRefused(file: string, code: string): void {
  const before = readFileSync(file)
  for (const readOnly of [false, true]) {
    assert.throws(() => openSqliteStore(file, { readOnly }), { name: 'StoreFault', code })
    assert.deepEqual(readFileSync(file), before)
    assert.deepEqual(readdirSync(dirname(file)), ['world.db'])
  }
}

function fileOf(t: TestContext): string {
  const folder = temporaryFolder()
  t.after(folder.remove)
  return folder.file('world.db')
}
