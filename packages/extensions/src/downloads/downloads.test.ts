import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writtenFormats } from '@worldwright/publish/formats'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import type { Extension } from '../../../core/src/handler/extension.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { WorldFault } from '../../../core/src/world/errors.ts'
import type { Download } from './download.ts'
import { DownloadFolder, type FolderOptions } from './download-folder.ts'
import { downloads } from './routes.ts'
import { writeFile } from './write-file.ts'

const TYPES = [
  { type: 'sol:crater', schema: { type: 'object', properties: { place: { 'x-display': 'place' } } } },
  { type: 'sol:moon' },
]

/** Formats for the tests: two table formats, one format for certain types only, and one that holds all types in one file. */
const FORMATS = writtenFormats().filter(({ name }) => ['ndjson', 'csv', 'parquet', 'geojson'].includes(name))

async function served(
  t: TestContext,
  { further = [], folder: more = {} }: { further?: Extension[]; folder?: Partial<FolderOptions> } = {},
) {
  const root = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.after(() => rm(root, { recursive: true }))
  const folder = join(root, 'world.db.downloads')
  const store = createMemoryStore()
  const clock = { now: 1_000_000 }
  const made: Download[] = []
  const opened = (): FolderOptions => ({
    store,
    folder,
    maxBytes: 100_000,
    now: () => clock.now,
    make(download, path, maxBytes) {
      made.push(download)
      async function* pieces() {
        const snapshot = await store.snapshot()
        for await (const { json } of snapshot.entities(download.type)) yield `${json}\n`
        await snapshot.close()
      }
      // Generation takes one second.
      clock.now += 1_000
      return writeFile(pieces(), path, { maxBytes })
    },
    ...more,
  })
  const put = (id: string, type = 'sol:moon') =>
    store.write([{ put: { type, id, attributes: { about: 'x'.repeat(50) } } }])
  await put('io')
  const description = {
    id: 'urn:example:sol',
    name: 'Sol',
    license: 'CC-BY-4.0',
    attribution: 'Sol observatory',
    types: async () => TYPES,
  }
  const files = new DownloadFolder(opened())
  const handler = createWorld({
    ...description,
    store,
    publicUrl: 'https://sol.example',
    extensions: [downloads({ files, formats: FORMATS }), ...further],
  })
  const fetched = toFetch(handler)
  return {
    folder,
    store,
    clock,
    made,
    put,
    opened,
    get: (name: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetched(new Request(`https://sol.example/download${name && `/${name}`}`, { headers, method })),
  }
}

/** Response members that the tests check. */
interface Said {
  readonly code: string
  readonly license: string
  readonly details: { readonly reason: string }
  readonly downloads: readonly { readonly path: string }[]
}

async function said(response: Promise<Response> | Response): Promise<Said> {
  return (await (await response).json()) as Said
}

test('a download is generated once and has a length, digest, entity tag and licence', async (t) => {
  const { get, made } = await served(t)
  const responses = await Promise.all([get('sol%3Amoon.ndjson'), get('sol:moon.ndjson')])
  const [body = ''] = await Promise.all(responses.map((response) => response.text()))
  assert.equal(body.trimEnd().split('\n').length, 1)
  assert.equal(JSON.parse(body).id, 'io')
  assert.equal(made.length, 1)
  assert.deepEqual(made[0]?.about, {
    world: 'urn:example:sol',
    name: 'Sol',
    license: 'CC-BY-4.0',
    attribution: 'Sol observatory',
  })
  const { headers } = responses[0] as Response
  const digest = createHash('sha256').update(body).digest('base64')
  assert.equal(headers.get('repr-digest'), `sha-256=:${digest}:`)
  assert.equal(headers.get('content-length'), String(body.length))
  assert.equal(headers.get('content-type'), 'application/x-ndjson')
  assert.equal(headers.get('link'), '<https://spdx.org/licenses/CC-BY-4.0.html>; rel="license"')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="sol-moon.ndjson"')
  const known = { 'if-none-match': headers.get('etag') ?? '' }
  assert.equal((await get('sol:moon.ndjson', known)).status, 304)
  assert.equal((await get('sol:moon.ndjson', {}, 'HEAD')).headers.get('content-length'), String(body.length))
})

test('a range request for changed content is answered with the whole file or refused', async (t) => {
  const { get, put, clock } = await served(t)
  const first = await get('world.ndjson')
  const etag = first.headers.get('etag') ?? ''
  const whole = await first.text()
  const part = await get('world.ndjson', { range: 'bytes=5-9', 'if-range': etag })
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), `bytes 5-9/${whole.length}`)
  assert.equal(await part.text(), whole.slice(5, 10))
  await put('europa')
  clock.now += 20_000
  const changed = await get('world.ndjson', { range: 'bytes=5-9', 'if-range': etag })
  assert.equal(changed.status, 200)
  assert.equal((await changed.text()).trimEnd().split('\n').length, 2)
  const refused = await get('world.ndjson', { range: 'bytes=5-9', 'if-match': etag })
  assert.equal(refused.status, 412)
  assert.equal((await said(refused)).code, 'precondition_failed')
})

test('no two versions of a download have the same Last-Modified', async (t) => {
  const fast: FolderOptions['make'] = (_download, path, maxBytes) =>
    writeFile((async function* () {})(), path, { maxBytes })
  const { get, put, clock } = await served(t, { folder: { make: fast } })
  const modified = async () => (await get('world.ndjson')).headers.get('last-modified')
  const first = await modified()
  await put('europa')
  clock.now += 999
  assert.equal(await modified(), first)
  clock.now += 1
  assert.notEqual(await modified(), first)
})

test('downloads of a constantly changing type are rebuilt after ten times the build time', async (t) => {
  const { get, put, clock, made } = await served(t)
  const lines = async () => (await (await get('sol:moon.ndjson')).text()).trimEnd().split('\n').length
  assert.equal(await lines(), 1)
  await put('europa')
  clock.now += 8_000
  assert.equal(await lines(), 1)
  clock.now += 2_000
  assert.equal(await lines(), 2)
  assert.equal(made.length, 2)
})

test('a new process adopts existing files and deletes incomplete ones', async (t) => {
  const { get, folder, opened, made } = await served(t)
  await get('sol:moon.ndjson')
  const { writeFile: write } = await import('node:fs/promises')
  await write(join(folder, 'begun.parquet'), 'half')
  const again = new DownloadFolder(opened())
  const file = await again.file(made[0] as Download)
  assert.ok(typeof file !== 'string')
  assert.match(await readFile(file.path, 'utf8'), /"io"/)
  assert.equal(made.length, 1)
  assert.equal((await readdir(folder)).includes('begun.parquet'), false)
  await rm(folder, { recursive: true })
  assert.ok(typeof (await again.file(made[0] as Download)) !== 'string')
  assert.equal(made.length, 2)
})

test('files share a space limit: the least recently used one is deleted, and none is larger', async (t) => {
  const { get, put, folder, clock } = await served(t, { folder: { maxBytes: 850 } })
  await put('tycho', 'sol:crater')
  for (const name of ['sol:moon.ndjson', 'sol:crater.ndjson', 'sol:moon.ndjson', 'world.ndjson']) {
    assert.equal((await get(name)).status, 200, name)
    clock.now += 1_000
  }
  const kept = (await readdir(folder)).filter((name) => !name.endsWith('.json'))
  assert.equal(kept.length, 2)
  await put('europa')
  await put('ganymede')
  clock.now += 60_000
  // The new version is too large, so the previous file is served. Without a previous file, there is no download.
  const before = await (await get('world.ndjson')).text()
  assert.equal(before.trimEnd().split('\n').length, 2)
  await rm(folder, { recursive: true })
  assert.equal((await get('world.ndjson')).status, 503)
})

test('a full disk or a slow download is reported with the reason and Retry-After', async (t) => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  const one = await served(t, { folder: { make: () => Promise.reject(full) } })
  const refused = await one.get('world.ndjson')
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '10')
  assert.equal((await said(refused)).details.reason, 'full')
  const other = await served(t, { folder: { make: () => new Promise(() => {}), waitMs: 1 } })
  assert.equal((await said(other.get('world.ndjson'))).details.reason, 'preparing')
})

test('a world with a damaged entity has no download and is not scanned on every request', async (t) => {
  let walks = 0
  const make = async () => {
    walks += 1
    throw Object.assign(new Error('damaged'), { name: 'StoreFault', code: 'damaged' })
  }
  const clock = { now: 0 }
  const now = () => (clock.now += 100)
  const { get } = await served(t, { folder: { make, now } })
  for (const _ of [1, 2, 3]) {
    const response = await get('world.ndjson')
    assert.deepEqual([response.status, (await said(response)).code], [500, 'damaged'])
  }
  assert.equal(walks, 1)
  clock.now += 10_000
  await get('world.ndjson')
  assert.equal(walks, 2)
})

test('every available download is listed, and other names are not found', async (t) => {
  const { get } = await served(t)
  const { downloads, license } = await said(get(''))
  assert.equal(license, 'CC-BY-4.0')
  assert.deepEqual(
    downloads.map(({ path }) => path),
    [
      '/download/world.ndjson',
      '/download/sol%3Acrater.ndjson',
      '/download/sol%3Acrater.csv',
      '/download/sol%3Acrater.parquet',
      '/download/sol%3Acrater.geojson',
      '/download/sol%3Amoon.ndjson',
      '/download/sol%3Amoon.csv',
      '/download/sol%3Amoon.parquet',
    ],
  )
  for (const { path } of downloads)
    assert.equal((await get(path.slice('/download/'.length))).status, 200, path)
  const codes = {
    'world.csv': 'not_found',
    'sol:moon.geojson': 'not_found',
    'sol:moon.xlsx': 'not_found',
    'sol:moon': 'not_found',
    '..%2Fsecret.ndjson': 'not_found',
    'sol:star.ndjson': 'unknown_type',
    'SOL:.csv': 'invalid_type',
    'toString.constructor': 'not_found',
  }
  for (const [name, code] of Object.entries(codes)) assert.equal((await said(get(name))).code, code, name)
})

test('downloads of a private world require read access', async (t) => {
  const admit = () => {
    throw new WorldFault('unauthenticated', 'No token.')
  }
  const { get, made } = await served(t, { further: [() => ({ name: 'sol:guard', admit })] })
  assert.equal((await get('world.ndjson')).status, 401)
  assert.equal((await get('')).status, 401)
  assert.equal(made.length, 0)
})

test('titles of references are asked for in CSV, as a file of their own that any change makes anew', async (t) => {
  const { get, made, put, clock } = await served(t)
  assert.equal((await get('sol%3Amoon.csv?titles=true')).status, 200)
  assert.equal((await get('sol%3Amoon.csv?titles=false')).status, 200)
  assert.deepEqual([made.length, made[0]?.titles, made[1]?.titles], [2, true, undefined])
  await put('ceres', 'sol:planet')
  clock.now += 20_000
  await get('sol%3Amoon.csv?titles=true')
  await get('sol%3Amoon.csv')
  assert.equal(made.length, 3)
  for (const name of [
    'sol%3Amoon.csv?titles=1',
    'sol%3Amoon.parquet?titles=true',
    'world.ndjson?titles=true',
  ])
    assert.equal((await get(name)).headers.get('world-error-code'), 'invalid_parameter', name)
})

test('a token for one type does not read titles of others', async (t) => {
  const reads: unknown[] = []
  const admitting: Extension = () => ({
    name: 'test:admit',
    admit: async (_request: unknown, typesOf: () => unknown) => void reads.push(typesOf()),
  })
  const { get } = await served(t, { further: [admitting] })
  for (const query of ['', '?titles=true', '?title%73=true']) await get(`sol%3Amoon.csv${query}`)
  assert.deepEqual(reads, [['sol:moon'], undefined, undefined])
})
