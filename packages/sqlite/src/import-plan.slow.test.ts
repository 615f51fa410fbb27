import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Store } from '../../core/src/store/contract.ts'
import { setIndexRules } from '../../core/src/store/index-rules.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { countsOf, moon, planet, put } from '../../core/src/store/suite-data.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openSqliteStore } from './open.ts'
import { Staging } from './staging.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { verifySearchIndex } from './verify-index.ts'
import { verifyStore } from './verify-store.ts'

const clock = { time: new Date('2026-03-01T09:00:00Z') }

function opened(t: TestContext) {
  const folder = temporaryFolder()
  const file = folder.file('a.db')
  const store = openSqliteStore(file, { now: () => clock.time })
  t.after(async () => {
    await store.close()
    folder.remove()
  })
  return { store, file }
}

async function load(store: Store, from: number, to: number, word: string, replace: readonly string[] = []) {
  const staged = await store.bulk()
  await staged.add(
    Array.from({ length: to - from }, (_, at) =>
      moon(`m${from + at}`, { title: `${word} ${(from + at) % 7}` }),
    ),
  )
  return countsOf(await staged.commit({ replace }))
}

async function planets(store: Store): Promise<string[]> {
  return (await store.list('sol:planet', { limit: 100_000 })).entities.map(({ id }) => id)
}

/** Returns everything that a reader can see of a store, including timestamps. */
async function seen(store: Store): Promise<unknown> {
  const snapshot = await store.snapshot()
  const entities: string[] = []
  for await (const { json } of snapshot.entities()) entities.push(json)
  await snapshot.close()
  const found = []
  for (const text of ['old', 'new', 'old 3', 'new 3']) {
    const { total, hits } = await store.find({ text, limit: 20, budgetMs: 10_000 })
    found.push([text, total, hits.map(({ id }) => id)])
  }
  const counts = [...(await store.types())].map(([type, { count }]) => [type, count])
  return { entities, found, counts }
}

test('large imports give the same results as the memory engine', async (t) => {
  const { store, file } = opened(t)
  const expected = createMemoryStore({ search: memorySearch, now: () => clock.time })
  t.after(() => expected.close())
  for (const each of [store, expected]) {
    clock.time = new Date('2026-03-01T09:00:00Z')
    await put(each, planet('mars', { title: 'old mars' }))
    assert.deepEqual(await load(each, 0, 6_000, 'old'), {
      created: 6_000,
      changed: 0,
      unchanged: 0,
      deleted: 0,
    })
    clock.time = new Date('2026-04-01T09:00:00Z')
    const counts = await load(each, 2_000, 9_000, 'new', ['sol:moon'])
    assert.deepEqual(counts, { created: 3_000, changed: 4_000, unchanged: 0, deleted: 2_000 })
    const again = await load(each, 2_000, 9_000, 'new', ['sol:moon'])
    assert.deepEqual(again, { created: 0, changed: 0, unchanged: 7_000, deleted: 0 })
  }
  assert.deepEqual(await seen(store), await seen(expected))
  assert.deepEqual(verifyStore(file).problems, [])
})

test('writes during the commit of a large import are kept and count as earlier than the import', async (t) => {
  const { store, file } = opened(t)
  await load(store, 0, 3_000, 'old')
  const staged = await store.bulk()
  await staged.add(Array.from({ length: 6_000 }, (_, id) => moon(`m${id}`, { title: 'new' })))
  let done = false
  const committing = Promise.resolve(staged.commit()).finally(() => {
    done = true
  })
  let written = 0
  while (!done) {
    await put(store, moon(`w${written}`, { title: 'new' }), moon('m5999', { title: 'new' }))
    written += 1
    await turn()
  }
  const { created, changed, unchanged } = await committing
  assert.ok(written > 1)
  assert.deepEqual({ created, changed, unchanged }, { created: 2_999, changed: 3_000, unchanged: 1 })
  const { total } = await store.find({ text: 'new', limit: 0, budgetMs: 10_000 })
  assert.equal(total, 6_000 + written)
  assert.equal((await store.types()).get('sol:moon')?.count, 6_000 + written)
  assert.deepEqual(verifyStore(file).problems, [])
})

test('writes to a replaced type during a commit are either all deleted or all kept', async (t) => {
  const { store, file } = opened(t)
  for (const size of [1, 3_000]) {
    const staged = await store.bulk()
    await staged.add(Array.from({ length: size }, (_, id) => moon(`m${id}`, { title: 'new' })))
    let done = false
    const committing = Promise.resolve(staged.commit({ replace: ['sol:planet'] })).finally(() => {
      done = true
    })
    for (let written = 0; !done; written++) {
      await put(store, planet(`p${written}`, { title: 'new' }))
      await turn()
    }
    await committing
    assert.deepEqual(verifyStore(file).problems, [])
    assert.equal(verifySearchIndex(file).agrees, true)
    await store.write([...(await planets(store))].map((id) => ({ delete: { type: 'sol:planet', id } })))
  }
})

test('an index rule change during a commit applies to the whole import', async (t) => {
  const { store, file } = opened(t)
  await put(store, moon('m0', { attributes: { note: 'red' } }))
  const staged = await store.bulk()
  await staged.add(
    Array.from({ length: 6_000 }, (_, at) => moon(`m${at}`, { attributes: { note: `red ${at}` } })),
  )
  const committed = staged.commit()
  // Meanwhile, the index is built without rules.
  await turn()
  await setIndexRules(store, { 'sol:moon': { note: { weight: 0 } } })
  assert.equal((await committed).created, 5_999)
  assert.equal((await store.find({ text: 'red', limit: 1, budgetMs: 10_000 })).total, 0)
  assert.equal(verifySearchIndex(file).agrees, true)
  await setIndexRules(store, {})
  assert.equal((await store.find({ text: 'red', limit: 1, budgetMs: 10_000 })).total, 6_000)
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('an entity that could not be staged is not indexed', async (t) => {
  const { store, file } = opened(t)
  const staged = await store.bulk()
  const moons = Array.from({ length: 3_000 }, (_, at) => moon(`m${at}`, { title: 'new' }))
  const { put } = Staging.prototype
  const full = t.mock.method(
    Staging.prototype,
    'put',
    function (this: Staging, ...args: Parameters<typeof put>) {
      if (args[1].id === 'm2999') throw new Error('no room')
      return put.apply(this, args)
    },
  )
  await assert.rejects(async () => staged.add(moons), /no room/)
  full.mock.restore()
  assert.equal((await staged.add(moons)).length, 2_000)
  assert.equal((await staged.commit()).created, 3_000)
  assert.equal((await store.find({ text: 'new', limit: 0, budgetMs: 10_000 })).total, 3_000)
  assert.equal(verifySearchIndex(file).agrees, true)
})

test('a large import leaves at most a tenth of the file free', async (t) => {
  const { store, file } = opened(t)
  // Over a million postings in each of several segments, which are merged.
  const words = (at: number) => Array.from({ length: 90 }, (_, word) => `w${(at * 7 + word * word) % 3_000}`)
  const staged = await store.bulk()
  await staged.add(
    Array.from({ length: 25_000 }, (_, at) => moon(`m${at}`, { attributes: { text: words(at).join(' ') } })),
  )
  assert.equal((await staged.commit()).created, 25_000)
  const sql = new DatabaseSync(file)
  t.after(() => sql.close())
  const numberIn = (statement: string) => Number(Object.values(sql.prepare(statement).get() ?? {})[0])
  assert.ok(numberIn('SELECT max(segment) FROM search_segments') > 2)
  while (numberIn('SELECT count(*) FROM search_segments') > 1) await turn()
  const [pages, free] = [numberIn('PRAGMA page_count'), numberIn('PRAGMA freelist_count')]
  assert.ok(free <= pages / 10, `${free} of ${pages} pages are free`)
})
