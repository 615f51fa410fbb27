import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { Snapshot, Store, StoredEntity } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import type { DownloadFiles } from '../downloads/download.ts'
import { type WrittenFile, writeFile } from '../downloads/write-file.ts'
import { feedPieces, pages, sitemapPieces } from './index.ts'

const AT = '2026-03-01T09:00:00.000Z'

/** Returns a store that only supports scans, with an entity for each of `ids`. */
function walked(ids: Iterable<string>): Store {
  function* entities(): Generator<StoredEntity> {
    for (const id of ids)
      yield {
        type: 'sol:planet',
        id,
        revision: 'r',
        json: JSON.stringify({ type: 'sol:planet', id, updatedAt: AT }),
      }
  }
  const snapshot: Snapshot = { entities, close() {} }
  return { ...createMemoryStore({ search: memorySearch }), snapshot: () => snapshot }
}

async function served(t: TestContext, ids: Iterable<string>, trustProxy = false) {
  const folder = await mkdtemp(join(tmpdir(), 'sitemaps-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'sitemaps')
  const store = walked(ids)
  const asked = new Set<string>()
  let written: Promise<WrittenFile> | undefined
  const files: DownloadFiles = {
    async file({ format, pages = [], about: { origin = '' } }) {
      asked.add(origin)
      const pieces = () => (format === 'feed' ? feedPieces(store, {}) : sitemapPieces(store, origin, pages))
      written ??= writeFile(pieces(), path, { maxBytes: 1e9 })
      return { path, ...(await written), madeAt: AT }
    },
  }
  const description = { id: 'urn:example:sol', types: [{ type: 'sol:moon' }, { type: 'sol:planet' }] }
  const where = trustProxy ? { trustProxy } : { publicUrl: 'https://sol.example' }
  const fetched = toFetch(createWorld({ ...description, store, ...where, extensions: [pages({ files })] }))
  const headers = { 'x-forwarded-host': 'forged.example' }
  return { asked, get: (name: string) => fetched(new Request(`https://sol.example/${name}`, { headers })) }
}

test('all sitemaps are in one file, and each has at most 50,000 addresses', async (t) => {
  const ids = Array.from({ length: 50_010 }, (_, at) => (at === 0 ? "it's & 1" : `p${at}`))
  const { get, asked } = await served(t, ids)
  const list = await (await get('sitemap.xml')).text()
  assert.deepEqual(list.match(/<loc>[^<]+/g), [
    '<loc>https://sol.example/sitemaps/1.xml',
    '<loc>https://sol.example/sitemaps/2.xml',
  ])
  assert.match(list, /<lastmod>2026-03-01T09:00:00\.000Z<\/lastmod>/)
  const parts = await Promise.all(['1', '2'].map(async (n) => (await get(`sitemaps/${n}.xml`)).text()))
  assert.deepEqual(
    parts.map((text) => text.match(/<url>/g)?.length),
    [50_000, 13],
  )
  // The page of a type without entities is included.
  for (const type of ['moon', 'planet'])
    assert.ok(parts[0]?.includes(`<loc>https://sol.example/t/sol%3A${type}</loc></url>`))
  for (const text of parts) assert.match(text, /^<\?xml [^>]+>\n<urlset [^>]+>\n<url>.*<\/urlset>\n$/s)
  assert.ok(parts[0]?.includes('<loc>https://sol.example/t/sol%3Aplanet/it&#39;s%20%26%201</loc><lastmod>'))
  for (const name of ['3', '0', '1x', '..%2F1']) assert.equal((await get(`sitemaps/${name}.xml`)).status, 404)
  assert.deepEqual([...asked], ['https://sol.example'])
})

test('no sitemap is generated for an origin taken from a header', async (t) => {
  const { get, asked } = await served(t, ['mars'], true)
  assert.equal((await get('sitemap.xml')).status, 404)
  assert.equal(asked.size, 0)
})

test('the feed lists the latest changes, newest first, and escapes text', async (t) => {
  const { get } = await served(t, ['mars'])
  const response = await get('feed.atom')
  assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  const times = Array.from({ length: 250 }, (_, at) => new Date(Date.UTC(2026, 0, 1, 0, (at * 7) % 250)))
  const entities = times.map((time, at) => ({
    id: `e${at}`,
    title: '</title>]]>&',
    updatedAt: time.toISOString(),
  }))
  const summary = `\ufffe<b>${'a'.repeat(2_000)}`
  function* stored(): Generator<StoredEntity> {
    for (const entity of entities) {
      const json = JSON.stringify({ type: 'sol:planet', summary, ...entity })
      yield { type: 'sol:planet', id: entity.id, revision: 'r', json }
    }
  }
  const store = {
    ...createMemoryStore({ search: memorySearch }),
    snapshot: () => ({ entities: stored, close() {} }),
  }
  let text = ''
  const about = { world: 'urn:example:sol', origin: 'https://sol.example', license: 'CC-BY-4.0' }
  for await (const piece of feedPieces(store, about)) text += piece
  const newest = entities.toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1)).slice(0, 50)
  assert.deepEqual(
    text.match(/<entry>\s*<title>[^<]*<\/title>\s*<id>[^<]+/g)?.map((entry) => entry.split('/').at(-1)),
    newest.map(({ id }) => id),
  )
  assert.match(text, /<title>&lt;\/title&gt;\]\]&gt;&amp;<\/title>/)
  assert.match(text, /<summary>\\ufffe&lt;b&gt;a{995}…<\/summary>/)
  assert.match(text, /<rights>CC-BY-4\.0<\/rights>/)
})
