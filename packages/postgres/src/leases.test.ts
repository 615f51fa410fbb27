import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { Lease } from '../../core/src/store/contract.ts'
import { moon, put } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { Database } from './database.ts'
import { prepareStore } from './format.ts'
import { takeLease, tryLease } from './leases.ts'
import { openNode } from './node.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'
import { trimDeletions } from './trim.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

async function storeFor(t: TestContext) {
  if (server === undefined) {
    t.skip(NO_POSTGRES)
    return undefined
  }
  const url = `${server.url}?schema=l${schemas++}`
  const database = new Database(url)
  t.after(() => database.close())
  await prepareStore(database)
  return { url, database }
}

test('a lease is renewed until its holder releases it, and then passes to a waiting process', async (t) => {
  const store = await storeFor(t)
  if (!store) return
  const { database } = store
  const first = (await tryLease(database, 'work', 200)) ?? assert.fail()
  const waiting = takeLease(database, 'work', {}, 200)
  const begun = performance.now()
  while (performance.now() - begun < 500) assert.equal(await tryLease(database, 'work'), undefined)
  assert.ok(await tryLease(database, 'other'))
  await first.release()
  const second = await waiting
  // The first holder no longer has anything to release.
  await first.release()
  assert.equal(await tryLease(database, 'work'), undefined)
  await second.release()
  assert.ok(await tryLease(database, 'work'))
})

test('the lease of a dead holder expires', async (t) => {
  const store = await storeFor(t)
  if (!store) return
  const { database } = store
  const left = (ends: string) =>
    database.query(
      `INSERT INTO leases (name, holder, ends) VALUES ('work', $1, clock_timestamp() + $2::interval)
       ON CONFLICT (name) DO UPDATE SET ends = excluded.ends`,
      [randomUUID(), ends],
    )
  await left('1 hour')
  await assert.rejects(takeLease(database, 'work', { signal: AbortSignal.timeout(50) }), {
    name: 'AbortError',
  })
  await left('100 milliseconds')
  await takeLease(database, 'work')
})

test('a process that takes a lease reads what the previous holder wrote on another node', async (t) => {
  const store = await storeFor(t)
  if (!store) return
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const open = (name: string) =>
    openNode(store.url, { replica: openSqliteStore(join(folder, name)), appliedMs: 60_000 })
  const nodes = [await open('one.db'), await open('two.db')]
  t.after(async () => {
    for (const node of nodes) await node.close()
    await rm(folder, { recursive: true })
  })
  let holders = 0
  const loads = nodes.map(async (node) => {
    const lease = (await node.lease?.('sources')) as Lease
    assert.equal(++holders, 1)
    const found = (await node.types()).get('sol:moon')?.count ?? 0
    if (found === 0) await put(node, moon('io'), moon('europa'))
    holders--
    await lease.release()
    return found
  })
  assert.deepEqual((await Promise.all(loads)).toSorted(), [0, 2])
})

test('only one node at a time trims deletions', async (t) => {
  const store = await storeFor(t)
  if (!store) return
  const { database } = store
  const remembered = async () => (await database.query('SELECT FROM deletions')).length
  await database.query(
    `INSERT INTO deletions SELECT 'a', n::text::bytea, n, n FROM generate_series(1, 2500) AS n`,
  )
  const other = (await tryLease(database, 'trim')) ?? assert.fail()
  await trimDeletions(database, 2_001)
  assert.equal(await remembered(), 2_500)
  await other.release()
  await trimDeletions(database, 2_001)
  assert.equal(await remembered(), 500)
  assert.deepEqual(await database.query('SELECT trimmed FROM store'), [{ trimmed: 2_000 }])
})
