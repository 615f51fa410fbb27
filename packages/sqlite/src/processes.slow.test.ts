import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { countsOf, idsOf, importAll, moon, planet, put, walk } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

test('versions change with writes by any connection, and with nothing else', async (t) => {
  const { one, two } = twoConnections(t)
  const versions = new Set([one.version()])
  const writes = [
    () => put(two, planet('mars')),
    () => two.write([], { values: { world: 'urn:uuid:1' } }),
    () => importAll(two, [moon('io')]),
    () => put(one, planet('venus')),
  ]
  for (const write of writes) {
    await write()
    versions.add(await one.version())
    assert.equal(one.version(), two.version())
  }
  assert.equal(versions.size, 5)
  const load = await two.bulk()
  await load.add([planet('earth')])
  await put(two, planet('mars'))
  assert.ok(versions.has(await one.version()))
  assert.deepEqual(one.types(), two.types())
  assert.deepEqual(await walk(one, 'sol:planet', 9), ['mars', 'venus'])
})

test('a rolled-back write is never confused with a later one of another connection', async (t) => {
  const { one, two, file } = twoConnections(t)
  for (const id of ['mars', 'venus', 'earth']) await put(one, planet(id, { title: id }))
  const sql = new DatabaseSync(file)
  t.after(() => sql.close())
  sql.exec(`CREATE TRIGGER failing BEFORE INSERT ON metadata BEGIN SELECT RAISE(ABORT, 'no metadata'); END`)
  // The segment of this write triggers a merge, which reads it. The segment's number is then free for another segment.
  await assert.rejects(
    async () => one.write([{ put: planet('undone', { title: 'undone' }) }], { values: { a: 'b' } }),
    /no metadata/,
  )
  await put(two, ...['pluto', 'sedna', 'orcus'].map((id) => planet(id, { title: id })))
  for (const id of ['mercury', 'ceres', 'eris', 'haumea']) await put(one, planet(id, { title: id }))
  for (const store of [one, two]) {
    for (const id of ['pluto', 'sedna', 'mars', 'eris'])
      assert.equal((await store.find({ text: id, limit: 9, budgetMs: 60_000 })).total, 1, id)
    assert.equal((await store.find({ text: 'undone', limit: 9, budgetMs: 60_000 })).total, 0)
  }
})

test('a live import is not ended by another connection', async (t) => {
  const { one, two } = twoConnections(t)
  const load = await one.bulk()
  await load.add([planet('mars')])
  await importAll(two, [planet('venus')])
  assert.deepEqual(countsOf(await load.commit()), { created: 1, changed: 0, unchanged: 0, deleted: 0 })
  assert.deepEqual(await walk(two, 'sol:planet', 9), ['mars', 'venus'])
})

test('an import killed at any statement is applied completely or not at all', async (t) => {
  const staged = Array.from({ length: 40 }, (_, index) => `p${index}`)
  const outcomes = new Set<number>()
  for (const statement of [1, 2, 30, 40, 41, 42, 44, 46, 47, 48, 49, 50, 51, 52, 1_000]) {
    const folder = folderOf(t)
    const file = folder.file('world.db')
    const signal = runKilledAt(statement, file)
    assert.equal(signal, statement === 1_000 ? null : 'SIGKILL')
    const store = openSqliteStore(file)
    const ids = await walk(store, 'sol:planet', 100)
    const { total } = await store.find({ text: 'staged', limit: 0, budgetMs: 60_000 })
    store.close()
    if (ids.length > 0) assert.deepEqual(ids, staged.toSorted())
    assert.equal(total, ids.length)
    outcomes.add(ids.length)
  }
  assert.deepEqual(outcomes, new Set([0, 40]))
})

test('a snapshot does not include writes of another connection', async (t) => {
  const { one, two } = twoConnections(t)
  await put(one, planet('mars'))
  const snapshot = await one.snapshot()
  await put(two, planet('venus'))
  assert.deepEqual(idsOf(await Array.fromAsync(snapshot.entities())), ['mars'])
  await snapshot.close()
})

/** Imports 40 entities in a process that kills itself before the given write statement. */
function runKilledAt(statement: number, file: string): NodeJS.Signals | null {
  const script = `
    import { StatementSync } from 'node:sqlite'
    const { openSqliteStore } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
    const store = openSqliteStore(${JSON.stringify(file)})
    const { run } = StatementSync.prototype
    let left = ${statement}
    StatementSync.prototype.run = function (...parameters) {
      if (--left === 0) process.kill(process.pid, 'SIGKILL')
      return run.apply(this, parameters)
    }
    const load = await store.bulk()
    await load.add(Array.from({ length: 40 }, (_, index) => (
      { type: 'sol:planet', id: 'p' + index, title: 'staged', attributes: {} }
    )))
    await load.commit()
    store.close()`
  const child = spawnSync(
    process.execPath,
    ['--conditions=@worldwright/source', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  )
  assert.equal(child.stderr, '')
  return child.signal
}

function twoConnections(t: TestContext) {
  const file = folderOf(t).file('world.db')
  const [one, two] = [openSqliteStore(file), openSqliteStore(file)]
  t.after(() => [one, two].map((store) => store.close()))
  return { one, two, file }
}

function folderOf(t: TestContext) {
  const folder = temporaryFolder()
  t.after(folder.remove)
  return folder
}
