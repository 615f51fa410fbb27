import assert from 'node:assert/strict'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { importAll, moon, put } from '../../core/src/store/suite-data.ts'
import { leftovers, untilClean } from './leftovers.fixture.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { verifyStore } from './verify-store.ts'

const FULL = "CREATE TRIGGER full BEFORE DELETE ON staged BEGIN SELECT RAISE(ABORT, 'no room'); END"

test('opening a store does not wait for the removal of leftovers', async (t) => {
  const { file, sql } = await withWaste(t, 20_000)
  const store = openSqliteStore(file)
  assert.deepEqual(leftovers(sql), { imports: 1, staged: 20_000 })
  for (let turns = 0; turns < 10_000 && leftovers(sql).staged === 20_000; turns++) await turn()
  await store.close()
  await turn()
  assert.ok(leftovers(sql).staged > 0)
  const again = openSqliteStore(file)
  t.after(() => again.close())
  await untilClean(sql)
})

test('a store whose leftovers cannot be removed still opens and is not damaged', async (t) => {
  const { file, sql } = await withWaste(t, 100)
  sql.exec(FULL)
  const store = openSqliteStore(file)
  t.after(() => store.close())
  for (let turns = 0; turns < 10; turns++) await turn()
  assert.equal((await store.types()).get('sol:moon')?.count, 1)
  assert.deepEqual(verifyStore(file).problems, [])
  sql.exec('DROP TRIGGER full')
  assert.deepEqual(leftovers(sql), { imports: 1, staged: 100 })
  // Every write resumes the removal of leftovers.
  await put(store, moon('europa'))
  await untilClean(sql)
})

test('a failed abort can be retried', async (t) => {
  const { store, sql } = opened(t)
  const load = await store.bulk()
  await load.add([moon('io')])
  sql.exec("CREATE TRIGGER full BEFORE UPDATE ON imports BEGIN SELECT RAISE(ABORT, 'no room'); END")
  await assert.rejects(async () => load.abort(), /no room/)
  await assert.rejects(async () => load.abort(), /no room/)
  await assert.rejects(async () => load.add([moon('europa')]), /ended/)
  sql.exec('DROP TRIGGER full')
  await load.abort()
  assert.deepEqual(leftovers(sql), { imports: 0, staged: 0 })
})

test('an import whose abort failed is ended by the next import or write', async (t) => {
  const { store, sql } = opened(t)
  for (const next of [() => importAll(store, [moon('io')]), () => put(store, moon('europa'))]) {
    const load = await store.bulk()
    await load.add([moon('callisto')])
    sql.exec("CREATE TRIGGER full BEFORE UPDATE ON imports BEGIN SELECT RAISE(ABORT, 'no room'); END")
    await assert.rejects(async () => load.abort(), /no room/)
    sql.exec('DROP TRIGGER full')
    await next()
    await untilClean(sql)
  }
})

test('an import whose thread died is ended after ten minutes', async (t) => {
  const { file, store, sql } = opened(t)
  const script = `
    import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)}).then(async ({ openSqliteStore }) => {
      const load = await openSqliteStore(${JSON.stringify(file)}).bulk()
      await load.add([{ type: 'sol:moon', id: 'io', attributes: {} }])
      process.exit()
    })`
  await once(new Worker(script, { eval: true }), 'exit')
  await importAll(store, [moon('europa')])
  assert.deepEqual(leftovers(sql), { imports: 1, staged: 1 })
  // With the pid of the test, which started later than that heartbeat, the import would count as another process's.
  sql.exec(`UPDATE imports SET process = ${process.ppid}, heartbeat = heartbeat - 590`)
  await importAll(store, [moon('ganymede')])
  assert.deepEqual(leftovers(sql), { imports: 1, staged: 1 })
  sql.exec('UPDATE imports SET heartbeat = heartbeat - 11')
  await importAll(store, [moon('callisto')])
  await untilClean(sql)
})

test('an import that is idle for hours does not expire', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { file, store, sql } = opened(t)
  const other = openSqliteStore(file)
  t.after(() => other.close())
  const load = await store.bulk()
  await load.add([moon('io')])
  sql.exec('UPDATE imports SET heartbeat = heartbeat - 5 * 3600')
  t.mock.timers.tick(60_000)
  await importAll(other, [moon('europa')])
  assert.equal((await load.commit()).created, 1)
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

/** Creates a store with one entity, and `count` staged entities left by a process that has ended. */
async function withWaste(t: TestContext, count: number) {
  const { file, store, sql } = opened(t)
  await put(store, moon('io'))
  const load = await store.bulk()
  await load.add(Array.from({ length: count }, (_, at) => moon(`m${at}`)))
  await store.close()
  sql.exec('UPDATE imports SET heartbeat = heartbeat - 100000')
  return { file, sql }
}
