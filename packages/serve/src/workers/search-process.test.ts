import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { withIndexRepair } from '@worldwright/core/store'
import { openSqliteStore } from '../../../sqlite/src/open.ts'
import { SearchProcess, type SearchProcessOptions, withSearchProcess } from './search-process.ts'

test('the search process finds what was written before the query, and gives the same answers', async (t) => {
  const { storage, searching } = await opened(t)
  for (const title of ['Io', 'Europa', 'Ganymede']) {
    await storage.write([{ put: { type: 'sol:moon', id: title.toLowerCase(), title, attributes: {} } }])
    const query = { text: title, limit: 10, budgetMs: 60_000 }
    const found = await searching.find(query)
    assert.deepEqual(found, await storage.find(query))
    assert.equal(found.total, 1)
  }
})

test('a search process that dies is replaced', async (t) => {
  const { storage, searching, searcher } = await opened(t)
  await storage.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }])
  const query = { text: 'io', limit: 10, budgetMs: 60_000 }
  assert.equal((await searching.find(query)).total, 1)
  const first = searcher.pid()
  assert.ok(first !== undefined)
  process.kill(first, 'SIGKILL')
  assert.equal((await searching.find(query)).total, 1)
  assert.notEqual(searcher.pid(), first)
})

test('if the cores are busy, reads go before searches', async (t) => {
  const { searcher, ask } = await worked(t)
  await ask('work 0')
  assert.ok(getPriority(searcher.pid()) > getPriority())
})

test('a search process that hangs is killed, and only the search that it hung in fails', async (t) => {
  const { searcher, ask, journal } = await worked(t, { graceMs: 100 })
  await ask('work 0')
  const before = searcher.pid()
  const stuck = ask('hang')
  const others = [1, 2, 3].map((connection) => ask('work 1', connection))
  await assert.rejects(stuck, { code: 'busy' })
  for (const { total } of await Promise.all(others)) assert.equal(total, 1)
  assert.notEqual(searcher.pid(), before)
  assert.equal(journal().filter((text) => text === 'hang').length, 1)
})

test('a search whose process dies is tried once more, and those behind it as often as needed', async (t) => {
  const { ask, journal } = await worked(t)
  await ask('work 0')
  const dying = ask('die')
  const others = [1, 2, 3].map((connection) => ask('work 1', connection))
  await assert.rejects(dying, { code: 'busy' })
  for (const { total } of await Promise.all(others)) assert.equal(total, 1)
  assert.equal(journal().filter((text) => text === 'die').length, 2)
})

test('searches that have to wait are answered or refused, and their process lives', async (t) => {
  const { searcher, ask, journal } = await worked(t, { graceMs: 600 })
  for (let count = 0; count < 10; count++) await ask('work 30')
  const before = searcher.pid()
  const asked = Array.from({ length: 120 }, (_, connection) => ask('work 30', connection))
  const settled = await Promise.allSettled(asked)
  const refused = settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.ok(refused.length > 0 && refused.length < 120)
  for (const { reason } of refused) assert.equal(reason.code, 'overloaded')
  assert.equal(new Set(refused.map(({ reason }) => reason)).size, 1, 'one fault, made once')
  assert.equal(searcher.pid(), before)
  // No search was tried twice, and none that was refused ever began.
  assert.equal(journal().length, 130 - refused.length)
})

test('a refusal comes at once', async (t) => {
  const { ask } = await worked(t)
  for (let count = 0; count < 10; count++) await ask('work 30')
  const order: string[] = []
  const asked = Array.from({ length: 120 }, async (_, connection) => {
    const said = await ask('work 30', connection).then(
      () => 'answered',
      () => 'refused',
    )
    order.push(said)
  })
  await Promise.all(asked)
  const refused = order.filter((said) => said === 'refused').length
  // The other refusals came later, as the queued searches took longer than estimated.
  assert.ok(order.indexOf('answered') > refused / 2, String(order))
})

test('a search that waits for a process to start is not refused, however long that takes', async (t) => {
  const { ask } = await worked(t)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const asked = [ask('work 0'), ask('work 0')]
  t.mock.timers.tick(10_000)
  for (const { total } of await Promise.all(asked)) assert.equal(total, 1)
})

test('a search that waited for a process to start is not refused once it has started', async (t) => {
  const { ask } = await worked(t)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const asked = Array.from({ length: 5 }, (_, connection) => ask('work 100', connection))
  // The first one runs, and the others wait behind it.
  await asked[0]
  t.mock.timers.tick(3_000)
  for (const { total } of await Promise.all(asked)) assert.equal(total, 1)
})

test('searches that take no measurable time are followed by others', async (t) => {
  const { ask } = await worked(t)
  for (let count = 0; count < 3; count++) assert.equal((await ask('instant')).total, 1)
  assert.equal((await ask('work 1')).total, 1)
})

test('a client with few searches is next, however many others have', async (t) => {
  const { ask } = await worked(t)
  for (let count = 0; count < 10; count++) await ask('work 20')
  let answered = 0
  const many = Array.from({ length: 40 }, (_, connection) =>
    ask('work 20', connection).then(
      () => (answered += 1),
      () => {},
    ),
  )
  await ask('work 1', 1, '10.0.0.2')
  // Only those that were running or sent ahead when it came.
  assert.ok(answered <= 2, `${answered} were answered before`)
  await Promise.all(many)
})

test('a damaged index that the search process meets is rebuilt by the primary', async (t) => {
  const { file, storage, searching } = await opened(t)
  await storage.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }])
  const other = new DatabaseSync(file)
  other.exec('UPDATE search_rows SET bytes = zeroblob(length(bytes))')
  other.close()
  const mended = withIndexRepair(searching)
  const query = { text: 'io', limit: 10, budgetMs: 5_000 }
  await assert.rejects(async () => mended.find(query), { code: 'index_rebuilding' })
  for (;;) {
    const found = await Promise.resolve(mended.find(query)).catch(({ code }) => code)
    if (found === 'index_rebuilding') continue
    assert.equal(found.total, 1)
    return
  }
})

test('killed repeatedly under load, a process answers or fails every search, and the next one is answered', async (t) => {
  const { storage, searching, searcher } = await opened(t)
  await storage.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }])
  const query = { text: 'io', limit: 10, budgetMs: 5_000 }
  const ask = () => Array.from({ length: 20 }, async () => searching.find(query))
  for (let round = 0; round < 8; round++) {
    assert.equal((await searching.find(query)).total, 1)
    const before = ask()
    process.kill(searcher.pid() ?? 0, 'SIGKILL')
    // While blocked, this process cannot learn of the death before it sends the next searches.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    for (const settled of await Promise.allSettled([...before, ...ask()])) {
      if (settled.status === 'fulfilled') assert.equal(settled.value.total, 1)
      else assert.match(settled.reason.code, /^(?:busy|overloaded)$/)
    }
  }
  assert.equal((await searching.find(query)).total, 1)
})

/** Opens a search process of the fixture, which keeps a journal of its searches. */
async function worked(t: TestContext, options: SearchProcessOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const file = join(folder, 'journal')
  const program = join(import.meta.dirname, 'search-process.fixture.ts')
  const searcher = new SearchProcess(file, { program, ...options })
  t.after(async () => {
    await searcher.close()
    await rm(folder, { recursive: true })
  })
  const ask = (text: string, connection = 0, address = '10.0.0.1') =>
    searcher.find({ text, limit: 1, budgetMs: 50, client: { address, connection } })
  const journal = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return { searcher, ask, journal }
}

async function opened(t: TestContext, options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const file = join(folder, 'sol.db')
  const storage = openSqliteStore(file)
  const searcher = new SearchProcess(`sqlite:${file}`, options)
  t.after(async () => {
    await searcher.close()
    await storage.close()
    await rm(folder, { recursive: true })
  })
  return { file, storage, searcher, searching: withSearchProcess(storage, searcher) }
}
