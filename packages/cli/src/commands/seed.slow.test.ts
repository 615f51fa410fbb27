import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { Store } from '@worldwright/core/store'
import { isReached, positionNow } from '@worldwright/core/store'
import { openStore, storeUrl } from '@worldwright/engines'
import { NO_POSTGRES, startPostgres } from '../../../postgres/src/server.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

const DEFINITION = 'id: urn:example:sol\ntypes:\n  - type: sol:moon\n'
const idOf = (at: number) => `m${String(at).padStart(5, '0')}`

/** Writes moons with consecutive ids, each with its own write. */
async function write(store: Store, from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at++)
    await store.write([{ put: { type: 'sol:moon', id: idOf(at), title: `Moon ${at}`, attributes: {} } }])
}

/** Opens the node `one` of a new store with 1,000 moons. Relative paths are in `cwd`. */
async function firstNode(t: TestContext) {
  const cwd = await folderOf(t, { 'world.yaml': DEFINITION })
  const url = `${server?.url}?schema=s${schemas++}`
  const node = await openStore(storeUrl(`${url}&cache=one`, cwd), { role: 'writer' })
  t.after(() => node.close())
  await node.write(
    Array.from({ length: 1_000 }, (_, at) => ({
      put: { type: 'sol:moon', id: idOf(at), title: `Moon ${at}`, attributes: {} },
    })),
  )
  const backup = async (file: string) => {
    const { code, err } = await runWith(['backup', file, '--store', `${url}&cache=one`], { cwd })
    assert.equal(code, 0, err)
  }
  /** Serves a new node, which must not start. Returns what it said, and the files that it left. */
  const refused = async (seed: string, store = `${url}&cache=new`) => {
    // Ends a node that starts after all.
    const signal = AbortSignal.timeout(20_000)
    const args = ['serve', '--store', store, '--seed', seed, '--port', '0']
    const { code, err } = await runWith(args, { cwd, signal })
    assert.equal(code, 1, err)
    const left = existsSync(join(cwd, 'new')) ? readdirSync(join(cwd, 'new')) : []
    return { err, left: left.filter((name) => name !== 'copy.lock') }
  }
  return { cwd, url, node, backup, refused }
}

/** Serves the bytes of a file below any path, as an object store does. `cut` ends the answer after that many bytes. */
async function objectStore(t: TestContext, file: string) {
  const state = { cut: undefined as number | undefined, paths: [] as string[] }
  const http = createServer((request, response) => {
    state.paths.push(request.url ?? '')
    const bytes = readFileSync(file)
    const isDenied = request.url?.startsWith('/denied')
    response.writeHead(isDenied ? 403 : 200, { 'content-length': bytes.length })
    if (state.cut === undefined) response.end(bytes)
    else response.write(bytes.subarray(0, state.cut), () => response.destroy())
  }).listen(0)
  t.after(() => http.close())
  return { at: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, state }
}

if (server === undefined)
  test('all tests of packages/cli/src/commands/seed.slow.test.ts', (t) => t.skip(NO_POSTGRES))
else {
  test('a node starts from a backup made during writes, at a presigned address, and follows from there', async (t) => {
    const { cwd, url, node, backup } = await firstNode(t)
    let isOver = false
    const writing = (async () => {
      let at = 1_000
      while (!isOver || at < 1_050) await write(node, at++, 1)
      return at
    })()
    await backup('one.backup')
    isOver = true
    const written = await writing
    await node.write([{ delete: { type: 'sol:moon', id: idOf(7) } }])
    const { at, state } = await objectStore(t, join(cwd, 'one.backup'))
    const seed = `${at}/sol.backup?X-Signature=secret`
    const two = await serving(t, cwd, '--store', `${url}&cache=two`, '--seed', seed, '--workers', '1')
    assert.match(two.greeting, /Seeding the replica from http:\S+\/sol\.backup, unless/)
    assert.match(two.greeting, /The replica is seeded\./)
    assert.ok(!two.greeting.includes('secret'), two.greeting)
    assert.deepEqual(state.paths, ['/sol.backup?X-Signature=secret'])
    const expected = Array.from({ length: written }, (_, at) => idOf(at)).filter((id) => id !== idOf(7))
    assert.deepEqual(await two.ids('sol:moon'), expected)
    await two.stop()
    const hashes = await Promise.all(
      ['one', 'two'].map(async (cache) => {
        const args = ['verify', '--store', `${url}&cache=${cache}`, '--json']
        const { out } = await runWith(args, { cwd })
        const { contentHash, searchIndex } = JSON.parse(out)
        assert.equal(searchIndex.agrees, true)
        return contentHash
      }),
    )
    assert.equal(hashes[0], hashes[1])
    // A replica that is there wins, and the seed is not even asked for.
    const again = await serving(t, cwd, '--store', `${url}&cache=two`, '--seed', seed, '--workers', '1')
    assert.match(again.greeting, /This node has a replica\. The seed was not used\./)
    assert.equal(state.paths.length, 1)
  })

  test('a seeded node copies only what was written since', async (t) => {
    const { cwd, url, node, backup } = await firstNode(t)
    await backup('one.backup')
    await write(node, 1_000, 5)
    // No follower copies rows whose numbers it has seen: what was removed behind its back stays in a seeded replica.
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(`DELETE FROM s${schemas - 1}.entities WHERE id = convert_to('${idOf(3)}', 'UTF8')`)
    await client.end()
    const seeded = await serving(
      t,
      cwd,
      '--store',
      `${url}&cache=two`,
      '--seed',
      'one.backup',
      '--workers',
      '1',
    )
    const ids = await seeded.ids('sol:moon')
    assert.deepEqual([ids.length, ids[3]], [1_005, idOf(3)])
  })

  test('a seed that is cut off, damaged, denied or missing leaves nothing behind', async (t) => {
    const { cwd, backup, refused } = await firstNode(t)
    await backup('one.backup')
    const file = join(cwd, 'one.backup')
    const { at, state } = await objectStore(t, file)
    const { size } = statSync(file)
    state.cut = Math.floor(size / 2)
    const cut = await refused(`${at}/one.backup?secret`)
    assert.match(
      cut.err,
      /http:\S+\/one\.backup was not used as the seed, and nothing is left of it: terminated/,
    )
    assert.match(cut.err, /start again, or start without --seed, to copy the database/)
    assert.deepEqual([cut.left, cut.err.includes('secret')], [[], false])
    const denied = await refused(`${at}/denied`)
    assert.match(denied.err, /the answer is status 403, as after the address expired\. Correct that/)
    assert.match((await refused('none.backup')).err, /ENOENT: no such file.*none\.backup/)
    const bytes = readFileSync(file)
    bytes[30_000] = (bytes[30_000] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const damaged = await refused('one.backup')
    assert.match(damaged.err, /it is damaged or was changed: .* Make another with world backup/)
    assert.deepEqual([damaged.left, denied.left], [[], []])
  })

  test('a seed that the database does not continue is refused', async (t) => {
    const { cwd, url, node, backup, refused } = await firstNode(t)
    await backup('old.backup')
    const position = await positionNow(node)
    await node.write([{ delete: { type: 'sol:moon', id: idOf(1) } }])
    assert.equal(await isReached(node, position), true)
    // A node that keeps deletions for no time at all trims the log.
    const trimmer = await openStore(storeUrl(`${url}&cache=three`, cwd), {
      role: 'writer',
      deletionsKeptMs: -1_000,
    })
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    t.after(() => client.end())
    for (let trimmed = '0'; trimmed === '0'; )
      trimmed = (await client.query(`SELECT trimmed FROM s${schemas - 1}.store`)).rows[0].trimmed
    await trimmer.close()
    const old = await refused('old.backup')
    assert.match(
      old.err,
      /it is too old: the database no longer keeps the deletions since then \(retentionDays\)/,
    )
    await backup('new.backup')
    const other = await firstNode(t)
    const foreign = await other.refused(join(cwd, 'new.backup'))
    assert.match(foreign.err, /it has another history than the database: it is of another store/)
    assert.deepEqual([old.left, foreign.left], [[], []])
    rmSync(join(cwd, 'world.yaml'))
    await runWith(['copy', `${url}&cache=one`, 'sqlite:file.db'], { cwd })
    await runWith(['backup', 'file.backup', '--store', 'sqlite:file.db'], { cwd })
    assert.match((await refused('file.backup')).err, /it is a backup of a store in a file, not of a node/)
  })

  test('a backup of a node becomes a world in a file, and a store in PostgreSQL again', async (t) => {
    const { cwd, backup } = await firstNode(t)
    await backup('one.backup')
    const restored = await runWith(['restore', 'one.backup', 'restored'], { cwd })
    assert.equal(restored.code, 0, restored.err)
    const served = await serving(t, cwd, '--store', 'sqlite:restored/world.db', '--workers', '1')
    assert.equal((await served.ids('sol:moon')).length, 1_000)
    await served.stop()
    // All entities count as written over HTTP, until the files are to decide.
    const moon = `{"type":"sol:moon","id":"${idOf(0)}","title":"Changed"}\n`
    writeFileSync(join(cwd, 'moons.ndjson'), moon)
    for (const [rest, expected] of [
      ['', [1_000, 'Moon 0']],
      ['    precedence: files\n', [1, 'Changed']],
    ] as const) {
      writeFileSync(join(cwd, 'world.yaml'), `${DEFINITION}${rest}sources:\n  - file: moons.ndjson\n`)
      const loaded = await serving(t, cwd, '--store', 'sqlite:restored/world.db', '--workers', '1')
      const { out } = await runWith(['get', loaded.url, 'sol:moon', idOf(0), '--json'])
      assert.deepEqual([(await loaded.ids('sol:moon')).length, JSON.parse(out).title], expected)
      await loaded.stop()
    }
    const again = `${server.url}?schema=s${schemas++}`
    const copied = await runWith(['copy', 'sqlite:restored/world.db', again], { cwd })
    assert.match(copied.err, /^Copied 1 entity/)
    const node = await serving(t, cwd, '--store', `${again}&cache=again`, '--workers', '1')
    assert.equal((await node.ids('sol:moon')).length, 1)
  })
}
