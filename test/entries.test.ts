import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from './source-files.ts'

/** Says which modules a process has loaded after an import: files by their address, Node's own by their name. */
const PROGRAM = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
await import(process.argv[1])
console.log(JSON.stringify(loaded))
`

/** What is loaded only where it is needed. */
const HEAVY = /\/node_modules\/(?:ajv|ajv-formats|yaml|csv-parse|csv-stringify)\/|^node:(?:sqlite|test)$/

/** What only sources of a certain kind need. */
const RARE = /\/node_modules\/(?:chardet|hyparquet|mysql2|pg|saxes|yauzl)\/|^node:sqlite$/

function loadedBy(entry: string): string[] {
  const args = ['--conditions=@worldwright/source', '--input-type=module', '--eval', PROGRAM, entry]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }))
}

for (const entry of ['', '/storage', '/search', '/entities', '/stores', '/replica', '/workers']) {
  test(`importing @worldwright/server${entry} loads no validator, no file format and no engine`, () => {
    const loaded = loadedBy(`@worldwright/server${entry}`)
    assert.ok(loaded.some((url) => url.includes('/packages/server/src/')))
    assert.deepEqual(
      loaded.filter((url) => HEAVY.test(url)),
      [],
    )
  })
}

test('settings are read without anything else', () => {
  assert.deepEqual(
    loadedBy('@worldwright/publish/settings').map((url) => url.replace(/.*(?=packages\/)/, '')),
    ['packages/publish/src/definition/settings.ts'],
  )
})

test('publishing loads what reads a kind of sources only where there are some', () => {
  const publish = loadedBy('@worldwright/publish')
  assert.ok(publish.some((url) => url.includes('/csv-parse/')))
  assert.deepEqual(
    publish.filter((url) => RARE.test(url)),
    [],
  )
  const readers = [
    'read/workbook-records',
    'read/parquet-records',
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

test('what answers for a loaded world has no reader of formats, and no limits that nobody set', () => {
  const loaded = loadedBy(pathToFileURL(join(ROOT, 'packages/cli/src/serve/compose-world.ts')).href)
  const needless =
    /\/node_modules\/(?:yaml|csv-parse|csv-stringify|rate-limiter-flexible)\/|\/publish\/src\/(?:read|scaffold)\//
  assert.deepEqual(
    loaded.filter((url) => needless.test(url)),
    [],
  )
  assert.ok(loaded.some((url) => url.includes('/ajv/')))
})

test('what is heavy is noticed where it is loaded', () => {
  const engine = pathToFileURL(join(ROOT, 'packages/server/src/storage/sqlite/open.ts')).href
  const heavy = [...loadedBy('@worldwright/publish'), ...loadedBy(engine)]
  for (const part of ['/ajv/', '/yaml/', '/csv-parse/', 'node:sqlite']) {
    assert.ok(
      heavy.some((url) => HEAVY.test(url) && url.includes(part)),
      part,
    )
  }
})
