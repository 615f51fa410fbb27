import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, type TestContext, test } from 'node:test'
import type { Store } from '../../core/src/store/contract.ts'
import { indexRules, setIndexRules } from '../../core/src/store/index-rules.ts'
import { positionNow } from '../../core/src/store/positions.ts'
import { ownedIn } from '../../core/src/store/precedence.ts'
import { importAll, moon, planet, put } from '../../core/src/store/suite-data.ts'
import { namedValue } from '../../core/src/store/values.ts'
import { NO_POSTGRES, startPostgres } from '../../postgres/src/server.fixture.ts'
import { copyStore } from './copy-store.ts'
import { openStore, storeAt, storeUrl } from './open-store.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

interface Places {
  readonly folder: string
  /** Returns the URL of a store that does not exist yet. */
  file(name: string): string
  database(): string
}

async function places(t: TestContext): Promise<Places> {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  return {
    folder,
    file: (name) => storeUrl(`sqlite:${name}`, folder),
    database: () => storeUrl(`${server?.url}?schema=c${schemas++}`, folder),
  }
}

/** Fills a store with data of every kind, and returns an offset in its change log. */
async function fill(url: string): Promise<string> {
  const store = await openStore(url, { role: 'writer' })
  await setIndexRules(store, { 'sol:moon': { remark: { weight: 0 } } })
  const files = await store.bulk({ files: { 'sol:planet': 'api' } })
  await files.add([planet('mars', { title: 'Mars\t\\ "red"\n' }), planet('venus'), planet('pluto')])
  await files.commit({ values: { sources: '{"a":\t"b\\\\c"}' } })
  await importAll(store, [moon('io'), moon('\u{1f680}'), moon('\uff5e')])
  const { next } = await store.changes({ limit: 1_000 })
  await put(store, planet('venus', { title: 'Evening star' }), moon('europa'))
  await store.write([{ delete: { type: 'sol:planet', id: 'pluto' } }])
  await store.write([{ delete: { type: 'sol:moon', id: 'io' } }], { values: { name: 'Sol' } })
  await store.write([], { values: { '~token:one': 'digest', '~token-use:two': '2026-11-21' } })
  await store.close()
  return next
}

/** Returns the observable state of a store, which a copy must preserve. */
async function stateOf(store: Store, place: string) {
  const snapshot = await store.snapshot()
  const entities = await Array.fromAsync(snapshot.entities())
  await snapshot.close()
  return {
    entities,
    changes: await store.changes({ limit: 1_000 }),
    since: await store.changes({ after: place, limit: 1_000 }),
    versions: await store.types(),
    page: await store.list('sol:planet', { limit: 2 }),
    found: (await store.find({ text: 'evening', limit: 5, budgetMs: 5_000 })).total,
    position: await positionNow(store),
    rules: await indexRules(store),
    values: [await namedValue(store, 'name'), await namedValue(store, 'sources')],
    beside: await store.values('~'),
    owned: await ownedIn(store, { limit: 10 }),
  }
}

async function openedState(url: string, place: string) {
  const store = await openStore(url, { role: 'writer' })
  try {
    return await stateOf(store, place)
  } finally {
    await store.close()
  }
}

test('a store copied from a file to PostgreSQL and back to a file equals the original', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const { file, database } = await places(t)
  const [first, second, third] = [file('first.db'), database(), file('third.db')]
  const place = await fill(first)
  const expected = await openedState(first, place)
  assert.equal(expected.found, 1)
  assert.equal(expected.owned.types.size, 1)

  const report = await copyStore(await storeAt(first), await storeAt(second))
  const hash = createHash('sha256')
  for (const { type, id, revision } of expected.entities) hash.update(`${type}\n${id}\n${revision}\n`)
  assert.deepEqual(report, { entities: 5, contentHash: hash.digest('hex') })
  assert.deepEqual(await openedState(second, place), expected)

  assert.deepEqual(await copyStore(await storeAt(second), await storeAt(third)), report)
  assert.deepEqual(await openedState(third, place), expected)
  const { problems } = await (await storeAt(third)).verify()
  assert.deepEqual(problems, [])
  assert.equal((await (await storeAt(third)).verifySearchIndex()).agrees, true)
})

test('a copied store continues the change log of the original', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const { file, database } = await places(t)
  const [first, second, third] = [file('first.db'), database(), file('third.db')]
  await fill(first)
  await copyStore(await storeAt(first), await storeAt(second))
  for (const url of [second, third]) {
    if (url === third) await copyStore(await storeAt(second), await storeAt(third))
    const store = await openStore(url, { role: 'writer' })
    const { next } = await store.changes({ limit: 1_000 })
    const id = `new-in-${url === second ? 'second' : 'third'}`
    await put(store, moon(id))
    const { changes } = await store.changes({ after: next, limit: 10 })
    assert.deepEqual(
      changes.map((change) => change.id),
      [id],
    )
    await store.close()
  }
})

test('copyStore refuses an existing target and a damaged source', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const { folder, file, database } = await places(t)
  const [first, other, held] = [file('first.db'), file('other.db'), database()]
  await fill(first)
  await fill(other)
  await fill(held)
  for (const target of [other, held])
    await assert.rejects(copyStore(await storeAt(first), await storeAt(target)), { code: 'not_a_store' })

  const db = new DatabaseSync(join(folder, 'first.db'))
  db.exec(`UPDATE entities SET json = replace(json, 'Evening', 'Morning')`)
  db.close()
  const [into, copy] = [database(), file('copy.db')]
  for (const target of [into, copy])
    await assert.rejects(copyStore(await storeAt(first), await storeAt(target)), { code: 'damaged' })
  assert.equal(existsSync(join(folder, 'copy.db')), false)
  assert.equal(existsSync(join(folder, 'copy.db.partial')), false)
  // The failed copy leaves an empty store in the database, which can be filled.
  await copyStore(await storeAt(other), await storeAt(into))
})
