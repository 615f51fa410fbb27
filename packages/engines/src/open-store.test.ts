import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore, storeAt, storeUrl } from './open-store.ts'

test('a writer creates and writes a store, while a reader and a searcher can only read it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const url = storeUrl('sqlite:sol.db', folder)
  assert.equal(url, `sqlite:${join(folder, 'sol.db')}`)
  const location = await storeAt(url)
  assert.equal(await location.exists(), false)
  assert.equal(await location.size(), 0)
  await assert.rejects(openStore(url, { role: 'reader' }), { name: 'StoreFault' })

  const writer = await openStore(url, { role: 'writer' })
  t.after(() => writer.close())
  const put = (id: string) => [{ put: { type: 'sol:moon', id, attributes: {} } }]
  await writer.write(put('io'))
  assert.equal(await location.exists(), true)
  assert.ok((await location.size()) > 0)
  for (const role of ['reader', 'searcher'] as const) {
    const store = await openStore(url, { role })
    t.after(() => store.close())
    assert.equal((await store.get('sol:moon', 'io'))?.id, 'io')
    await assert.rejects(async () => store.write(put('europa')), { code: 'read_only' })
  }
})

test('a writer drops tombstones after their lifetime unless the lifetime is infinite', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const url = storeUrl('sqlite:sol.db', folder)
  const deletedIn = async (deletionsKeptMs: number, until: (deletions: number) => boolean) => {
    const writer = await openStore(url, { role: 'writer', deletionsKeptMs })
    const deletions = async () => {
      const { changes } = await writer.changes({ limit: 10 })
      return changes.filter(({ entity }) => entity === undefined).length
    }
    for (const id of ['io', 'europa']) {
      await writer.write([{ put: { type: 'sol:moon', id, attributes: {} } }])
      await writer.write([{ delete: { type: 'sol:moon', id } }])
    }
    while (!until(await deletions())) await new Promise((resolve) => setTimeout(resolve, 5))
    await writer.close()
  }
  await deletedIn(Number.POSITIVE_INFINITY, (deletions) => deletions === 2)
  await deletedIn(-1_000, (deletions) => deletions === 0)
})

test("a PostgreSQL store URL contains the replica folder, and the store's name hides the password", async () => {
  const written = 'postgres://world:secret@a.example,b.example:5433/sol?schema=moons'
  const url = storeUrl(written, '/srv/sol')
  assert.equal(url, `${written}&cache=%2Fsrv%2Fsol%2Fworld-cache`)
  assert.equal(storeUrl(url, '/elsewhere'), url)
  const { name, file } = await storeAt(url)
  assert.ok(!name.includes('secret') && name.includes('a.example'), name)
  assert.equal(file, '/srv/sol/world-cache/copy.db')
  for (const wrong of [
    '',
    '//',
    '//host',
    '//host/db?sslmode=require',
    '//host/db?other=1',
    '//host/db?schema=A"b',
  ])
    await assert.rejects(async () => storeAt(storeUrl(`postgres:${wrong}`, '/')), Error, wrong)
})

test('the error for an invalid store URL or unknown engine lists the valid forms', async () => {
  const fault = { name: 'StoreUrlFault', message: /sqlite:FILE/ }
  for (const url of ['world.db', '', 'sqlite:', 'C:\\world.db', 'constructor:x']) {
    assert.throws(() => storeUrl(url, '/'), fault, url)
  }
  assert.throws(() => storeUrl('mongodb://db.example/sol', '/'), {
    name: 'StoreUrlFault',
    message: /no storage engine mongodb.*mongodb:\/\/db\.example\/sol/,
  })
  await assert.rejects(openStore('mongodb://db.example/sol', { role: 'writer' }), fault)
})
