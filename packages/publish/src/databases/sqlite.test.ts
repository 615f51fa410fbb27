import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import { resultOf } from '../load/events.ts'
import { loadWorld } from '../load/load-world.ts'
import { DatabaseSession } from './database-source.ts'

async function shop(t: TestContext, sql: string, definition: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  t.after(() => rm(folder, { recursive: true }))
  const database = new DatabaseSync(join(folder, 'shop.db'))
  database.exec(sql)
  const store = createMemoryStore()
  const warnings: string[] = []
  const load = (text = definition) =>
    resultOf(loadWorld({ definition: definitionFromText(text, 'world.yaml'), folder, store }), (event) => {
      if (event.event === 'warned') warnings.push(...event.warnings.map(({ message }) => message))
    })
  const attributes = async (type: string, id: string) => {
    const stored = await store.get(type, id)
    return stored && JSON.parse(stored.json).attributes
  }
  const ids = async (type: string) => (await store.list(type, { limit: 100 })).entities.map(({ id }) => id)
  return { database, folder, store, load, attributes, ids, warnings }
}

const SQL = `
  CREATE TABLE customers (no INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT);
  CREATE TABLE orders (code TEXT PRIMARY KEY, customer INTEGER REFERENCES customers(no), total REAL);
  INSERT INTO customers VALUES (1, 'Ada', ''), (2, 'Bo', NULL);
  INSERT INTO orders VALUES ('a-1', 2, 12.5), ('a-2', NULL, 3);
`
const DEFINITION = `
sources:
  - { sqlite: shop.db, table: customers, type: shop:customer, title: name }
  - { sqlite: shop.db, table: orders, type: shop:order }
`

test('the primary keys of tables become ids, and their foreign keys become references', async (t) => {
  const { load, store, attributes, warnings } = await shop(t, SQL, DEFINITION)
  assert.equal((await load())?.rejected, 0)
  const ada = JSON.parse((await store.get('shop:customer', '1'))?.json ?? '{}')
  assert.deepEqual([ada.title, ada.attributes], ['Ada', { no: 1, note: '' }])
  assert.deepEqual(await attributes('shop:customer', '2'), { no: 2 })
  assert.deepEqual(await attributes('shop:order', 'a-1'), {
    code: 'a-1',
    customer: { type: 'shop:customer', id: '2' },
    total: 12.5,
  })
  assert.deepEqual(await attributes('shop:order', 'a-2'), { code: 'a-2', total: 3 })
  assert.deepEqual(warnings, [])
})

test('integers beyond double precision are loaded as text, and bytes as base64', async (t) => {
  const sql = `
    CREATE TABLE v (id TEXT, value, doc JSON, ok BOOLEAN);
    INSERT INTO v VALUES ('big', 9223372036854775807, NULL, 1), ('safe', -9007199254740991, '{"a": [1]}', 0),
      ('real', 0.1, 'no json', 2), ('bytes', x'00ff10', 'null', NULL), ('far', 9e999, NULL, NULL), ('text', '007', NULL, NULL);
  `
  const { load, attributes } = await shop(t, sql, 'sources: [{ sqlite: shop.db, table: v, type: a:v }]')
  await load()
  assert.deepEqual(await attributes('a:v', 'big'), { value: '9223372036854775807', ok: true })
  assert.deepEqual(await attributes('a:v', 'safe'), { value: -9007199254740991, doc: { a: [1] }, ok: false })
  assert.deepEqual(await attributes('a:v', 'real'), { value: 0.1, doc: 'no json', ok: 2 })
  assert.deepEqual(await attributes('a:v', 'bytes'), { value: 'AP8Q', doc: null })
  assert.deepEqual(await attributes('a:v', 'far'), { value: 'Infinity' })
  assert.deepEqual(await attributes('a:v', 'text'), { value: '007' })
})

test('large numbers in JSON are kept as text, and the report counts their cells', async (t) => {
  const sql = `CREATE TABLE v (id TEXT, doc JSON);
    INSERT INTO v VALUES ('big', '{"n": 12345678901234567890}'), ('small', '{"n": 1}'), ('none', '{"n": 12345678901234567890')`
  const { load, attributes } = await shop(t, sql, 'sources: [{ sqlite: shop.db, table: v, type: a:v }]')
  const { rejected, notes = [] } = (await load()) ?? {}
  assert.equal(rejected, 0)
  assert.deepEqual(
    [...notes],
    ['shop.db, v: cells of JSON with numbers that would lose digits, kept as text: doc 1'],
  )
  assert.deepEqual(await attributes('a:v', 'big'), { doc: { n: '12345678901234567890' } })
  assert.deepEqual(await attributes('a:v', 'small'), { doc: { n: 1 } })
  assert.deepEqual(await attributes('a:v', 'none'), { doc: '{"n": 12345678901234567890' })
})

test('a query can be a source, and entities of rows removed from the database are deleted', async (t) => {
  const definition =
    'sources: [{ sqlite: shop.db, query: "SELECT code AS id, total FROM orders WHERE total > 2", type: a:o, attributes: [total] }]'
  const { database, load, ids } = await shop(t, SQL, definition)
  await load()
  assert.deepEqual(await ids('a:o'), ['a-1', 'a-2'])
  assert.equal(await load(), undefined)
  database.exec("DELETE FROM orders WHERE code = 'a-2'")
  await load()
  assert.deepEqual(await ids('a:o'), ['a-1'])
  database.exec('DELETE FROM orders')
  await load()
  assert.deepEqual(await ids('a:o'), [])
})

test('a failed read deletes nothing and lists the existing tables or columns', async (t) => {
  const { database, load, ids } = await shop(t, SQL, DEFINITION)
  await load()
  await assert.rejects(load('sources: [{ sqlite: shop.db, table: custommers, type: shop:customer }]'), {
    name: 'SourceFault',
    message: 'shop.db: there is no table "custommers"; the tables are customers, orders.',
  })
  await assert.rejects(load('sources: [{ sqlite: shop.db, table: orders, type: a:o, title: titel }]'), {
    name: 'SourceFault',
    message: 'shop.db, orders: there is no column "titel"; the columns are id, code, customer, total.',
  })
  await assert.rejects(load('sources: [{ sqlite: shop.db, query: "SELECT 1 AS a, 2 AS a", type: a:o }]'), {
    name: 'SourceFault',
    message: /two columns are called "a"/,
  })
  await assert.rejects(
    load('sources: [{ sqlite: shop.db, query: "DELETE FROM orders", type: a:o }]'),
    /this is no query that gives rows/,
  )
  await assert.rejects(
    load('sources: [{ sqlite: no.db, table: orders, type: a:o }]'),
    /no\.db: there is no such file/,
  )
  database.exec('DROP TABLE orders')
  await assert.rejects(load(), /there is no table "orders"/)
  assert.deepEqual(await ids('shop:order'), ['a-1', 'a-2'])
})

test('all sources of a database share one snapshot until the session is closed', async (t) => {
  const { database, folder } = await shop(t, `PRAGMA journal_mode = WAL; ${SQL}`, DEFINITION)
  const session = new DatabaseSession({ kind: 'sqlite', address: 'shop.db', folder })
  const rowsOf = async (table: string) => {
    const how = { wanted: { table }, columns: [], hasId: true, hasReferences: true }
    let text = ''
    for await (const chunk of session.source(how).bytes) text += Buffer.from(chunk)
    return text.trim().split('\n').length
  }
  assert.equal(await rowsOf('customers'), 2)
  database.exec("INSERT INTO customers VALUES (3, 'Cy', NULL); INSERT INTO orders VALUES ('a-3', 3, 1)")
  assert.equal(await rowsOf('orders'), 2)
  await session.close()
  assert.equal(await rowsOf('orders'), 3)
  await session.close()
})

test('a source must name exactly one database and one table or query', () => {
  const faults = (source: string) => {
    try {
      definitionFromText(`sources: [${source}]`, 'w')
      return 'none'
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.match(
    faults('{ type: a:b }'),
    /one of file, sqlite, postgres and mysql says where records come from/,
  )
  assert.match(faults('{ file: a.csv, sqlite: b.db, table: c }'), /this has file and sqlite/)
  assert.match(faults('{ sqlite: b.db }'), /needs either table or query/)
  assert.match(faults('{ sqlite: b.db, table: a, query: b }'), /needs either table or query/)
  assert.match(faults('{ file: a.csv, table: c }'), /table is for databases/)
  assert.match(faults('{ sqlite: b.db, table: c, sheet: d }'), /sheet is for files/)
  assert.match(faults('{ file: a.csv, encoding: latin-9x }'), /encoding is no encoding that can be read/)
  assert.match(faults('{ file: a.json, records: features }'), /records is no path/)
  assert.match(faults('{ postgres: "postgres://me:secret@host/db", table: t }'), /holds a password.*\$NAME/)
  assert.doesNotMatch(faults('{ postgres: "postgres://me:secret@host/db", table: t }'), /secret/)
  assert.match(faults('{ mysql: "postgres://host/db", table: t }'), /is a URL such as mysql:/)
  assert.equal(faults('{ mysql: $SHOP, table: t, refresh: 5m }'), 'none')
})
