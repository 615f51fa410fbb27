import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { GroupRequest, Measure } from '@worldwright/core/store'
import { rounds } from '../../../../test/rounds.ts'
import { openSqliteStore } from '../../../sqlite/src/open.ts'
import { withIndexRepair } from '../layers/index-repair.ts'
import { SearchProcess, type SearchProcessOptions, withSearchProcess } from './search-process.ts'

test('the search process finds earlier writes and returns the same results as the store', async (t) => {
  const { store, searching } = await opened(t)
  for (const title of ['Io', 'Europa', 'Ganymede']) {
    await store.write([{ put: { type: 'sol:moon', id: title.toLowerCase(), title, attributes: {} } }])
    const query = { text: title, limit: 10, budgetMs: 60_000 }
    const found = await searching.find(query)
    assert.deepEqual(found, await store.find(query))
    assert.equal(found.total, 1)
  }
})

test('groups are the same through the search process', async (t) => {
  const { store, searching } = await opened(t)
  const of = (mass: number, orbits: string) => ({ mass, orbits: { type: 'sol:planet', id: orbits } })
  const masses = [
    of(-0.1, 'jupiter'),
    of(1e300, 'saturn'),
    of(1.7e308, 'saturn'),
    of(1.7e308 + 1e300, 'saturn'),
  ]
  await store.write([
    ...masses.map((attributes, at) => ({ put: { type: 'sol:moon', id: `m${at}`, attributes } })),
    { put: { type: 'sol:moon', id: 'lost', attributes: {} } },
  ])
  const group: GroupRequest = {
    keys: [{ by: 'value', property: ['orbits'], kind: 'reference' }],
    measures: ['sum', 'avg'].map((op) => ({ op, property: ['mass'], kind: 'number' })) as Measure[],
    sort: [],
    limit: 9,
  }
  const query = { group, sort: [{ by: 'sample' }], limit: 2, budgetMs: 60_000 } as const
  const found = await searching.find(query)
  assert.deepEqual(found, await store.find(query))
  assert.deepEqual(
    found.groups?.groups.map(({ measures: [sum] }) => sum),
    [-0.1, null, null],
  )
})

test('a search process that dies is replaced', async (t) => {
  const { store, searching, searcher } = await opened(t)
  await store.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }])
  const query = { text: 'io', limit: 10, budgetMs: 60_000 }
  assert.equal((await searching.find(query)).total, 1)
  const first = searcher.pid()
  assert.ok(first !== undefined)
  process.kill(first, 'SIGKILL')
  assert.equal((await searching.find(query)).total, 1)
  assert.notEqual(searcher.pid(), first)
})

test('the search process has a lower priority than reads', async (t) => {
  const { searcher, ask } = await worked(t)
  await ask('work 0')
  assert.ok(getPriority(searcher.pid()) > getPriority())
})

test('a hung search process is killed, and only its current search fails', async (t) => {
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

test('a search whose process dies is retried once, and queued searches as often as needed', async (t) => {
  const { ask, journal } = await worked(t)
  await ask('work 0')
  const dying = ask('die')
  const others = [1, 2, 3].map((connection) => ask('work 1', connection))
  await assert.rejects(dying, { code: 'busy' })
  for (const { total } of await Promise.all(others)) assert.equal(total, 1)
  assert.equal(journal().filter((text) => text === 'die').length, 2)
})

test('queued searches are answered or refused, and their process survives', async (t) => {
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
  // No search ran twice, and no refused search ran.
  assert.equal(journal().length, 130 - refused.length)
})

test('a search beyond the queue limit is refused immediately', async (t) => {
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
  // Other searches were refused later, because the queued searches took longer than estimated.
  assert.ok(order.indexOf('answered') > refused / 2, String(order))
})

test('a search is not refused while its process starts', async (t) => {
  const { ask } = await worked(t)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const asked = [ask('work 0'), ask('work 0')]
  t.mock.timers.tick(10_000)
  for (const { total } of await Promise.all(asked)) assert.equal(total, 1)
})

test('the start of a process does not count as waiting time', async (t) => {
  const { ask } = await worked(t)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const asked = Array.from({ length: 5 }, (_, connection) => ask('work 100', connection))
  // The first search runs while the others wait.
  await asked[0]
  t.mock.timers.tick(3_000)
  for (const { total } of await Promise.all(asked)) assert.equal(total, 1)
})

test('searches with no measurable work time do not stall the queue', async (t) => {
  const { ask } = await worked(t)
  for (let count = 0; count < 3; count++) assert.equal((await ask('instant')).total, 1)
  assert.equal((await ask('work 1')).total, 1)
})

test('a client with few searches goes first, however many others have', async (t) => {
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
  // Only searches that were running or already sent to the process are answered first.
  assert.ok(answered <= 2, `${answered} were answered before`)
  await Promise.all(many)
})

test('the primary rebuilds an index that the search process finds to be damaged', async (t) => {
  const { file, store, searching } = await opened(t)
  await store.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }])
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

test('every search settles if the process is killed repeatedly under load', async (t) => {
  const { store, searching, searcher } = await opened(t)
  await store.write([{ put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }])
  const query = { text: 'io', limit: 10, budgetMs: 5_000 }
  const ask = () => Array.from({ length: 20 }, async () => searching.find(query))
  for (let round = 0; round < rounds(2, 8); round++) {
    assert.equal((await searching.find(query)).total, 1)
    const before = ask()
    process.kill(searcher.pid() ?? 0, 'SIGKILL')
    // Block this process, so that it sends the next searches before it notices the exit.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    for (const settled of await Promise.allSettled([...before, ...ask()])) {
      if (settled.status === 'fulfilled') assert.equal(settled.value.total, 1)
      else assert.match(settled.reason.code, /^(?:busy|overloaded)$/)
    }
  }
  assert.equal((await searching.find(query)).total, 1)
})

/** Opens a search process that runs the fixture, which logs its searches to a journal. */
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
  const store = openSqliteStore(file)
  const searcher = new SearchProcess(`sqlite:${file}`, options)
  t.after(async () => {
    await searcher.close()
    await store.close()
    await rm(folder, { recursive: true })
  })
  return { file, store, searcher, searching: withSearchProcess(store, searcher) }
}
