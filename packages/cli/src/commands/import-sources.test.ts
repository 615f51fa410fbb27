import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const TABLE = 'slug,name\nio,Io\neuropa,Europa\n'
const IMPORT = ['--type', 'sol:moon', '--store', 'sqlite:a.db']

test('a table without ids is refused with a list of its columns and advice', async (t) => {
  const cwd = await folderOf(t, { 'moons.csv': TABLE })
  const { code, err } = await runWith(['import', 'moons.csv', ...IMPORT], { cwd })
  const is = 'moons.csv:1: there is no column "id"; the columns are slug, name.'
  const make = 'A definition says what the id is. Make one: npx worldwright init moons.csv'
  assert.deepEqual([code, err], [1, `error: ${is} ${make}\n`])
  await writeFile(join(cwd, 'world.yaml'), 'name: Sol\n')
  const name = 'Name moons.csv among the sources of world.yaml, and say there what its id is.'
  assert.equal((await runWith(['import', 'moons.csv', ...IMPORT], { cwd })).err, `error: ${is} ${name}\n`)
})

test('the report counts the cells that a definition calls missing', async (t) => {
  const definition = 'sources:\n  - {file: moons.csv, type: sol:moon, id: slug, missing: [Io]}\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.csv': TABLE })
  const { code, err } = await runWith(['import'], { cwd })
  assert.deepEqual([code, err.split('\n')[0]], [0, 'moons.csv: cells read as empty: name 1.'])
})

test('import and serve refuse a table that lacks the columns named in its definition', async (t) => {
  const definition = 'sources:\n  - {file: data, type: sol:moon, id: moon, title: name, summary: about}\n'
  const cwd = await folderOf(t, { 'world.yaml': definition.replace('data', 'moons.csv'), 'moons.csv': TABLE })
  const said =
    'error: moons.csv:1: there are no columns "moon", "about"; the columns are slug, name. ' +
    'Say in the definition which columns are meant, or mend the table.\n'
  for (const argv of [
    ['import', 'moons.csv'],
    ['serve', '--port', '0', '--workers', '1'],
  ]) {
    const { code, err } = await runWith(argv, { cwd })
    assert.deepEqual([code, err.replace(/^Reading the sources\. .*\n/, '')], [1, said])
  }
})

test('the error for records without ids explains where to define the id', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': '{"slug":"io"}\n' })
  const { err } = await runWith(['import', 'moons.ndjson', ...IMPORT], { cwd })
  assert.match(err, /\nNo record of moons\.ndjson has an id\. .* npx worldwright init moons\.ndjson\n$/)
})

test('import and serve warn about a mapped column that no record has', async (t) => {
  const definition =
    'sources:\n  - {file: moons.ndjson, type: sol:moon, id: slug, title: titel, summary: about}\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': '{"slug":"io"}\n' })
  const warnings = ['titel', 'about'].map(
    (column) => `warning: moons.ndjson: the definition names "${column}", and no record has it\n`,
  )
  const { code, err } = await runWith(['import', 'moons.ndjson', '--store', 'sqlite:a.db'], { cwd })
  assert.deepEqual([code, err.startsWith(warnings.join(''))], [0, true], err)
  const { greeting } = await serving(t, cwd, '--workers', '1')
  assert.ok(greeting.includes(`\n${warnings.join('')}`), greeting)
})

test("an import of a folder skips the folder's definition and its rejects files", async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: Sol\n',
    'moons.csv': 'id\nio\n',
    'bad.ndjson': '{"source":"moons.csv","line":2,"faults":[]}\n',
  })
  const { code, err } = await runWith(['import', '.', '--type', 'sol:moon', '--rejects', 'bad.ndjson'], {
    cwd,
  })
  assert.deepEqual([code, err], [0, '1 new, 0 changed, 0 unchanged, 0 deleted, 0 rejected.\n'])
  assert.ok(!existsSync(join(cwd, 'bad.ndjson')))
  const refused = await runWith(['import', '.', '--type', 'sol:moon', '--rejects', 'moons.csv'], { cwd })
  assert.equal(refused.code, 2)
  assert.match(refused.err, /moons\.csv already\. .*--rejects FILE/)
})

test("an import of a folder applies the source options in the folder's definition", async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'sources: [{ file: moons.csv, type: "sol:moon", id: slug }]\n',
    'moons.csv': 'slug\nio\n',
  })
  const { code, err } = await runWith(['import', '.'], { cwd })
  assert.deepEqual([code, err], [0, '1 new, 0 changed, 0 unchanged, 0 deleted, 0 rejected.\n'])
})

test('--rejects cannot name an input or the store', async (t) => {
  const data = '{"source":"moons.csv","line":2,"faults":[]}\n'
  const cwd = await folderOf(t, { 'moons.ndjson': data })
  for (const rejects of ['moons.ndjson', './a.db']) {
    const { code, err } = await runWith(['import', 'moons.ndjson', ...IMPORT, '--rejects', rejects], { cwd })
    assert.equal(code, 2)
    assert.match(err, /--rejects names a file that is read or written as something else/)
  }
  assert.equal(await readFile(join(cwd, 'moons.ndjson'), 'utf8'), data)
})

test('a signal ends an import from a named pipe that has no writer', {
  skip: process.platform === 'win32' && 'not run: this machine has no named pipes in folders',
  timeout: 60_000,
}, async (t) => {
  const cwd = await folderOf(t, {})
  execFileSync('mkfifo', [join(cwd, 'moons.ndjson')])
  const ending = new AbortController()
  const running = runWith(['import', 'moons.ndjson', ...IMPORT], { cwd, signal: ending.signal })
  // The import opens the pipe right after it creates the store.
  while (!existsSync(join(cwd, 'a.db'))) await new Promise(setImmediate)
  ending.abort()
  const { code, err } = await running
  assert.equal(code, 1)
  assert.match(err, /error: Interrupted\. Nothing was loaded/)
})

test('an import aborted in the middle of a gzip stream is reported as interrupted', async (t) => {
  const cwd = await folderOf(t, {})
  const ending = new AbortController()
  const packed = gzipSync('{"id":"io"}\n')
  const stdin = (async function* () {
    yield packed.subarray(0, packed.length - 4)
    ending.abort()
    await new Promise(() => {})
  })()
  const { code, err } = await runWith(['import', '-', ...IMPORT], { cwd, stdin, signal: ending.signal })
  assert.equal(code, 1)
  assert.match(err, /error: Interrupted\. Nothing was loaded/)
})

test('a dry run returns the same exit code as the import', async (t) => {
  const cwd = await folderOf(t, { 'good.csv': 'id\nio\n', 'bad.csv': 'id,name\n,Io\n' })
  const codeOf = async (...argv: string[]) => (await runWith(['import', ...argv, ...IMPORT], { cwd })).code
  assert.deepEqual([await codeOf('good.csv', '--dry-run'), await codeOf('good.csv')], [0, 0])
  assert.deepEqual([await codeOf('bad.csv', '--dry-run'), await codeOf('bad.csv')], [1, 1])
})

test('an import into a locked store fails and keeps the previous rejects file', async (t) => {
  const cwd = await folderOf(t, { 'good.csv': 'id\nio\n', 'bad.csv': 'id,name\n,Io\n' })
  assert.equal((await runWith(['import', 'bad.csv', ...IMPORT], { cwd })).code, 1)
  const other = new DatabaseSync(join(cwd, 'a.db'))
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const { code, err } = await runWith(['import', 'good.csv', ...IMPORT], { cwd })
  assert.deepEqual([code, err], [1, 'error: Another process is writing to the store. Try again.\n'])
  assert.ok(existsSync(join(cwd, 'a.db.rejected.ndjson')))
  other.exec('ROLLBACK')
  assert.equal((await runWith(['import', 'good.csv', ...IMPORT], { cwd })).code, 0)
  assert.ok(!existsSync(join(cwd, 'a.db.rejected.ndjson')))
})

test("import without files loads the definition's sources, and skips them if they have not changed", async (t) => {
  const definition = 'sources:\n  - {file: moons.csv, type: sol:moon, id: slug, title: name}\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.csv': TABLE })
  const first = await runWith(['import', '--json'], { cwd })
  assert.equal(first.code, 0, first.err)
  assert.equal(JSON.parse(first.out).created, 2)
  const again = await runWith(['import', '--json'], { cwd })
  assert.deepEqual(again, {
    code: 0,
    out: 'null\n',
    err: 'The sources have not changed since they were loaded.\n',
  })
  await writeFile(join(cwd, 'moons.csv'), `${TABLE},No id\n`)
  const bad = await runWith(['import'], { cwd })
  assert.deepEqual([bad.code, /^1 record rejected:$/m.test(bad.err)], [1, true], bad.err)
  const typed = await runWith(['import', '--dry-run'], { cwd })
  assert.deepEqual([typed.code, /--dry-run is for files/.test(typed.err)], [2, true], typed.err)
})

test('import without files or sources asks for files', async (t) => {
  const cwd = await folderOf(t, {})
  const none = await runWith(['import', '--store', 'sqlite:a.db'], { cwd })
  assert.deepEqual([none.code, /no world\.yaml here .*name the files/.test(none.err)], [2, true], none.err)
  await writeFile(join(cwd, 'world.yaml'), 'name: Sol\n')
  const empty = await runWith(['import'], { cwd })
  assert.deepEqual([empty.code, /names no sources: name the files/.test(empty.err)], [2, true], empty.err)
  assert.equal(existsSync(join(cwd, 'world.db')), false)
})
