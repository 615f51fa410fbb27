import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStore } from '@worldwright/engines'
import { runWith } from '../memory-io.fixture.ts'

async function folderOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const MOONS = '{"type":"sol:moon","id":"europa"}\n{"type":"sol:moon","id":"io"}\n'

test('import loads files into the named store', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  const { code, out, err } = await runWith(['import', 'moons.ndjson', '--store', 'sqlite:sol.db'], { cwd })
  assert.deepEqual([code, out, err], [0, '', '2 new, 0 changed, 0 unchanged, 0 deleted, 0 rejected.\n'])
  const store = await openStore(`sqlite:${join(cwd, 'sol.db')}`, { role: 'writer' })
  t.after(() => store.close())
  assert.ok(await store.get('sol:moon', 'io'))
})

test('a store URL with an unknown engine is refused with a valid example', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  for (const command of [['import', 'moons.ndjson'], ['serve'], ['verify'], ['token', 'list']]) {
    const { code, out, err } = await runWith([...command, '--store', 'mongodb://db.example/sol'], { cwd })
    assert.deepEqual([code, out], [2, ''], command[0])
    assert.match(err, /^error: There is no storage engine mongodb\. A store is written sqlite:FILE/)
  }
})

test('an unreachable database is reported without its password', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  const store = 'postgres://world:secret@127.0.0.1:1/sol'
  const { code, err } = await runWith(['import', 'moons.ndjson', '--store', store], { cwd })
  assert.equal(code, 1)
  assert.match(err, /cannot be reached \(127\.0\.0\.1:1: .*ECONNREFUSED/)
  assert.doesNotMatch(err, /secret|at .*\.ts/)
})

test('the default store is next to the definition, and --store is required without one', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  const without = await runWith(['import', 'moons.ndjson'], { cwd })
  assert.equal(without.code, 2)
  assert.match(without.err, /--store sqlite:FILE/)
  await writeFile(join(cwd, 'world.yaml'), 'name: Sol\n')
  assert.equal((await runWith(['import', 'moons.ndjson'], { cwd })).code, 0)
  const store = await openStore(`sqlite:${join(cwd, 'world.db')}`, { role: 'writer' })
  t.after(() => store.close())
  assert.ok(await store.get('sol:moon', 'io'))
})

test('rejected records are reported with file, line and pointer, and valid ones are loaded', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': `${MOONS}{"type":"sol:moon"}\n{"type":"Moon","id":"x"}\n` })
  const { code, out, err } = await runWith(['import', 'moons.ndjson', '--store', 'sqlite:a.db', '--json'], {
    cwd,
  })
  assert.equal(code, 1)
  assert.match(err, /moons\.ndjson:3 \/id required: /)
  assert.match(err, /moons\.ndjson:4 \/type malformed: /)
  const { created, rejected, types } = JSON.parse(out)
  assert.deepEqual({ created, rejected, types }, { created: 2, rejected: 2, types: ['sol:moon'] })
})

test('import - reads the standard input, and --replace deletes entities that are missing from it', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  const env = { WORLD_STORE: 'sqlite:a.db' }
  await runWith(['import', 'moons.ndjson'], { cwd, env })
  const stdin = (async function* () {
    yield Buffer.from('{"id":"europa"}')
  })()
  const { err } = await runWith(['import', '-', '--type', 'sol:moon', '--replace'], { cwd, env, stdin })
  assert.equal(err, '0 new, 0 changed, 1 unchanged, 1 deleted, 0 rejected.\n')
})

test('an import with a missing file fails before it loads anything', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  const { code, err } = await runWith(['import', 'moons.ndjson', 'none.ndjson', '--store', 'sqlite:a.db'], {
    cwd,
  })
  assert.equal(code, 1)
  assert.match(err, /none\.ndjson: there is no such file/)
})

test('non-portable ids are loaded with a warning', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': `${MOONS}{"type":"sol:moon","id":"a b"}\n` })
  const { code, err } = await runWith(['import', 'moons.ndjson', '--store', 'sqlite:a.db'], { cwd })
  assert.equal(code, 0)
  assert.match(err, /^warning: 1 id not portable; the first: moons\.ndjson:3 the id "a b"/)
})

test('every format is listed in help and accepted by --format', async (t) => {
  const cwd = await folderOf(t, { 'moons.txt': 'id\nio\n' })
  const { out } = await runWith(['import', '--help'], { cwd })
  for (const title of ['CSV', 'TSV', 'JSON', 'NDJSON', 'YAML', 'Markdown', 'Excel', 'Parquet', 'GeoJSON'])
    assert.match(out, new RegExp(`Load records from [^.]*${title}`))
  const load = async (format: string) => {
    const argv = ['import', 'moons.txt', '--type', 'sol:moon', '--format', format, '--store', 'sqlite:x.db']
    return runWith(argv, { cwd })
  }
  for (const format of ['xlsx', 'parquet']) {
    const { code, err } = await load(format)
    assert.deepEqual([code, /moons\.txt: this is no (Excel|Parquet) file, though/.test(err)], [1, true], err)
  }
  assert.equal((await load('csv')).code, 0)
  assert.equal((await load('docx')).code, 2)
})

test('an interrupted import loads nothing and fails', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  const signal = AbortSignal.abort()
  const { code, err } = await runWith(['import', 'moons.ndjson', '--store', 'sqlite:a.db'], { cwd, signal })
  const said =
    'error: Interrupted. Nothing was loaded, and what was there before stands. Run the import again to load it.\n'
  assert.deepEqual([code, err], [1, said])
})

test('changing the search weights in the definition reorders search results', async (t) => {
  const notes =
    '{"type":"sol:moon","id":"a","note":"red","other":"ice"}\n{"type":"sol:moon","id":"b","note":"ice","other":"red"}\n'
  const cwd = await folderOf(t, { 'moons.ndjson': notes })
  const found = async (search: string) => {
    await writeFile(join(cwd, 'world.yaml'), `types: [{ type: 'sol:moon', search: ${search} }]\n`)
    assert.equal((await runWith(['import', 'moons.ndjson'], { cwd })).code, 0)
    const store = await openStore(`sqlite:${join(cwd, 'world.db')}`, { role: 'writer' })
    try {
      const { hits } = await store.find({ text: 'red', limit: 9, budgetMs: 60_000 })
      return hits.map(({ id }) => id)
    } finally {
      await store.close()
    }
  }
  assert.deepEqual(await found('{}'), ['a', 'b'])
  assert.deepEqual(await found('{ other: 3 }'), ['b', 'a'])
  assert.deepEqual(await found('{ other: 0 }'), ['a'])
})

test('a signal stops a running import immediately', async (t) => {
  const cwd = await folderOf(t, {})
  const ending = new AbortController()
  const stdin = (async function* () {
    yield Buffer.from(MOONS)
    ending.abort()
  })()
  const { code, err } = await runWith(['import', '-', '--store', 'sqlite:a.db'], {
    cwd,
    stdin,
    signal: ending.signal,
  })
  assert.equal(code, 1)
  assert.match(err, /^Stopping…\nerror: Interrupted\. Nothing was loaded/)
})

test('a signal stops an import that is waiting for the standard input', async (t) => {
  const cwd = await folderOf(t, {})
  const ending = new AbortController()
  const stdin = (async function* () {
    ending.abort()
    await new Promise(() => {})
    yield Buffer.from(MOONS)
  })()
  const options = { cwd, stdin, signal: ending.signal }
  const { code, err } = await runWith(['import', '-', '--store', 'sqlite:a.db'], options)
  assert.equal(code, 1)
  assert.match(err, /error: Interrupted\. Nothing was loaded/)
})

test('the error for records without a type explains where to define it, once per source', async (t) => {
  const cwd = await folderOf(t, {
    'b.csv': 'id,name\n1,Io\n2,Europa\n',
    'moons.ndjson': `${MOONS}{"id":"x"}\n`,
  })
  const env = { WORLD_STORE: 'sqlite:a.db' }
  const { err } = await runWith(['import', 'b.csv'], { cwd, env })
  assert.match(
    err,
    /rejected\.\nNo record of b\.csv has a type: say --type prefix:name, or make a mapping with: npx worldwright init b\.csv\n$/,
  )
  assert.doesNotMatch((await runWith(['import', 'moons.ndjson'], { cwd, env })).err, /--type/)
})

test('import shows the final write phase on a terminal, except in a dry run', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  const argv = ['import', 'moons.ndjson', '--store', 'sqlite:a.db']
  assert.match((await runWith(argv, { cwd, terminal: 80 })).err, /putting 2 entities in place…/)
  assert.doesNotMatch((await runWith([...argv, '--dry-run'], { cwd, terminal: 80 })).err, /in place/)
})

test('a rejects file contains complete records and can be imported after they are fixed', async (t) => {
  const definition = `types:
  - {type: sol:moon, schema: {properties: {size: {type: number}}}}
sources:
  - {file: moons.csv, type: sol:moon, id: Name, attributes: {size: Size}}
  - {file: more.ndjson, type: sol:moon}
`
  const cwd = await folderOf(t, {
    'world.yaml': definition,
    'moons.csv': 'Name,Size\nio,1\nthebe,big\nio,2\n',
    'more.ndjson': '{"id":"europa","size":"huge"}\n{"id":\n',
  })
  const first = await runWith(['import', 'moons.csv', 'more.ndjson'], { cwd })
  assert.match(
    first.err,
    /moons\.csv:4 \/id repeated: an earlier record \(moons\.csv:2\) is the sol:moon "io"/,
  )
  const list = join(cwd, 'world.db.rejected.ndjson')
  assert.equal((await stat(list)).mode & 0o777, 0o600)
  const lines = (await readFile(list, 'utf8')).trim().split('\n')
  assert.deepEqual(
    lines.map((line) => {
      const { record, entity, text } = JSON.parse(line)
      return record ?? entity?.id ?? text
    }),
    [{ Name: 'thebe', Size: 'big' }, 'io', { id: 'europa', size: 'huge' }, '{"id":'],
  )
  const mended = lines.map((line) => line.replace('"big"', '"3"').replace('huge"', '4"').replace('"4"', '4'))
  await writeFile(list, mended.join('\n'))
  const second = await runWith(['import', 'world.db.rejected.ndjson'], { cwd })
  assert.match(second.err, /is not mended: put the record under "record"/)
  const left = (await readFile(list, 'utf8')).trim().split('\n')
  assert.equal(left.length, 1)
  await writeFile(list, (left[0] ?? '').replace(/"text":"[^}]*"\}$/, '"record":{"id":"x","size":5}}'))
  const third = await runWith(['import', 'world.db.rejected.ndjson'], { cwd })
  assert.deepEqual([third.code, third.err], [0, '1 new, 0 changed, 0 unchanged, 0 deleted, 0 rejected.\n'])
  await assert.rejects(readFile(list), { code: 'ENOENT' })
  const store = await openStore(`sqlite:${join(cwd, 'world.db')}`, { role: 'reader' })
  t.after(() => store.close())
  const sizes = (await store.list('sol:moon', { limit: 9 })).entities.map(({ id, json }) => [
    id,
    JSON.parse(json).attributes,
  ])
  assert.deepEqual(sizes, [
    ['europa', { size: 4 }],
    ['io', { size: 2 }],
    ['thebe', { size: 3 }],
    ['x', { size: 5 }],
  ])
})
