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
import { createTokens } from '../../core/src/store/tokens.ts'
import { namedValue } from '../../core/src/store/values.ts'
import { startPostgres } from '../../postgres/src/server.fixture.ts'
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
  const storage = await openStore(url, { role: 'writer' })
  await setIndexRules(storage, { 'sol:moon': { remark: { weight: 0 } } })
  const files = await storage.bulk({ files: { 'sol:planet': 'api' } })
  await files.add([planet('mars', { title: 'Mars\t\\ "red"\n' }), planet('venus'), planet('pluto')])
  await files.commit({ values: { sources: '{"a":\t"b\\\\c"}' } })
  await importAll(storage, [moon('io'), moon('\u{1f680}'), moon('\uff5e')])
  const { next } = await storage.changes({ limit: 1_000 })
  await put(storage, planet('venus', { title: 'Evening star' }), moon('europa'))
  await storage.write([{ delete: { type: 'sol:planet', id: 'pluto' } }])
  await storage.write([{ delete: { type: 'sol:moon', id: 'io' } }], { values: { name: 'Sol' } })
  await createTokens(storage).put('one', 'digest')
  await createTokens(storage).put('two', 'other')
  await createTokens(storage).noteUse('two', '2026-11-21')
  await storage.close()
  return next
}

/** Returns all observable state of a store, which copying preserves. */
async function stateOf(storage: Store, place: string) {
  const snapshot = await storage.snapshot()
  const entities = await Array.fromAsync(snapshot.entities())
  await snapshot.close()
  return {
    entities,
    changes: await storage.changes({ limit: 1_000 }),
    since: await storage.changes({ after: place, limit: 1_000 }),
    versions: await storage.types(),
    page: await storage.list('sol:planet', { limit: 2 }),
    found: (await storage.find({ text: 'evening', limit: 5, budgetMs: 5_000 })).total,
    position: await positionNow(storage),
    rules: await indexRules(storage),
    values: [await namedValue(storage, 'name'), await namedValue(storage, 'sources')],
    tokens: await createTokens(storage).list(),
    owned: await ownedIn(storage, { limit: 10 }),
  }
}

async function openedState(url: string, place: string) {
  const storage = await openStore(url, { role: 'writer' })
  try {
    return await stateOf(storage, place)
  } finally {
    await storage.close()
  }
}

test('a store goes from a file into PostgreSQL and back with history, versions, values, tokens and precedence', async (t) => {
  if (server === undefined) return t.skip('not run: this machine has no PostgreSQL')
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

test('a copied store continues the history: offsets are later, and no change is missed', async (t) => {
  if (server === undefined) return t.skip('not run: this machine has no PostgreSQL')
  const { file, database } = await places(t)
  const [first, second, third] = [file('first.db'), database(), file('third.db')]
  await fill(first)
  await copyStore(await storeAt(first), await storeAt(second))
  for (const url of [second, third]) {
    if (url === third) await copyStore(await storeAt(second), await storeAt(third))
    const storage = await openStore(url, { role: 'writer' })
    const { next } = await storage.changes({ limit: 1_000 })
    const id = `new-in-${url === second ? 'second' : 'third'}`
    await put(storage, moon(id))
    const { changes } = await storage.changes({ after: next, limit: 10 })
    assert.deepEqual(
      changes.map((change) => change.id),
      [id],
    )
    await storage.close()
  }
})

test('copying never overwrites a store, and a damaged store is not copied', async (t) => {
  if (server === undefined) return t.skip('not run: this machine has no PostgreSQL')
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
  // The database is left with an empty store, which can be filled.
  await copyStore(await storeAt(other), await storeAt(into))
})
