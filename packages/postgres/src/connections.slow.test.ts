import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Database } from './database.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const MOST = 10
const server = await startPostgres({
  settings: [`max_connections=${MOST}`, 'superuser_reserved_connections=0'],
})
after(() => server?.end())

if (server === undefined)
  test('all tests of packages/postgres/src/connections.slow.test.ts', (t) => t.skip(NO_POSTGRES))
else {
  test('work waits for a connection while the server has none left', async (t) => {
    const database = new Database(server.url)
    t.after(() => database.close())
    const others = Array.from({ length: MOST }, () => new pg.Client({ connectionString: server.url }))
    for (const other of others) await other.connect()
    const asked = database.query<{ x: number }>('SELECT 1 AS x')
    await pause(300)
    await others.pop()?.end()
    assert.deepEqual(await asked, [{ x: 1 }])
    for (const other of others) await other.end()
  })

  test('connections that are not used for a while are closed', async (t) => {
    const database = new Database(server.url)
    t.after(() => database.close())
    await Promise.all(Array.from({ length: 4 }, () => database.query('SELECT pg_sleep(0.1)')))
    const count = async () => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*) AS count FROM pg_stat_activity WHERE backend_type = 'client backend'`,
      )
      return row?.count
    }
    assert.equal(await count(), 4)
    while ((await count()) !== 1) await pause(100)
  })
}
