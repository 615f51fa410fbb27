import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import pg from 'pg'
import type { Store } from '../../core/src/store/contract.ts'
import { isReached, positionNow } from '../../core/src/store/positions.ts'
import { dice, moon, planet, put } from '../../core/src/store/suite-data.ts'
import { namedValue } from '../../core/src/store/values.ts'
import { openDirect } from './direct.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

/** Opens several stores on the same database, as separate machines would. */
async function openStores(t: TestContext, count: number): Promise<Store[] | undefined> {
  if (server === undefined) {
    t.skip(NO_POSTGRES)
    return undefined
  }
  const url = `${server.url}?schema=d${schemas++}`
  const stores = await Promise.all(Array.from({ length: count }, () => openDirect(url)))
  t.after(() => Promise.all(stores.map((store) => store.close())))
  return stores
}

test('a machine is notified of a write on another machine and then reads the new value', async (t) => {
  const stores = await openStores(t, 2)
  if (!stores) return
  const [one, two] = stores as [Store, Store]
  const watching = new AbortController()
  const heard = two.watch(watching.signal)[Symbol.asyncIterator]()
  const before = await positionNow(one)
  assert.equal((await heard.next()).value, before)
  await one.write([{ put: planet('mars') }, { put: moon('phobos') }], { values: { name: 'Sol' } })
  assert.equal((await two.get('sol:planet', 'mars'))?.id, 'mars')
  assert.equal((await two.list('sol:moon', { limit: 5 })).total, 1)
  assert.equal((await namedValue(two, 'name'))?.value, 'Sol')
  assert.equal(await isReached(two, await positionNow(one)), true)
  const after = await positionNow(one)
  assert.notEqual(after, before)
  assert.equal((await heard.next()).value, after)
  watching.abort()
})

test('find lists all entities and refuses queries that need an index', async (t) => {
  const [store] = (await openStores(t, 1)) ?? []
  if (!store) return
  await put(store, planet('mars'), planet('venus'), moon('io'))
  const found = await store.find({ limit: 2, budgetMs: 60_000 })
  assert.deepEqual(
    found.hits.map(({ id }) => id),
    ['io', 'mars'],
  )
  assert.deepEqual([found.total, found.counts], [3, { 'sol:moon': 1, 'sol:planet': 2 }])
  for (const query of [
    { text: 'mars' },
    { where: { op: 'exists', path: ['a'] } as never },
    { facets: [{}] as never },
  ])
    await assert.rejects(async () => store.find({ ...query, limit: 1, budgetMs: 60_000 }), {
      code: 'unsupported',
    })
})

test('concurrent reads share a few connections and see all earlier writes', async (t) => {
  const stores = await openStores(t, 2)
  if (!stores) return
  const [one, two] = stores as [Store, Store]
  const random = dice(7)
  for (let round = 0; round < 10; round++) {
    const id = `p${random(5)}`
    await put(one, planet(id, { title: `round ${round}` }))
    const found = await Promise.all(Array.from({ length: 200 }, () => two.get('sol:planet', id)))
    for (const entity of found) assert.equal(JSON.parse(entity?.json ?? '{}').title, `round ${round}`)
    assert.equal(await two.version(), await one.version())
  }
  const client = new pg.Client(server?.url)
  await client.connect()
  const { rows } = await client.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  )
  await client.end()
  // Each store has four shared connections, four for transactions and one for notifications. This client adds one.
  assert.ok(rows[0].count <= 2 * (4 + 4 + 1) + 1, `${rows[0].count} connections`)
})
