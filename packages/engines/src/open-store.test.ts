import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore, storeAt, storeUrl } from './open-store.ts'

test('a store is opened by its URL: a writer creates and writes it, a reader and a searcher only read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const url = storeUrl('sqlite:sol.db', folder)
  assert.equal(url, `sqlite:${join(folder, 'sol.db')}`)
  const store = await storeAt(url)
  assert.equal(await store.exists(), false)
  assert.equal(await store.size(), 0)
  await assert.rejects(openStore(url, { role: 'reader' }), { name: 'StorageFault' })

  const owner = await openStore(url, { role: 'writer' })
  t.after(() => owner.close())
  const put = (id: string) => [{ put: { type: 'sol:moon', id, attributes: {} } }]
  await owner.write(put('io'))
  assert.equal(await store.exists(), true)
  assert.ok((await store.size()) > 0)
  for (const role of ['reader', 'searcher'] as const) {
    const storage = await openStore(url, { role })
    t.after(() => storage.close())
    assert.equal((await storage.get('sol:moon', 'io'))?.id, 'io')
    await assert.rejects(async () => storage.write(put('europa')), { code: 'read_only' })
  }
})

test('a writer drops tombstones after their lifetime, and never if it is infinite', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const url = storeUrl('sqlite:sol.db', folder)
  const deletedIn = async (deletionsKeptMs: number, until: (deletions: number) => boolean) => {
    const owner = await openStore(url, { role: 'writer', deletionsKeptMs })
    const deletions = async () => {
      const { changes } = await owner.changes({ limit: 10 })
      return changes.filter(({ entity }) => entity === undefined).length
    }
    for (const id of ['io', 'europa']) {
      await owner.write([{ put: { type: 'sol:moon', id, attributes: {} } }])
      await owner.write([{ delete: { type: 'sol:moon', id } }])
    }
    while (!until(await deletions())) await new Promise((resolve) => setTimeout(resolve, 5))
    await owner.close()
  }
  await deletedIn(Number.POSITIVE_INFINITY, (deletions) => deletions === 2)
  await deletedIn(-1_000, (deletions) => deletions === 0)
})

test('a store in a database names the folder of its replica, and shows no password to people', async () => {
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

test('a URL without a known engine is refused with the valid forms', async () => {
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
