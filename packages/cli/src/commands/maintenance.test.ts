import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'

async function folderOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const BOOKS =
  'book_id,title,year,isbn,cover_url\n1,"Dune, 1",1965,0441013597,https://x.example/1.jpg\n2,Solaris,1961,,https://x.example/2.jpg\n'

test('init writes a definition that can be served unchanged, and prints its assumptions', async (t) => {
  const cwd = await folderOf(t, { 'books.csv': BOOKS })
  const { code, err } = await runWith(['init', 'books.csv', '--name', 'Library'], { cwd })
  assert.equal(code, 0, err)
  assert.match(err, /The id is book_id/)
  assert.match(err, /The title is title/)
  const text = await readFile(join(cwd, 'world.yaml'), 'utf8')
  assert.match(text, /type: books:book/)
  assert.match(text, /picture: cover_url/)
  assert.ok(JSON.parse(await readFile(join(cwd, 'world.schema.json'), 'utf8')).$defs)
  const imported = await runWith(['import', 'books.csv', '--json'], { cwd })
  assert.equal(imported.code, 0, imported.err)
  assert.equal(JSON.parse(imported.out).created, 2)
  const { out } = await runWith(['export', '--type', 'books:book'], { cwd })
  const [dune] = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  assert.deepEqual([dune.id, dune.title], ['1', 'Dune, 1'])
  const cells = { book_id: 1, title: 'Dune, 1', year: 1965 }
  assert.deepEqual(dune.attributes, { ...cells, isbn: '0441013597', cover_url: 'https://x.example/1.jpg' })
  const again = await runWith(['init', 'books.csv'], { cwd })
  assert.deepEqual([again.code, /already\. Nothing was written/.test(again.err)], [2, true])
})

test('salvage saves the readable entities of a damaged store and reports the missing ones', async (t) => {
  const cwd = await folderOf(t, {
    'moons.ndjson': '{"type":"sol:moon","id":"io"}\n{"type":"sol:moon","id":"europa"}\n',
  })
  await runWith(['import', 'moons.ndjson', '--store', 'sqlite:world.db'], { cwd })
  const other = new DatabaseSync(join(cwd, 'world.db'))
  other.exec(`UPDATE entities SET json = replace(json, 'attributes', 'attributed') WHERE id = 'io'`)
  other.close()
  const before = await readFile(join(cwd, 'world.db'))
  const { code, err } = await runWith(['salvage', 'world.db', 'saved.ndjson'], { cwd })
  assert.equal(code, 1)
  assert.match(err, /damaged: sol:moon io: is stored as something that is no entity\.\n/)
  assert.match(err, /Saved 1 entity to saved\.ndjson\. 1 entity is damaged, 0 lost, 0 records unreadable\.\n/)
  assert.deepEqual(await readFile(join(cwd, 'world.db')), before)
  const imported = await runWith(['import', 'saved.ndjson', '--store', 'sqlite:new.db', '--json'], { cwd })
  assert.equal(JSON.parse(imported.out).created, 1, imported.err)
  const again = await runWith(['salvage', 'new.db', 'saved.ndjson'], { cwd })
  assert.match(again.err, /saved\.ndjson already\. Nothing is ever written over it/)
  assert.equal((await runWith(['salvage', 'new.db', 'all.ndjson'], { cwd })).code, 0)
})

test('init writes nothing for a file without records', async (t) => {
  const cwd = await folderOf(t, { 'books.csv': 'id,title\n' })
  const { code, err } = await runWith(['init', 'books.csv'], { cwd })
  assert.equal(code, 1)
  assert.match(err, /books\.csv: there is no record in it/)
  assert.equal(existsSync(join(cwd, 'world.yaml')), false)
})

test('init explains its choice of the id column and of the required columns', async (t) => {
  const table = 'shelf_id,isbn_code,number,title\n1,,7,A\n1,b,8,B\n2,c,9,C\n'
  const cwd = await folderOf(t, { 'books.csv': table, 'loans.csv': 'loan_id,day\n1,a\n1,a\n2,b\n' })
  const { err } = await runWith(['init', 'books.csv'], { cwd })
  assert.match(err, /The id is number: it is there in every record and never twice\.\n/)
  assert.match(err, /It could be another that never repeats: title\.\n/)
  assert.match(err, /shelf_id is not the id: records that repeat the value of another one: 1 \(line 3\)\.\n/)
  assert.match(err, /isbn_code is not the id: records without it: 1 \(line 2\)\.\n/)
  assert.match(
    err,
    /Columns without a gap are required, and records without them will be rejected: number, shelf_id, title\.\n/,
  )
  await rm(join(cwd, 'world.yaml'))
  const none = await runWith(['init', 'loans.csv'], { cwd })
  assert.match(none.err, /No column is different in every record.*\n.*loan_id is not the id/)
})

test('a definition written by init preserves every cell', async (t) => {
  const header = 'id,type,phone,part,version,plz,long,exact,size,on'
  const rows = [
    '1,Hardcover,+4912345,12E4,1.10,01067,12345678901234567890,0.1,-3,true',
    '2,Paperback,+4954321,13E4,1.9,80331,12345678901234567891,2.25,0,false',
  ]
  const cwd = await folderOf(t, { 'parts.csv': [header, ',,,,,,,,,', ...rows, ''].join('\n') })
  assert.equal((await runWith(['init', 'parts.csv'], { cwd })).code, 0)
  const imported = await runWith(['import', 'parts.csv'], { cwd })
  assert.equal(imported.code, 0, imported.err)
  const { out } = await runWith(['export', '--type', 'parts:part'], { cwd })
  const entities = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const names = header.split(',').slice(1)
  const cells = entities.map(({ id, attributes }) => [id, ...names.map((name) => String(attributes[name]))])
  assert.deepEqual(
    cells.map((row) => row.join()),
    rows,
  )
  const { exact, size, on } = entities[0].attributes
  assert.deepEqual({ exact, size, on }, { exact: 0.1, size: -3, on: true })
})

test('config prints where each value comes from and masks secrets', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'port: 3000\nname: Sol\n' })
  const env = { WORLD_TOKEN: 'ww_secret', WORLD_HOST: '::1', WORLD_STORE: 'postgres://me:hidden@db/x' }
  const { out } = await runWith(['config', '--public-url', 'https://sol.example', '--no-watch', '--json'], {
    cwd,
    env,
  })
  const values = Object.fromEntries(
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ name, value, from }) => [name, [value, from]]),
  )
  assert.deepEqual(values['port'], ['3000', join(cwd, 'world.yaml')])
  assert.deepEqual(values['host'], ['::1', 'environment'])
  assert.deepEqual(values['publicUrl'], ['https://sol.example', 'flag'])
  assert.deepEqual(values['watch'], ['false', 'flag'])
  assert.deepEqual(values['onInvalid'], ['reject', 'default'])
  assert.doesNotMatch(out, /secret|hidden/)
  const bad = await runWith(['config'], { cwd, env: { WORLD_PORT: 'many' } })
  assert.deepEqual([bad.code, /WORLD_PORT is a whole number/.test(bad.err)], [2, true])
})

test('a backup restored into a new folder passes verification', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: B\n', 'books.ndjson': '{"type":"b:book","id":"1"}\n' })
  await runWith(['import', 'books.ndjson'], { cwd })
  assert.equal((await runWith(['backup', 'b.backup'], { cwd })).code, 0)
  assert.equal((await runWith(['restore', 'b.backup', 'restored'], { cwd })).code, 0)
  const here = await runWith(['verify', '--json'], { cwd })
  const there = await runWith(['verify', '--store', 'sqlite:restored/world.db', '--json'], { cwd })
  assert.deepEqual([here.code, there.code], [0, 0])
  assert.equal(JSON.parse(there.out).contentHash, JSON.parse(here.out).contentHash)
  assert.match(
    (await runWith(['restore', 'b.backup', 'restored'], { cwd })).err,
    /Nothing is ever written over it/,
  )
  const nowhere = await runWith(['backup', 'none/b.backup'], { cwd })
  assert.deepEqual([nowhere.code, /There is no folder .*none to back up into/.test(nowhere.err)], [2, true])
  assert.equal((await runWith(['restore', 'books.ndjson', 'failed'], { cwd })).code, 1)
  assert.equal(existsSync(join(cwd, 'failed')), false)
})

test('verify detects an incomplete search index and can rebuild it', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: B\n', 'books.ndjson': '{"type":"b:book","id":"1"}\n' })
  await runWith(['import', 'books.ndjson'], { cwd })
  assert.equal((await runWith(['verify'], { cwd })).code, 0)
  const store = new DatabaseSync(join(cwd, 'world.db'))
  store.exec('DELETE FROM search_segments')
  store.close()
  const damaged = await runWith(['verify'], { cwd })
  assert.deepEqual([damaged.code, /verify --repair/.test(damaged.err)], [1, true])
  assert.equal((await runWith(['verify', '--repair'], { cwd })).code, 0)
  assert.equal((await runWith(['verify'], { cwd })).code, 0)
})

test('verify reports a damaged entity and continues', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: B\n', 'books.ndjson': '{"type":"b:book","id":"1"}\n' })
  await runWith(['import', 'books.ndjson'], { cwd })
  const store = new DatabaseSync(join(cwd, 'world.db'))
  store.exec(`UPDATE entities SET json = '{"type'`)
  store.close()
  const { code, err } = await runWith(['verify', '--repair'], { cwd })
  assert.equal(code, 1)
  assert.match(
    err,
    /damaged: b:book 1: .*no entity\.\n.*not rebuilt: entities are damaged\.\n.*: 1 is damaged\.\n1 entity, DAMAGED/,
  )
})

test('export writes a complete new file or explains why it cannot', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: B\n',
    'books.ndjson': '{"type":"b:book","id":"1"}\n',
    'kept.txt': 'kept',
  })
  await runWith(['import', 'books.ndjson'], { cwd })
  const { out } = await runWith(['export'], { cwd })
  assert.deepEqual(await runWith(['export', '--output', 'all.ndjson'], { cwd }), {
    code: 0,
    out: '',
    err: '',
  })
  assert.equal(await readFile(join(cwd, 'all.ndjson'), 'utf8'), out)
  for (const [output, said] of [
    [
      'kept.txt',
      `There is ${join(cwd, 'kept.txt')} already. Nothing is ever written over it: name another file.`,
    ],
    ['.', `There is ${cwd} already. Nothing is ever written over it: name another file.`],
    ['none/a', `There is no folder ${join(cwd, 'none')} to write into. Make it, or name another.`],
    ['kept.txt/a', `${join(cwd, 'kept.txt')} is no folder to write into. Name another.`],
  ] as const) {
    const { code, err } = await runWith(['export', '--output', output], { cwd })
    assert.deepEqual([code, err], [1, `error: ${said}\n`])
  }
  assert.equal(await readFile(join(cwd, 'kept.txt'), 'utf8'), 'kept')
})

test('an interrupted export leaves no file', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: B\n', 'books.ndjson': '{"type":"b:book","id":"1"}\n' })
  await runWith(['import', 'books.ndjson'], { cwd })
  const signal = AbortSignal.abort()
  const { code, err } = await runWith(['export', '--output', 'all.ndjson'], { cwd, signal })
  assert.deepEqual([code, err], [1, 'error: Interrupted.\n'])
  // A file that was opened late would exist by now, since file system requests are processed in order.
  for (let looks = 0; looks < 20; looks += 1) await readdir(cwd)
  assert.equal(existsSync(join(cwd, 'all.ndjson')), false)
})

test('a signal stops init while it reads a pipe', {
  skip: process.platform === 'win32' && 'not run: this machine has no named pipes in folders',
  timeout: 60_000,
}, async (t) => {
  const cwd = await folderOf(t, {})
  execFileSync('mkfifo', [join(cwd, 'books.csv')])
  const ending = new AbortController()
  const running = runWith(['init', 'books.csv'], { cwd, signal: ending.signal })
  const pipe = await open(join(cwd, 'books.csv'), 'w')
  // Write more than a pipe buffers, so that init is reading once the write completes.
  await pipe.write(BOOKS + '3,Ubik,1969,,\n'.repeat(20_000))
  ending.abort()
  assert.deepEqual(await running, { code: 1, out: '', err: 'error: Interrupted. Nothing was written.\n' })
  await pipe.close()
  assert.deepEqual(await readdir(cwd), ['books.csv'])
})

test('a token is printed once, is listed without its secret, and can be revoked', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'operator: true\n' })
  const created = await runWith(
    ['token', 'create', '--scope', 'write:b:book', '--name', 'loader', '--expires', '90d'],
    { cwd },
  )
  assert.match(created.out, /^ww_[0-9a-f]{10}_[A-Za-z0-9_-]{43}\n$/)
  assert.match(created.err, /warning: this world has no type b:book yet\./)
  const reader = await runWith(['token', 'create', '--scope', 'read:b:books', '--json'], { cwd })
  assert.match(reader.err, /allows read:b:books\.[\s\S]*warning: this world has no type b:books yet\./)
  assert.equal((await runWith(['token', 'revoke', JSON.parse(reader.out).id], { cwd })).code, 0)
  const { out } = await runWith(['token', 'list', '--json'], { cwd })
  const { id, name, scopes } = JSON.parse(out)
  assert.deepEqual([name, scopes], ['loader', ['write:b:book']])
  assert.ok(!out.includes(created.out.trim().slice(14)))
  assert.equal((await runWith(['token', 'revoke', created.out.trim()], { cwd })).code, 0)
  assert.equal((await runWith(['token', 'revoke', id], { cwd })).code, 1)
  assert.equal((await runWith(['token', 'create', '--scope', 'all'], { cwd })).code, 2)
  assert.equal((await runWith(['token', 'create', '--expires', 'soon'], { cwd })).code, 2)
  await writeFile(join(cwd, 'world.yaml'), 'types: [{ type: b:book }]\n')
  assert.doesNotMatch((await runWith(['token', 'create', '--scope', 'write:b:book'], { cwd })).err, /warning/)
})

test('a dry run changes nothing, and --on-invalid decides what is loaded', async (t) => {
  const definition = 'types:\n  - type: b:book\n    schema: { properties: { year: { type: integer } } }\n'
  const csv = 'type,id,year\nb:book,1,1965\nb:book,2,later\n'
  const json = '{"type":"b:book","id":"3","year":"later"}\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'b.csv': csv, 'b.ndjson': json })
  const dry = await runWith(['import', 'b.csv', '--dry-run'], { cwd })
  assert.deepEqual([dry.code, /1 new.*1 rejected/.test(dry.err)], [1, true])
  assert.match(dry.err, /b\.csv:3 \/year wrong_type: "later" is no number/)
  assert.deepEqual((await readdir(cwd)).toSorted(), ['b.csv', 'b.ndjson', 'world.yaml'])
  const stopped = await runWith(['import', 'b.csv', '--on-invalid', 'stop'], { cwd })
  assert.match(stopped.err, /b\.csv:3: \/year.*Nothing was loaded/)
  const warned = await runWith(['import', 'b.ndjson', '--on-invalid', 'warn'], { cwd })
  assert.deepEqual([warned.code, /1 value against the schema/.test(warned.err)], [0, true])
  assert.match((await runWith(['import', 'b.csv'], { cwd })).err, /1 new, 0 changed/)
  const listed = (await readFile(join(cwd, 'world.db.rejected.ndjson'), 'utf8')).trimEnd().split('\n')
  assert.deepEqual(
    listed.map((line) => JSON.parse(line).line),
    [3],
  )
})

test('dangling references are reported', async (t) => {
  const json = '{"type":"b:book","id":"1","by":{"type":"b:author","id":"herbert"}}\n'
  const cwd = await folderOf(t, { 'world.yaml': 'name: B\n', 'b.ndjson': json })
  const { err } = await runWith(['import', 'b.ndjson'], { cwd })
  assert.match(
    err,
    /references to 1 entity that does not exist:\n {2}b:book 1 \/attributes\/by: there is no b:author herbert/,
  )
})
