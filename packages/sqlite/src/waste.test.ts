import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { importAll, moon, walk } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

test('staged entities are in a file without a name, which goes with the last import of its connection', async (t) => {
  const { file, store, sql } = opened(t)
  const writtenBefore = sql.prepare('PRAGMA data_version').get()
  const [one, two] = [await store.bulk(), await store.bulk()]
  await one.add(Array.from({ length: 1_000 }, (_, at) => moon(`m${at}`)))
  await two.add([moon('io')])
  assert.deepEqual(readdirSync(dirname(file)).sort(), ['a.db', 'a.db-shm', 'a.db-wal'])
  assert.deepEqual(sql.prepare('PRAGMA data_version').get(), writtenBefore)
  await one.abort()
  assert.equal((await two.commit()).created, 1)
  await importAll(store, [moon('europa')])
  assert.deepEqual(await walk(store, 'sol:moon', 9), ['europa', 'io'])
})

test('an import that is aborted while it stages or commits changes nothing', async (t) => {
  const { store } = opened(t)
  const moons = Array.from({ length: 5_000 }, (_, at) => moon(`m${at}`))
  const [one, two] = [await store.bulk(), await store.bulk()]
  const staging = one.add(moons)
  await one.abort()
  await assert.rejects(async () => staging, /ended/)
  await two.add(moons)
  const committing = two.commit()
  await two.abort()
  await assert.rejects(async () => committing)
  assert.equal((await store.list('sol:moon', { limit: 0 })).total, 0)
  assert.equal((await importAll(store, moons)).created, 5_000)
})

test('an import whose thread died leaves nothing staged', async (t) => {
  const { file, store } = opened(t)
  const script = `
    import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)}).then(async ({ openSqliteStore }) => {
      const load = await openSqliteStore(${JSON.stringify(file)}).bulk()
      await load.add([{ type: 'sol:moon', id: 'io', attributes: {} }])
      process.exit()
    })`
  await once(new Worker(script, { eval: true }), 'exit')
  assert.equal((await importAll(store, [moon('europa')])).created, 1)
  assert.deepEqual(await walk(store, 'sol:moon', 9), ['europa'])
  assert.deepEqual(readdirSync(dirname(file)).sort(), ['a.db', 'a.db-shm', 'a.db-wal'])
})

test('setting the clock does not end an import', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T09:00:00Z') })
  const { file, store } = opened(t)
  const other = openSqliteStore(file)
  t.after(() => other.close())
  for (const [at, year] of ['2036', '2016', '2026'].entries()) {
    const load = await store.bulk()
    await load.add([moon(`io-${year}`)])
    t.mock.timers.setTime(Date.parse(`${year}-03-01T09:00:00Z`))
    await importAll(other, [moon(`europa-${at}`)])
    assert.equal((await load.commit()).created, 1)
  }
})

function opened(t: TestContext) {
  const folder = temporaryFolder()
  const file = folder.file('a.db')
  const store = openSqliteStore(file)
  const sql = new DatabaseSync(file)
  t.after(async () => {
    await store.close()
    sql.close()
    folder.remove()
  })
  return { file, store, sql }
}
