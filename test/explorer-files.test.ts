import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { demoWorld } from './browser.ts'
import { ROOT } from './source-files.ts'

const DIST = join(ROOT, 'packages/explorer/dist')
/** Maximum gzipped bytes before the first paint: page, code and styles, but not the map. */
const FIRST_LOAD = 80_000
/** Maximum gzipped bytes that a view may load later. */
const MOST_LATER = 60_000
/** Maximum gzipped bytes of the Earth in detail, which an enlarged map loads. */
const MOST_DETAIL = 80_000
/** Maximum gzipped bytes of the words of a language, which are loaded once. */
const MOST_WORDS = 8_000

const page = readFileSync(join(DIST, 'index.html'), 'utf8')
const firstFiles = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map((match) => match[1] ?? '')

test('explorer: the first load is at most 80 kB gzipped, without maps and other languages', () => {
  assert.ok(
    firstFiles.some((file) => file.endsWith('.js')) && firstFiles.some((file) => file.endsWith('.css')),
  )
  const first = ['index.html', ...firstFiles].map((file) => readFileSync(join(DIST, file)))
  const bytes = first.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).byteLength, 0)
  assert.ok(bytes <= FIRST_LOAD, `${bytes} bytes`)
  for (const name of ['places-map', 'ground', 'ar', 'de', 'es']) {
    const [file = ''] = globSync(`_explorer/${name}-*.js`, { cwd: DIST })
    assert.ok(file !== '' && !firstFiles.includes(file), name)
  }
})

test('explorer: a view loads at most 60 kB more, and a language at most 8 kB, gzipped', () => {
  const later = globSync('_explorer/*.js', { cwd: DIST }).filter(
    (file) => !firstFiles.includes(file) && !/search-worker|_virtual_detail/.test(file),
  )
  const bytes = (file: string) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).byteLength
  const isWords = (file: string) => /\/(?:ar|de|es)-[^/]+$/.test(file)
  const languages = later.filter(isWords).map(bytes)
  assert.equal(languages.length, 3)
  assert.ok(Math.max(...languages) <= MOST_WORDS, `${languages} bytes`)

  const views = later.filter((file) => !isWords(file))
  const loadedBy = (file: string, all = new Set([file])): Set<string> => {
    const named = readFileSync(join(DIST, file), 'utf8').matchAll(
      /["'`](?:\.\/|_explorer\/)([^"'`]+\.js)["'`]/g,
    )
    for (const [, name] of named) {
      const next = `_explorer/${name}`
      if (views.includes(next) && !all.has(next)) loadedBy(next, all.add(next))
    }
    return all
  }
  const sizes = views.map((file) => [...loadedBy(file)].reduce((sum, one) => sum + bytes(one), 0))
  assert.ok(views.length > 8 && sizes.some((size, at) => size > bytes(views[at] ?? '')))
  assert.ok(Math.max(...sizes) <= MOST_LATER, `${sizes} bytes`)
})

test('explorer: the search engine for worlds of files is at most 60 kB gzipped and is loaded only for such worlds', () => {
  const [engine, ...more] = globSync('_explorer/search-worker-*.js', { cwd: DIST })
  assert.deepEqual(more, [])
  assert.ok(engine !== undefined && !firstFiles.includes(engine))
  const { byteLength } = gzipSync(readFileSync(join(DIST, engine)), { level: 9 })
  assert.ok(byteLength <= MOST_LATER, `${byteLength} bytes`)
})

test('explorer: the Earth in detail is at most 80 kB gzipped and is loaded only by an enlarged map', () => {
  const [detail = '', ...more] = globSync('_explorer/_virtual_detail-*.js', { cwd: DIST })
  assert.deepEqual(more, [])
  assert.ok(detail !== '' && !firstFiles.includes(detail))
  const { byteLength } = gzipSync(readFileSync(join(DIST, detail)), { level: 9 })
  assert.ok(byteLength <= MOST_DETAIL, `${byteLength} bytes`)
})

test('explorer: the page refers only to its own files, by relative URLs, and has no inline code', () => {
  assert.doesNotMatch(page, /(?:src|href)="(?!\.\/)/)
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\son\w+=|style=/)
  for (const file of firstFiles) assert.ok(existsSync(join(DIST, file)), file)
  for (const css of globSync('_explorer/*.css', { cwd: DIST })) {
    assert.doesNotMatch(readFileSync(join(DIST, css), 'utf8'), /url\(|@import/)
  }
  for (const script of globSync('_explorer/*.js', { cwd: DIST })) {
    assert.doesNotMatch(readFileSync(join(DIST, script), 'utf8'), /\beval\(|new Function\(/)
  }
})

test('explorer: a world serves the page and its files with the required headers', async () => {
  const origin = await demoWorld()
  const root = await fetch(origin, { headers: { accept: 'text/html' } })
  assert.equal(root.status, 200)
  assert.equal(root.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(root.headers.get('cache-control'), 'public, no-cache')
  assert.equal(root.headers.get('x-content-type-options'), 'nosniff')
  const policy = root.headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types worldwright-worker',
    'connect-src http: https:',
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.split('; ').includes(part), part)
  }
  // The head of the served page also describes the world. Its files and its root element are identical.
  const served = await root.text()
  for (const file of firstFiles.filter((name) => !name.endsWith('.svg')))
    assert.ok(served.includes(`./${file}"`), file)
  assert.ok(served.includes('<div id="app"><header class="top-bar">'))
  const etag = root.headers.get('etag') ?? ''
  const again = await fetch(origin, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)

  const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' }
  for (const file of firstFiles) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${origin}/${file}`, { method, headers: { accept: '*/*' } })
      assert.equal(answer.status, 200, file)
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      const ending = file.split('.').at(-1) as keyof typeof types
      assert.equal(answer.headers.get('content-type'), types[ending])
      assert.equal((await answer.arrayBuffer()).byteLength > 0, method === 'GET')
    }
  }
  for (const path of [
    '/_explorer/',
    '/_explorer',
    '/_explorer/../package.json',
    '/_explorer/none.js',
    '/index.html',
  ]) {
    const answer = await fetch(origin + path)
    assert.equal(answer.status, 404, path)
    assert.equal(((await answer.json()) as { code: string }).code, 'not_found')
  }
  const posted = await fetch(origin, { method: 'POST' })
  assert.equal(posted.status, 405)
})

test('explorer: serves its files compressed', async () => {
  const origin = await demoWorld()
  const file = firstFiles.find((name) => name.endsWith('.css')) ?? ''
  // Use the http module, because `fetch` decompresses the body.
  const { get } = await import('node:http')
  const { coding, bytes } = await new Promise<{ coding: string | undefined; bytes: Buffer }>(
    (resolve, reject) => {
      get(`${origin}/${file}`, { headers: { 'accept-encoding': 'br' } }, async (answer) => {
        resolve({ coding: answer.headers['content-encoding'], bytes: Buffer.concat(await answer.toArray()) })
      }).on('error', reject)
    },
  )
  assert.equal(coding, 'br')
  assert.deepEqual(brotliDecompressSync(bytes), readFileSync(join(DIST, file)))
})
