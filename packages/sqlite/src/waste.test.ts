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

test('opening does not wait for the removal of waste, which runs afterwards and ends with closing', async (t) => {
  const { file, sql } = await withWaste(t, 20_000)
  const storage = openSqliteStore(file)
  assert.deepEqual(leftovers(sql), { imports: 1, staged: 20_000 })
  for (let turns = 0; turns < 10_000 && leftovers(sql).staged === 20_000; turns++) await turn()
  await storage.close()
  await turn()
  assert.ok(leftovers(sql).staged > 0)
  const again = openSqliteStore(file)
  t.after(() => again.close())
  await untilClean(sql)
})

test('a store whose waste cannot be removed opens, reads, and is not damaged', async (t) => {
  const { file, sql } = await withWaste(t, 100)
  sql.exec(FULL)
  const storage = openSqliteStore(file)
  t.after(() => storage.close())
  for (let turns = 0; turns < 10; turns++) await turn()
  assert.equal((await storage.types()).get('sol:moon')?.count, 1)
  assert.deepEqual(verifyStore(file).problems, [])
  sql.exec('DROP TRIGGER full')
  assert.deepEqual(leftovers(sql), { imports: 1, staged: 100 })
  // Every write continues to remove the leftovers.
  await put(storage, moon('europa'))
  await untilClean(sql)
})

test('an abort that failed can be repeated', async (t) => {
  const { storage, sql } = opened(t)
  const load = await storage.bulk()
  await load.add([moon('io')])
  sql.exec("CREATE TRIGGER full BEFORE UPDATE ON imports BEGIN SELECT RAISE(ABORT, 'no room'); END")
  await assert.rejects(async () => load.abort(), /no room/)
  await assert.rejects(async () => load.abort(), /no room/)
  await assert.rejects(async () => load.add([moon('europa')]), /ended/)
  sql.exec('DROP TRIGGER full')
  await load.abort()
  assert.deepEqual(leftovers(sql), { imports: 0, staged: 0 })
})

test('an import whose abort failed is ended by the next import, or by the next write', async (t) => {
  const { storage, sql } = opened(t)
  for (const next of [() => importAll(storage, [moon('io')]), () => put(storage, moon('europa'))]) {
    const load = await storage.bulk()
    await load.add([moon('callisto')])
    sql.exec("CREATE TRIGGER full BEFORE UPDATE ON imports BEGIN SELECT RAISE(ABORT, 'no room'); END")
    await assert.rejects(async () => load.abort(), /no room/)
    sql.exec('DROP TRIGGER full')
    await next()
    await untilClean(sql)
  }
})

test('an import of a thread that died is ended after ten minutes, even if its process lives', async (t) => {
  const { file, storage, sql } = opened(t)
  const script = `
    import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)}).then(async ({ openSqliteStore }) => {
      const load = await openSqliteStore(${JSON.stringify(file)}).bulk()
      await load.add([{ type: 'sol:moon', id: 'io', attributes: {} }])
      process.exit()
    })`
  await once(new Worker(script, { eval: true }), 'exit')
  await importAll(storage, [moon('europa')])
  assert.deepEqual(leftovers(sql), { imports: 1, staged: 1 })
  // The process of this test is younger than that, and would count as another one with the same number.
  sql.exec(`UPDATE imports SET process = ${process.ppid}, heartbeat = heartbeat - 590`)
  await importAll(storage, [moon('ganymede')])
  assert.deepEqual(leftovers(sql), { imports: 1, staged: 1 })
  sql.exec('UPDATE imports SET heartbeat = heartbeat - 11')
  await importAll(storage, [moon('callisto')])
  await untilClean(sql)
})

test('an import that is idle for hours lives on', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { file, storage, sql } = opened(t)
  const other = openSqliteStore(file)
  t.after(() => other.close())
  const load = await storage.bulk()
  await load.add([moon('io')])
  sql.exec('UPDATE imports SET heartbeat = heartbeat - 5 * 3600')
  t.mock.timers.tick(60_000)
  await importAll(other, [moon('europa')])
  assert.equal((await load.commit()).created, 1)
})

test('a clock that is set ends no import', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T09:00:00Z') })
  const { file, storage } = opened(t)
  const other = openSqliteStore(file)
  t.after(() => other.close())
  for (const [at, year] of ['2036', '2016', '2026'].entries()) {
    const load = await storage.bulk()
    await load.add([moon(`io-${year}`)])
    t.mock.timers.setTime(Date.parse(`${year}-03-01T09:00:00Z`))
    await importAll(other, [moon(`europa-${at}`)])
    assert.equal((await load.commit()).created, 1)
  }
})

function opened(t: TestContext) {
  const folder = temporaryFolder()
  const file = folder.file('a.db')
  const storage = openSqliteStore(file)
  const sql = new DatabaseSync(file)
  t.after(async () => {
    await storage.close()
    sql.close()
    folder.remove()
  })
  return { file, storage, sql }
}

/** Creates a store with one entity, and `count` staged ones of a process that has ended. */
async function withWaste(t: TestContext, count: number) {
  const { file, storage, sql } = opened(t)
  await put(storage, moon('io'))
  const load = await storage.bulk()
  await load.add(Array.from({ length: count }, (_, at) => moon(`m${at}`)))
  await storage.close()
  sql.exec('UPDATE imports SET heartbeat = heartbeat - 100000')
  return { file, sql }
}
