import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { openStore, storeUrl } from '@worldwright/engines'
import pg from 'pg'
import { NO_POSTGRES, postgresProgram, startPostgres } from '../../../postgres/src/server.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

const PUT = [{ put: { type: 'sol:moon', id: 'io', attributes: {} } }]

/** Creates a store of the format before the current one, in which the entity `io` is. */
async function olderStore(t: TestContext) {
  const cwd = await folderOf(t, {})
  const schema = `m${schemas++}`
  const url = `${server?.url}?schema=${schema}`
  const open = () => openStore(storeUrl(url, cwd), { role: 'writer' })
  const node = await open()
  await node.write(PUT)
  await node.close()
  const client = new pg.Client({ connectionString: server?.url })
  await client.connect()
  t.after(() => client.end())
  await client.query(`SET search_path = ${schema}; ALTER TABLE store DROP COLUMN content`)
  const format = async () => (await client.query('SELECT * FROM store')).rows[0].content ?? 6
  const run = (...args: string[]) => runWith(args, { cwd, env: { WORLD_STORE: url } })
  const dumps = () => readdirSync(cwd).filter((name) => name.endsWith('.dump'))
  return { cwd, schema, open, client, format, run, dumps }
}

/** Runs `work` with this search path for programs. */
async function withPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['PATH']
  process.env['PATH'] = path
  try {
    return await work()
  } finally {
    process.env['PATH'] = before
  }
}

if (server === undefined)
  test('all tests of packages/cli/src/commands/migrate.slow.test.ts', (t) => t.skip(NO_POSTGRES))
else {
  test('a start leaves an older store alone, and migrate brings it to the current format', async (t) => {
    const { format, run, dumps, open } = await olderStore(t)
    const started = await run('serve', '--port', '0')
    assert.deepEqual([started.code, /run world migrate/.test(started.err)], [1, true], started.err)
    const checked = await run('migrate', '--check')
    assert.equal(checked.code, 1, checked.err)
    assert.match(
      checked.err,
      /would be migrated from format 6 to 7\. Nodes of format 6 or newer work with that/,
    )
    assert.equal(await format(), 6)
    const migrated = await run('migrate', '--no-dump')
    assert.equal(migrated.code, 0, migrated.err)
    assert.match(migrated.err, /^Migrated the store .* from format 6 to 7\./)
    assert.equal(await format(), 7)
    const node = await open()
    assert.equal((await node.get('sol:moon', 'io'))?.id, 'io')
    await node.close()
    for (const args of [['--check'], []]) {
      const again = await run('migrate', ...args)
      assert.deepEqual([again.code, /Nothing to do/.test(again.err)], [0, true])
    }
    assert.deepEqual(dumps(), [])
  })

  test('migrate dumps the store before, and the dump restores it', async (t) => {
    const { cwd, schema, format, run, dumps, open, client } = await olderStore(t)
    const without = await withPath('/nonexistent', () => run('migrate'))
    assert.deepEqual([without.code, /There is no pg_dump on this machine/.test(without.err)], [1, true])
    assert.deepEqual([await format(), dumps()], [6, []])
    const bin = dirname(postgresProgram('pg_dump') ?? '')
    const migrated = await withPath(bin, () => run('migrate'))
    assert.equal(migrated.code, 0, migrated.err)
    const [dump = ''] = dumps()
    assert.ok(migrated.err.includes(join(cwd, dump)), migrated.err)
    assert.equal(statSync(join(cwd, dump)).mode & 0o777, 0o600)
    assert.equal(await format(), 7)
    const node = await open()
    await node.write([{ delete: { type: 'sol:moon', id: 'io' } }])
    await node.close()
    await client.query(`DROP SCHEMA ${schema} CASCADE`)
    await promisify(execFile)(join(bin, 'pg_restore'), [`--dbname=${server.url}`, join(cwd, dump)])
    assert.equal(await format(), 6)
    assert.equal((await run('migrate', '--no-dump')).code, 0)
    const restored = await open()
    assert.equal((await restored.get('sol:moon', 'io'))?.id, 'io')
    await restored.close()
  })

  test('migrate has nothing to do without a store, and does not migrate files', async (t) => {
    const cwd = await folderOf(t, {})
    const missing = await runWith(['migrate', '--check', '--store', `${server.url}?schema=none`], { cwd })
    assert.deepEqual([missing.code, /the first node creates it/.test(missing.err)], [0, true])
    const file = await runWith(['migrate', '--store', 'sqlite:world.db'], { cwd })
    assert.deepEqual([file.code, /by the first start of a newer version/.test(file.err)], [2, true])
  })
}
