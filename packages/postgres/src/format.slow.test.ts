import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Store } from '../../core/src/store/contract.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { Database } from './database.ts'
import { openDirect } from './direct.ts'
import { migrateStore, plannedMigration } from './format.ts'
import { STEPS } from './format-steps.ts'
import { CONTRACT, EXPAND } from './next-steps.fixture.ts'
import { openNode } from './node.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

const FORMAT = STEPS.length
const put = (id: string) => [{ put: { type: 'a:one', id, attributes: {} } }]

/** Opens a node of a new store with one entity, and connections to the store. */
async function opened(t: TestContext) {
  const schema = `m${schemas++}`
  const url = `${server?.url}?schema=${schema}`
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  let nodes = 0
  const open = async (using: typeof openDirect | typeof openNode = openNode): Promise<Store> => {
    const replica = openSqliteStore(join(folder, `${nodes++}.db`))
    const node = await using(url, { replica, appliedMs: 60_000 })
    t.after(() => node.close())
    return node
  }
  const node = await open()
  await node.write(put('first'))
  const database = new Database(url)
  t.after(() => database.close())
  const client = new pg.Client({ connectionString: server?.url })
  await client.connect()
  t.after(() => client.end())
  await client.query(`SET search_path = ${schema}`)
  const formats = async () => (await client.query('SELECT * FROM store')).rows[0] as Record<string, unknown>
  return { url, open, node, database, client, formats }
}

async function lost(node: Store, pattern: RegExp): Promise<void> {
  while (!pattern.test(node.replicaState?.().lost ?? '')) await pause(10)
}

if (server === undefined)
  test('all tests of packages/postgres/src/format.slow.test.ts', (t) => t.skip(NO_POSTGRES))
else {
  test('after an expansion nodes of the older format work and start; a contraction refuses them', async (t) => {
    const { open, node, database, client, formats } = await opened(t)
    const direct = await open(openDirect)
    await migrateStore(database, [...STEPS, EXPAND])
    assert.deepEqual([(await formats())['content'], (await formats())['format']], [FORMAT + 1, FORMAT])
    for (const [at, one] of [node, direct, await open(), await open(openDirect)].entries()) {
      assert.ok((await one.write(put(`x${at}`))).done)
      assert.equal((await one.get('a:one', `x${at}`))?.id, `x${at}`)
    }
    assert.equal(node.replicaState?.().lost, undefined)
    // The migration waits for a write under way, which has not read the format yet.
    await client.query(`BEGIN; SELECT FROM types WHERE type = 'a:one' FOR UPDATE`)
    let isContracted = false
    const contracting = migrateStore(database, [...STEPS, EXPAND, CONTRACT]).then(() => {
      isContracted = true
    })
    await pause(200)
    assert.equal(isContracted, false)
    await client.query('COMMIT')
    await contracting
    const refused = { code: 'newer_format' }
    for (const one of [node, direct]) {
      await assert.rejects(async () => one.write(put('y')), refused)
      await assert.rejects(async () => one.write([], { values: { '~token': 'digest' } }), refused)
      const started = await one.bulk()
      await assert.rejects(async () => started.commit(), refused)
    }
    await assert.rejects(async () => direct.get('a:one', 'x0'), refused)
    assert.equal((await node.get('a:one', 'x0'))?.id, 'x0')
    await lost(node, /format 9, for versions that know format 8; this one knows formats up to 7/)
    for (const using of [openNode, openDirect]) await assert.rejects(open(using), refused)
  })

  test('nodes of two formats write together, the newer ones only after the migration', async (t) => {
    const { url, node, database } = await opened(t)
    const args = ['next-format', 'next-writer'].map((name) => join(import.meta.dirname, `${name}.fixture.ts`))
    const next = () =>
      promisify(execFile)(process.execPath, [
        ...process.execArgv,
        `--import=${args[0]}`,
        `${args[1]}`,
        url,
        '200',
      ])
    await assert.rejects(next(), /The store has format 7, and this version needs 8: run world migrate/)
    await migrateStore(database, [...STEPS, EXPAND])
    let isOver = false
    const newer = next().finally(() => {
      isOver = true
    })
    let own = 0
    while (!isOver) assert.ok((await node.write(put(`own-${own++}`))).done)
    await newer
    // This node also has the last of the other's writes.
    assert.ok((await node.write(put('last'))).done)
    const ids = (await node.list('a:one', { limit: 100_000 })).entities.map(({ id }) => id)
    assert.equal(ids.filter((id) => id.startsWith('next-')).length, 200)
    assert.equal(ids.filter((id) => id.startsWith('own-')).length, own)
    assert.ok(own > 10)
  })

  test('a start over a store of an older format changes nothing, and nodes resume after its migration', async (t) => {
    const { open, node, database, client, formats } = await opened(t)
    await client.query(`CREATE TABLE tokens (id text NOT NULL PRIMARY KEY, value text NOT NULL, last_used text);
      INSERT INTO tokens VALUES ('a', 'first', NULL), ('b', 'second', '2026-03-01');
      UPDATE rooms SET name = 'tokens' WHERE name = 'beside';
      UPDATE store SET format = 4;
      ALTER TABLE store DROP COLUMN content`)
    const refused = { code: 'busy', message: /format 4, and this version needs 7: run world migrate/ }
    for (const using of [openNode, openDirect]) await assert.rejects(open(using), refused)
    await assert.rejects(async () => node.write(put('y')), refused)
    await lost(node, /run world migrate/)
    assert.equal((await node.get('a:one', 'first'))?.id, 'first')
    assert.equal((await formats())['format'], 4)
    const from = { format: 4, least: 4 }
    assert.deepEqual(await plannedMigration(database), { from, to: { format: 7, least: 6 } })
    await migrateStore(database)
    assert.equal((await formats())['content'], 7)
    assert.ok((await node.write([{ delete: { type: 'a:one', id: 'first' } }])).done)
    assert.deepEqual(
      [...(await node.values('~'))].map(([name, { value }]) => [name, value]),
      [
        ['~token-use:b', '2026-03-01'],
        ['~token:a', 'first'],
        ['~token:b', 'second'],
      ],
    )
  })
}
