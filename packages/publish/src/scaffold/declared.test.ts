import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import { declaredSchema } from './declared.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

async function proposed(t: TestContext, sql: string, only?: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  const database = new DatabaseSync(join(folder, 'shop.db'))
  database.exec(sql)
  database.close()
  const tables = await scaffoldTables({ paths: [join(folder, 'shop.db')], folder, only })
  const called = 'shop'
  const { text, trial, assumptions } = await scaffoldDefinition({
    tables,
    folder,
    called,
    store: createMemoryStore(),
  })
  return { ...definitionFromText(text, 'world.yaml'), trial, said: assumptions.join('\n') }
}

const SQL = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, since DATE, spare TEXT);
  CREATE TABLE profiles (customer_id INTEGER PRIMARY KEY REFERENCES customers, text TEXT);
  CREATE TABLE parts (code TEXT, part INTEGER, PRIMARY KEY (code, part));
  CREATE TABLE sales (id INTEGER PRIMARY KEY, code TEXT, part INTEGER, buyer INTEGER NOT NULL REFERENCES customers,
    FOREIGN KEY (code, part) REFERENCES parts);
  INSERT INTO customers VALUES (1, 'Ada', NULL, NULL), (2, 'Bo', NULL, NULL);
  INSERT INTO profiles VALUES (2, 'Long text');
`

test('empty tables and columns are described as they are declared', async (t) => {
  const { types, sources, trial, said } = await proposed(t, SQL)
  const schemas = Object.fromEntries(types.map(({ type, schema }) => [type, schema]))
  assert.deepEqual(schemas['shop:customer'], {
    type: 'object',
    properties: {
      since: { type: 'string', format: 'date' },
      spare: { type: 'string' },
      id: { type: 'integer' },
      name: { type: 'string' },
    },
    required: ['id', 'name'],
  })
  const customer = {
    type: 'object',
    properties: { type: { const: 'shop:customer' }, id: { type: 'string' } },
  }
  assert.deepEqual(schemas['shop:sales'], {
    type: 'object',
    properties: {
      buyer: customer,
      part: { type: 'integer' },
      id: { type: 'integer' },
      code: { type: 'string' },
    },
    required: ['buyer', 'id'],
  })
  assert.match(said, /sales: There are no records yet\./)
  assert.match(said, /buyer refers to shop:customer by its id, as its table says\./)
  assert.match(said, /code and part refer to parts together, which no reference can: they stay attributes\./)
  assert.match(said, /Columns that are NOT NULL are required: id, name\./)
  assert.deepEqual(
    sources.map(({ type, id }) => [type, id]),
    [
      ['shop:customer', 'id'],
      ['shop:part', ['code', 'part']],
      ['shop:profile', 'customer_id'],
      ['shop:sales', 'id'],
    ],
  )
  assert.deepEqual([trial?.loaded, trial?.rejected], [3, 0])
})

test('a table without a key has digests as ids, and a column called type is data', async (t) => {
  const { sources, types, said } = await proposed(
    t,
    `CREATE TABLE logs (type TEXT, ok BOOLEAN); INSERT INTO logs VALUES ('a:b', 1), ('a:b', 0)`,
  )
  assert.deepEqual([sources[0]?.id, types[0]?.type], [{ row: 'hash' }, 'shop:shop'])
  assert.deepEqual(types[0]?.schema?.['properties'], { type: { type: 'string' }, ok: { type: 'boolean' } })
  assert.match(said, /so the id is a digest of the row, as a database keeps no order/)
})

test('a primary key that refers to another table is both id and reference', async (t) => {
  const { sources, trial } = await proposed(t, SQL)
  assert.deepEqual(sources[2]?.references, { customer: { column: 'customer_id', type: 'shop:customer' } })
  const profile = trial?.first.find(({ type }) => type === 'shop:profile')
  assert.deepEqual(profile, {
    type: 'shop:profile',
    id: '2',
    attributes: { text: 'Long text', customer: { type: 'shop:customer', id: '2' } },
  })
})

test('tables are chosen by name, and references to others are told', async (t) => {
  const { types, said } = await proposed(t, SQL, ['sales'])
  assert.deepEqual(
    types.map(({ type }) => type),
    ['shop:sales'],
  )
  assert.match(
    said,
    /buyer refers to id of customers, which is the id of no type here: it stays an attribute\./,
  )
  await assert.rejects(proposed(t, SQL, ['sales', 'user']), {
    name: 'SourceFault',
    message: 'There is no table user. The tables are customers, parts, profiles, sales.',
  })
})

test('values decide over declared types that they need not have', () => {
  const listed = { name: 'a', required: false, type: 'integer' } as const
  assert.deepEqual(declaredSchema(undefined, { ...listed, description: 'Sum' }), {
    type: 'integer',
    description: 'Sum',
  })
  assert.deepEqual(declaredSchema({ type: ['string', 'integer'] }, listed), { type: ['string', 'integer'] })
  assert.deepEqual(declaredSchema({ type: 'integer' }, { ...listed, type: 'number' }), { type: 'number' })
  const properties = { required: { type: 'array' }, type: {} }
  const document = {
    type: 'object',
    properties: { ...properties, type: { type: 'null' } },
    required: ['required'],
  }
  assert.deepEqual(declaredSchema(document, { ...listed, type: 'json' }), { type: 'object', properties })
  assert.deepEqual(declaredSchema({ type: 'string' }, { name: 'a', required: true, values: ['x'] }), {
    type: 'string',
    enum: ['x'],
  })
})
