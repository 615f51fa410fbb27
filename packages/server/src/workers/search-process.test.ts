import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openSqliteStorage } from '../storage/sqlite/open.ts'
import { SearchProcess, withSearchProcess } from './search-process.ts'

test('the search process finds what was written before the question, and gives the same answers', async (t) => {
  const { storage, searching } = await opened(t)
  for (const title of ['Io', 'Europa', 'Ganymede']) {
    await storage.write([{ put: { type: 'sol:moon', id: title.toLowerCase(), title, attributes: {} } }])
    const query = { text: title, limit: 10, budgetMs: 1_000 }
    const found = await searching.find(query)
    assert.deepEqual(found, await storage.find(query))
    assert.equal(found.total, 1)
  }
})

test('a search process that dies is replaced', async (t) => {
  const { storage, searching, searcher } = await opened(t)
  await storage.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }])
  const query = { text: 'io', limit: 10, budgetMs: 1_000 }
  assert.equal((await searching.find(query)).total, 1)
  const first = searcher.pid()
  assert.ok(first !== undefined)
  process.kill(first, 'SIGKILL')
  assert.equal((await searching.find(query)).total, 1)
  assert.notEqual(searcher.pid(), first)
})

test('a search process that is stuck is killed, and the search fails as busy', async (t) => {
  const { searching, searcher } = await opened(t, { graceMs: 0 })
  // No process starts within no time at all.
  await assert.rejects(async () => searching.find({ text: 'io', limit: 1, budgetMs: 0 }), { code: 'busy' })
  assert.equal(searcher.pid(), undefined)
})

test('killed again and again under load, every search is answered or fails as busy, and the next one is answered', async (t) => {
  const { storage, searching, searcher } = await opened(t)
  await storage.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }])
  const query = { text: 'io', limit: 10, budgetMs: 5_000 }
  const ask = () => Array.from({ length: 20 }, async () => searching.find(query))
  for (let round = 0; round < 8; round++) {
    assert.equal((await searching.find(query)).total, 1)
    const before = ask()
    process.kill(searcher.pid() ?? 0, 'SIGKILL')
    // Blocked, this process cannot have heard of the death when it asks on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    for (const settled of await Promise.allSettled([...before, ...ask()])) {
      if (settled.status === 'fulfilled') assert.equal(settled.value.total, 1)
      else assert.equal(settled.reason.code, 'busy')
    }
  }
  assert.equal((await searching.find(query)).total, 1)
})

async function opened(t: TestContext, options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const file = join(folder, 'sol.db')
  const storage = openSqliteStorage(file)
  const searcher = new SearchProcess(`sqlite:${file}`, options)
  t.after(async () => {
    await searcher.close()
    await storage.close()
    await rm(folder, { recursive: true })
  })
  return { storage, searcher, searching: withSearchProcess(storage, searcher) }
}
