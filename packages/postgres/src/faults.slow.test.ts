import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Store, StoreFault } from '../../core/src/store/contract.ts'
import { isReached, positionNow } from '../../core/src/store/positions.ts'
import { namedValue } from '../../core/src/store/values.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { openNode } from './node.ts'
import { NO_POSTGRES, type PostgresServer, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

interface Opened {
  readonly server: PostgresServer
  readonly url: string
  /** Opens a node on the same local replica. */
  open(): Promise<Store>
}

async function opened(t: TestContext): Promise<Opened | undefined> {
  if (server === undefined) {
    t.skip(NO_POSTGRES)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const url = `${server.url}?schema=f${schemas++}`
  return {
    server,
    url,
    async open() {
      const node = await openNode(url, {
        replica: openSqliteStore(join(folder, 'copy.db')),
        appliedMs: 60_000,
      })
      t.after(() => node.close())
      return node
    },
  }
}

async function admin(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.split('?')[0] })
  await client.connect()
  t.after(() => client.end())
  return client
}

/** Asserts that a write failed with one of the codes that a lost connection can cause. Returns the code. */
function lostBy(error: unknown): string {
  assert.ok(error instanceof StoreFault, String(error))
  assert.match(error.code, /^(?:unreachable|undecided|busy)$/, error.message)
  return error.code
}

test('no acknowledged write is lost or repeated when connections are cut at random', async (t) => {
  const all = await opened(t)
  if (!all) return
  const node = await all.open()
  const client = await admin(t, all.url)
  const writing = new AbortController()
  const outcomes = new Map<string, 'written' | 'not' | 'open'>()
  const cuts = (async () => {
    while (!writing.signal.aborted) {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND random() < 0.4`,
      )
      // However slow the machine, some writes complete between two cuts.
      const { size } = outcomes
      while (outcomes.size === size && !writing.signal.aborted) await pause(1)
      await pause(Math.random() * 5)
    }
  })()
  await Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let count = 0; count < 60; count++) {
        const id = `w${writer}-${count}`
        try {
          const result = await node.write([
            { put: { type: 'a:one', id, attributes: {} }, precondition: { ifAbsent: true } },
          ])
          outcomes.set(id, result.done ? 'written' : 'open')
        } catch (error) {
          outcomes.set(id, lostBy(error) === 'undecided' ? 'open' : 'not')
        }
      }
    }),
  )
  writing.abort()
  await cuts
  // The last cut may still be in progress.
  const last = async () => node.write([{ put: { type: 'a:one', id: 'last', attributes: {} } }])
  while (!(await last().catch((error) => void lostBy(error)))?.done) await pause(10)
  const stands = new Set((await node.list('a:one', { limit: 1_000 })).entities.map(({ id }) => id))
  for (const [id, outcome] of outcomes)
    if (outcome !== 'open') assert.equal(stands.has(id), outcome === 'written', `${id} ${outcome}`)
  const count = (outcome: string) => [...outcomes.values()].filter((one) => one === outcome).length
  t.diagnostic(`${count('written')} written, ${count('not')} not, ${count('open')} open`)
  assert.ok(count('written') > 20 && count('not') > 0)
})

test('a node without its database serves reads, refuses writes, and recovers when the database is back', async (t) => {
  const all = await opened(t)
  if (!all) return
  const first = await all.open()
  await first.write([{ put: { type: 'a:one', id: 'x', attributes: {} } }], { values: { name: 'value' } })
  await first.write([], { values: { '~token': 'digest' } })
  await all.server.kill()
  assert.equal((await first.get('a:one', 'x'))?.id, 'x')
  assert.equal((await namedValue(first, 'name'))?.value, 'value')
  assert.equal((await namedValue(first, '~token'))?.value, 'digest')
  // The replica state reports the failure and the last time the replica was current.
  const state = () => first.replicaState?.() ?? assert.fail('a node says how its replica stands')
  // The first message may be about the lost connection.
  while (!/cannot be reached/.test(state().lost ?? '')) await new Promise((resume) => setTimeout(resume, 10))
  assert.ok(state().currentAt < Date.now())
  const refused = { code: 'unreachable' }
  await assert.rejects(
    async () => first.write([{ put: { type: 'a:one', id: 'y', attributes: {} } }]),
    refused,
  )
  await first.close()
  // A node started during the outage serves its local replica.
  const second = await all.open()
  assert.equal((await second.get('a:one', 'x'))?.id, 'x')
  const { currentAt = 0 } = second.replicaState?.() ?? {}
  assert.ok(currentAt > Date.now() - 60_000 && currentAt < Date.now(), 'the replica knows from when it is')
  await all.server.start()
  const result = await second.write([{ put: { type: 'a:one', id: 'z', attributes: {} } }])
  assert.ok(result.done)
  assert.equal(await isReached(second, result.position), true)
  assert.equal(second.replicaState?.().lost, undefined)
})

test('a transaction that has a number but has locked only values counts as pending', async (t) => {
  const all = await opened(t)
  if (!all) return
  const node = await all.open()
  await node.write([{ put: { type: 'a:one', id: 'first', attributes: {} } }])
  const client = await admin(t, all.url)
  const schema = new URLSearchParams(all.url.split('?')[1]).get('schema')
  await client.query(`SET search_path = ${schema}; BEGIN`)
  await client.query(`SELECT FROM rooms WHERE name = 'metadata' FOR UPDATE`)
  const { rows } = await client.query(`SELECT pg_current_xact_id()::text AS number FROM store`)
  // This write has a higher number and commits first.
  await node.write([{ put: { type: 'b:two', id: 'second', attributes: {} } }])
  const number = rows[0].number
  await client.query(`SELECT FROM types WHERE type = 'a:one' FOR UPDATE`)
  await client.query(`UPDATE entities SET number = ${number}, revision = 'changed' WHERE type = 'a:one'`)
  await client.query(
    `UPDATE types SET number = ${number}, high = greatest(high, ${number}) WHERE type = 'a:one'`,
  )
  await client.query('COMMIT')
  await node.write([{ put: { type: 'b:two', id: 'third', attributes: {} } }])
  assert.equal((await node.get('a:one', 'first'))?.revision, 'changed')
})

test('a database restored to an older state begins a new history, which the node follows', async (t) => {
  const all = await opened(t)
  if (!all) return
  const node = await all.open()
  const kept = await node.write([{ put: { type: 'a:one', id: 'kept', attributes: {} } }])
  const lost = await node.write([{ put: { type: 'a:one', id: 'lost', attributes: {} } }])
  assert.ok(kept.done && lost.done)
  const client = await admin(t, all.url)
  const schema = new URLSearchParams(all.url.split('?')[1]).get('schema')
  const number = kept.position.split('-')[1]
  await client.query(
    `DELETE FROM ${schema}.entities WHERE id = 'lost'; UPDATE ${schema}.types SET count = 1, number = ${number}, high = ${number}`,
  )
  while ((await node.get('a:one', 'lost')) !== undefined)
    await new Promise((resume) => setTimeout(resume, 10))
  assert.equal((await node.get('a:one', 'kept'))?.id, 'kept')
  assert.equal(await isReached(node, kept.position), undefined)
  const { changes } = await node.changes({ limit: 9 })
  assert.deepEqual(
    changes.map(({ id }) => id),
    ['kept'],
  )
})

test('writes to a database restored from a dump can be read and belong to a new history', async (t) => {
  const all = await opened(t)
  if (!all) return
  const node = await all.open()
  const put = (type: string, id: string, round: number) => ({ put: { type, id, attributes: { round } } })
  const before = await node.write([put('a:one', 'x', 1), put('a:one', 'gone', 1), put('b:two', 'y', 1)])
  assert.ok(before.done)
  const client = await admin(t, all.url)
  await client.query(`SET search_path = ${new URLSearchParams(all.url.split('?')[1]).get('schema')}`)
  // The tables are the same, but transaction numbers on the new server start lower.
  await client.query('UPDATE store SET base = base - 100000')
  // The node may not have noticed the restore yet.
  await node.write([put('a:one', 'x', 2), { delete: { type: 'a:one', id: 'gone' } }])
  const after = await node.write([put('a:one', 'x', 3)])
  assert.ok(after.done)
  const position = await positionNow(node)
  assert.equal(await isReached(node, before.position), undefined)
  const read = async (id: string) => JSON.parse((await node.get('a:one', id))?.json ?? '{}').attributes
  assert.deepEqual([await read('x'), await read('gone')], [{ round: 3 }, undefined])
  assert.deepEqual([...(await node.types()).keys()], ['a:one', 'b:two'])
  const { changes } = await node.changes({ limit: 9 })
  const told = changes.map(({ type, id, entity }) => `${type} ${id} ${entity ? 'put' : 'deleted'}`)
  assert.deepEqual(told.sort(), ['a:one gone deleted', 'a:one x put', 'b:two y put'])
  // Later writes continue the new history.
  const last = await node.write([put('b:two', 'y', 4)])
  assert.ok(last.done)
  assert.equal(last.position.split('-')[0], position.split('-')[0])
  assert.equal(await isReached(node, last.position), true)
})

test('an import whose staged rows are lost in a server crash deletes nothing and can be restarted', async (t) => {
  const all = await opened(t)
  if (!all) return
  const node = await all.open()
  const entity = (id: string) => ({ type: 'a:one', id, attributes: {} })
  await node.write(['a', 'b', 'c'].map((id) => ({ put: entity(id) })))
  const imports = await Promise.all([node.bulk(), node.bulk()])
  for (const one of imports) await one.add([entity('a'), entity('b')])
  await all.server.kill()
  await all.server.start()
  const over = { code: 'busy', message: /what it had staged/ }
  // The remaining staged rows are not the complete source.
  await assert.rejects(async () => imports[0].unstaged?.(['a:one']), over)
  await assert.rejects(async () => imports[0].commit({ replace: ['a:one'], dryRun: true }), over)
  await assert.rejects(async () => imports[0].commit({ replace: ['a:one'] }), over)
  await imports[0].abort()
  // A new import must not be mistaken for the old one.
  const again = await node.bulk()
  await assert.rejects(async () => imports[1].add([entity('c')]), over)
  await again.add([entity('a'), entity('b'), entity('c')])
  assert.equal((await again.commit({ replace: ['a:one'] })).deleted, 0)
  assert.equal((await node.list('a:one', { limit: 9 })).entities.length, 3)
})
