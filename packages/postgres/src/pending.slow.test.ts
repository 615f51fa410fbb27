import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from './database.ts'
import { prepareStore } from './format.ts'
import { PENDING } from './pending.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

// An analysis by the server's own workers is a transaction, too, but none of the store.
const server = await startPostgres({ settings: ['synchronous_commit=off', 'autovacuum=off'] })
after(() => server?.end())

const WRITERS = 8
const READERS = 6
/** Number of transactions to check. Without the second check for ending transactions, one in a thousand was missed. */
const LOOKED_AT = 6_000
const AT_MOST_MS = 60_000

const WRITE = `BEGIN; SELECT FROM types WHERE type = 'a' FOR UPDATE;
  UPDATE types SET count = count + 1 WHERE type = 'a'; COMMIT`
const BOTH = `SELECT ARRAY(SELECT (base + x::text::bigint)::float8 FROM pg_snapshot_xip(pg_current_snapshot()) AS x ORDER BY x)
    AS running, (${PENDING}) AS pending FROM store`

test('pending transactions include every store transaction that the snapshot does not see', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const database = new Database(server.url)
  await prepareStore(database)
  await database.query("INSERT INTO types (type) VALUES ('a')")
  const deadline = performance.now() + AT_MOST_MS
  let lookedAt = 0
  const isOver = () => lookedAt >= LOOKED_AT || performance.now() > deadline
  const writing = Array.from({ length: WRITERS }, async () => {
    const client = await database.connect()
    while (!isOver()) await client.query(WRITE)
  })
  const reading = Array.from({ length: READERS }, async () => {
    const client = await database.connect()
    while (!isOver()) {
      const [row] = (await client.query<{ running: number[]; pending: number[] }>(BOTH)).rows
      assert.deepEqual(row?.pending, row?.running)
      lookedAt += row?.running.length ?? 0
    }
  })
  try {
    await Promise.all([...writing, ...reading])
  } finally {
    lookedAt = LOOKED_AT
    await Promise.allSettled([...writing, ...reading])
    await database.close()
  }
  assert.ok(lookedAt > LOOKED_AT / 10, `only ${lookedAt} transactions were under way`)
})
