import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { openStore, storeUrl } from '@worldwright/engines'
import { NO_POSTGRES, startPostgres } from '../../../postgres/src/server.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

test('a store copied to another URL keeps its content hash', async (t) => {
  const cwd = await folderOf(t, { 'books.ndjson': '{"type":"b:book","id":"1"}\n' })
  await runWith(['import', 'books.ndjson', '--store', 'sqlite:one.db'], { cwd })
  const copied = await runWith(['copy', 'sqlite:one.db', 'sqlite:two.db', '--json'], { cwd })
  assert.equal(copied.code, 0, copied.err)
  assert.match(copied.err, /^Copied 1 entity to .*two\.db\.\nContent hash [0-9a-f]{64}\n$/)
  const { entities, contentHash } = JSON.parse(copied.out)
  for (const name of ['one', 'two']) {
    const verified = await runWith(['verify', '--store', `sqlite:${name}.db`, '--json'], { cwd })
    assert.equal(JSON.parse(verified.out).contentHash, contentHash)
  }
  assert.equal(entities, 1)
})

test('copy refuses a missing source and does not overwrite an existing store', async (t) => {
  const cwd = await folderOf(t, { 'books.ndjson': '{"type":"b:book","id":"1"}\n' })
  await runWith(['import', 'books.ndjson', '--store', 'sqlite:one.db'], { cwd })
  const missing = await runWith(['copy', 'sqlite:none.db', 'sqlite:two.db'], { cwd })
  assert.deepEqual([missing.code, /There is no store .*none\.db\./.test(missing.err)], [2, true])
  const again = await runWith(['copy', 'sqlite:one.db', 'sqlite:one.db'], { cwd })
  assert.deepEqual([again.code, /Nothing is ever written over it/.test(again.err)], [1, true])
  const unread = await runWith(['copy', 'one.db', 'sqlite:two.db'], { cwd })
  assert.deepEqual([unread.code, /A store is written sqlite:FILE/.test(unread.err)], [2, true])
  assert.equal(existsSync(join(cwd, 'two.db')), false)
})

test('entity tags and cursors stay valid after a copy from a file to PostgreSQL and back', async (t) => {
  const server = await startPostgres()
  if (server === undefined) return t.skip(NO_POSTGRES)
  const lines = ['1', '2', '3'].map((id) => `{"type":"b:book","id":"${id}"}\n`)
  const cwd = await folderOf(t, { 'books.ndjson': lines.join('') })
  t.after(() => server.end())
  await runWith(['import', 'books.ndjson', '--store', 'sqlite:one.db'], { cwd })
  const stores = ['sqlite:one.db', server.url, 'sqlite:back.db']
  for (const [at, to] of stores.slice(1).entries()) {
    const { code, err } = await runWith(['copy', stores[at] ?? '', to], { cwd })
    assert.equal(code, 0, err)
  }
  const publicUrl = 'https://x.example'
  const LIST = `${publicUrl}/api/world/v0/entities/b%3Abook`
  const given: { tags: (string | null)[]; cursor: string }[] = []
  for (const url of stores) {
    const store = await openStore(storeUrl(url, cwd), { role: 'writer' })
    const fetch = toFetch(createWorld({ id: 'urn:x:b', types: [{ type: 'b:book' }], store, publicUrl }))
    const page = await fetch(new Request(`${LIST}?limit=2`))
    const { nextCursor: cursor } = (await page.json()) as { nextCursor: string }
    const entity = await fetch(new Request(`${LIST}/1`))
    const tags = [page.headers.get('etag'), entity.headers.get('etag')]
    given.push({ tags, cursor })
    const [first] = given
    const next = await fetch(new Request(`${LIST}?limit=2&cursor=${first?.cursor}`))
    const { entities } = (await next.json()) as { entities: { id: string }[] }
    assert.deepEqual(
      entities.map(({ id }) => id),
      ['3'],
    )
    const headers = { 'If-None-Match': first?.tags[0] ?? '' }
    assert.equal((await fetch(new Request(`${LIST}?limit=2`, { headers }))).status, 304)
    await store.close()
  }
  assert.ok(given[0]?.tags.every((tag) => tag !== null) && given[0].cursor)
  assert.deepEqual(given[1], given[0])
  assert.deepEqual(given[2], given[0])
})
