import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from './database.ts'
import { mintWriteId, outcomeOf } from './decided.ts'
import { prepareStore } from './format.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())

test('the outcome of a write waits for its end, and stays the same', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const database = new Database(server.url)
  t.after(() => database.close())
  await prepareStore(database)
  const client = await database.connect()
  t.after(() => client.end())
  for (const [end, expected] of [
    ['COMMIT', true],
    ['ROLLBACK', false],
  ] as const) {
    const id = mintWriteId()
    await client.query('BEGIN')
    await client.query('INSERT INTO writes (id) VALUES ($1)', [id])
    const outcome = outcomeOf(database, id)
    const isWaiting = 'SELECT FROM pg_locks WHERE NOT granted'
    while ((await database.query(isWaiting)).length === 0);
    await client.query(end)
    assert.equal(await outcome, expected)
    assert.equal(await outcomeOf(database, id), expected)
  }
})

test('a write that was said to have no effect cannot take effect later', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const database = new Database(server.url)
  t.after(() => database.close())
  await prepareStore(database)
  const id = mintWriteId()
  assert.equal(await outcomeOf(database, id), false)
  await assert.rejects(database.query('INSERT INTO writes (id) VALUES ($1)', [id]), /duplicate key/)
})
