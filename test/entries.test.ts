import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from './source-files.ts'

/** Program that imports a module and prints all modules that are loaded: files by URL, modules of Node.js by name. */
const PROGRAM = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
await import(process.argv[1])
console.log(JSON.stringify(loaded))
`

/** Matches modules that must be loaded only on demand. */
const HEAVY = /\/node_modules\/(?:ajv|ajv-formats|yaml|csv-parse|csv-stringify)\/|^node:(?:sqlite|test)$/

/** Matches modules that only some kinds of sources need. */
const RARE =
  /\/node_modules\/(?:chardet|csv-parse|csv-stringify|hyparquet|mysql2|pg|saxes|yauzl)\/|^node:sqlite$/

function loadedBy(entry: string): string[] {
  const args = ['--conditions=@worldwright/source', '--input-type=module', '--eval', PROGRAM, entry]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }))
}

const LIGHT = [
  'core',
  'core/store',
  'node',
  'search',
  'search/entities',
  'entities',
  'engines',
  'extensions/replica',
  'serve/workers',
]

for (const entry of LIGHT) {
  test(`importing @worldwright/${entry} loads no validator, no file format and no engine`, () => {
    const loaded = loadedBy(`@worldwright/${entry}`)
    assert.ok(loaded.some((url) => url.includes(`/packages/${entry.split('/')[0]}/src/`)))
    assert.deepEqual(
      loaded.filter((url) => HEAVY.test(url)),
      [],
    )
  })
}

test('importing @worldwright/core loads at most 60 files, all from the core and the protocol', () => {
  const loaded = loadedBy('@worldwright/core')
    .filter((url) => url.includes('/packages/'))
    .map((url) => url.replace(/.*\/packages\//, ''))
  assert.ok(loaded.length <= 60, `${loaded.length} files`)
  assert.deepEqual(
    loaded.filter((path) => !path.startsWith('core/') && !path.startsWith('client/')),
    [],
  )
})

test('the module that reads settings loads no other module', () => {
  assert.deepEqual(
    loadedBy('@worldwright/publish/settings').map((url) => url.replace(/.*(?=packages\/)/, '')),
    ['packages/publish/src/definition/settings.ts'],
  )
})

test('the list of formats loads no reader or writer', () => {
  const loaded = loadedBy('@worldwright/publish/formats')
  assert.ok(loaded.some((url) => url.endsWith('/formats/xlsx.ts')))
  assert.deepEqual(
    loaded.filter(
      (url) => HEAVY.test(url) || RARE.test(url) || /\/packages\/(?!(?:publish|client)\/)/.test(url),
    ),
    [],
  )
})

test('publishing loads the reader of a source kind only if it is used', () => {
  const publish = loadedBy('@worldwright/publish')
  assert.ok(publish.some((url) => url.includes('/yaml/')))
  assert.deepEqual(
    publish.filter((url) => RARE.test(url)),
    [],
  )
  const readers = [
    'formats/csv/csv-records',
    'formats/csv/csv-export',
    'formats/xlsx/workbook-records',
    'formats/parquet/parquet-records',
    'formats/parquet/parquet-export',
    'databases/postgres',
    'databases/mysql',
    'databases/sqlite',
  ]
  for (const reader of readers) {
    const url = pathToFileURL(join(ROOT, `packages/publish/src/${reader}.ts`)).href
    assert.ok(
      loadedBy(url).some((one) => RARE.test(one)),
      reader,
    )
  }
})

test('serving a world whose store is loaded imports no format reader and no limit that is not set', () => {
  const loaded = loadedBy(pathToFileURL(join(ROOT, 'packages/serve/src/runtime/compose-world.ts')).href)
  const needless =
    /\/node_modules\/(?:yaml|csv-parse|csv-stringify)\/|\/publish\/src\/(?:input|scaffold|formats\/(?:csv|json|xlsx|parquet|yaml|markdown))\//
  assert.deepEqual(
    loaded.filter((url) => needless.test(url)),
    [],
  )
  assert.ok(loaded.some((url) => url.includes('/ajv/')))
})

test('the check detects a heavy module', () => {
  const engine = pathToFileURL(join(ROOT, 'packages/sqlite/src/open.ts')).href
  const reader = pathToFileURL(join(ROOT, 'packages/publish/src/formats/csv/csv-records.ts')).href
  const heavy = ['@worldwright/publish', reader, engine].flatMap(loadedBy)
  for (const part of ['/ajv/', '/yaml/', '/csv-parse/', 'node:sqlite']) {
    assert.ok(
      heavy.some((url) => HEAVY.test(url) && url.includes(part)),
      part,
    )
  }
})
