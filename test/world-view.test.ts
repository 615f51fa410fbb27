/** The web component `<world-view>` as a file: its size, and the fields with which a world serves it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { demoWorld } from './browser.ts'
import { ROOT } from './source-files.ts'

/** Maximum gzipped bytes of the component, and of each part that it loads for a map or for a condition in CQL2. */
const MOST = 20_000
const MOST_PART = 4_000

const DIST = join(ROOT, 'packages/explorer/dist')

test('world-view: is at most 20 kB gzipped, and 4 kB more for a map or for a condition in CQL2', () => {
  const sizeOf = (file: string) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).byteLength
  const text = readFileSync(join(DIST, 'world-view.js'), 'utf8')
  assert.ok(sizeOf('world-view.js') <= MOST, `${sizeOf('world-view.js')} bytes`)
  const parts = [...text.matchAll(/["'`]\.\/(_explorer\/[^"'`]+\.js)["'`]/g)].map(([, name = '']) => name)
  assert.deepEqual(parts.map((name) => name.replace(/-.*$/, '')).toSorted(), [
    '_explorer/cql2',
    '_explorer/map',
  ])
  for (const name of parts) {
    assert.ok(sizeOf(name) <= MOST_PART, `${name}: ${sizeOf(name)} bytes`)
    const imports = readFileSync(join(DIST, name), 'utf8').matchAll(/from"([^"]+)"/g)
    assert.deepEqual(
      [...imports].map(([, from]) => from),
      ['../world-view.js'],
    )
  }
  assert.doesNotMatch(text, /innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(|\.style\b/)
})

test('world-view: a world serves it to pages of any origin, and caches ask whether it changed', async () => {
  const url = `${await demoWorld()}/world-view.js`
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.equal(answer.headers.get('cache-control'), 'public, no-cache')
  const etag = answer.headers.get('etag') ?? ''
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
})
