import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import { resultOf } from '../load/events.ts'
import { loadWorld } from '../load/load-world.ts'
import { listDatabase } from '../tables/list-tables.ts'
import { DatabaseSession } from './database-source.ts'
import { type Server, startMariadb, startPostgres } from './servers.fixture.ts'

/** Creates a world loaded from a server, whose URL is `$DB` in the definition. */
function worldOf(context: TestContext, { url }: Server, definition: string) {
  process.env['DB'] = url
  context.after(() => {
    delete process.env['DB']
  })
  const store = createMemoryStore()
  const load = (text = definition) =>
    resultOf(loadWorld({ definition: definitionFromText(text, 'world.yaml'), folder: '/', store }))
  const attributes = async (type: string, id: string) =>
    JSON.parse((await store.get(type, id))?.json ?? '{}').attributes
  const ids = async (type: string) => (await store.list(type, { limit: 5_000 })).entities.map(({ id }) => id)
  return { load, attributes, ids }
}

/** Returns the row counts of two tables, read in one session with a write in between. */
async function countsAround(
  kind: 'postgres' | 'mysql',
  url: string,
  tables: string[],
  write: () => Promise<unknown>,
) {
  const session = new DatabaseSession({ kind, address: url, folder: '/' })
  const counts: number[] = []
  for (const table of tables) {
    const how = { wanted: { table }, columns: [], hasId: true, hasReferences: true }
    let text = ''
    for await (const chunk of session.source(how).bytes) text += Buffer.from(chunk)
    counts.push(text.split('\n').length - 1)
    if (counts.length === 1) await write()
  }
  await session.close()
  return counts
}

const SOURCES = (kind: string) => `
sources:
  - { ${kind}: $DB, table: customers, type: shop:customer, title: name }
  - { ${kind}: $DB, table: orders, type: shop:order }
`

test('PostgreSQL tables are read without loss, with keys as ids and references', async (t) => {
  const server = await startPostgres(
    t,
    `CREATE TYPE mood AS ENUM ('fine', 'sad');
     CREATE DOMAIN euro AS numeric(10,2);
     CREATE TABLE customers (no bigint PRIMARY KEY, name text NOT NULL, mood mood);
     CREATE TABLE orders (
       code text, part int, customer bigint REFERENCES customers, big int8, price euro, ratio float8, small float4, far float8,
       paid boolean, bytes bytea, doc jsonb, raw json, day date, at timestamptz, local timestamp, tags text[], amounts numeric[],
       uid uuid, span interval, empty text, none text, PRIMARY KEY (code, part));
     INSERT INTO customers VALUES (1, 'Ada', 'fine'), (9007199254740993, 'Bo', NULL);
     INSERT INTO orders VALUES ('a', 1, 9007199254740993, 9223372036854775807, 12.30, 0.1, 0.1, 'NaN', true, '\\x00ff10',
       '{"b": [1, "x"]}', '{"z":1,\n "a":2}', '2024-05-01', '2024-05-01 12:00:00.123456+02', '2024-05-01 12:00', '{a,"b,c",NULL}',
       '{1.10,2}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '1 day 02:03', '', NULL);
     CREATE SCHEMA stock; CREATE TABLE stock.items AS SELECT g AS id, 'item ' || g AS title FROM generate_series(1, 2500) g;`,
  )
  if (server === undefined) return
  const { load, attributes, ids } = worldOf(t, server, SOURCES('postgres'))
  assert.equal((await load())?.rejected, 0)
  assert.deepEqual(await ids('shop:customer'), ['1', '9007199254740993'])
  assert.deepEqual(await attributes('shop:customer', '9007199254740993'), { no: '9007199254740993' })
  assert.deepEqual(await attributes('shop:order', 'a-1'), {
    code: 'a',
    part: 1,
    customer: { type: 'shop:customer', id: '9007199254740993' },
    big: '9223372036854775807',
    price: '12.30',
    ratio: 0.1,
    small: 0.1,
    far: 'NaN',
    paid: true,
    bytes: 'AP8Q',
    doc: { b: [1, 'x'] },
    raw: { z: 1, a: 2 },
    day: '2024-05-01',
    at: '2024-05-01T10:00:00.123456Z',
    local: '2024-05-01T12:00:00',
    tags: ['a', 'b,c', null],
    amounts: ['1.10', '2'],
    uid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    span: 'P1DT2H3M',
    empty: '',
  })
  assert.equal(await load(), undefined)
  const [customers, orders, items] = await listDatabase('postgres', { address: server.url, folder: '/' })
  assert.deepEqual(
    [customers, orders, items].map((one) => [one?.name, one?.key, one?.references]),
    [
      ['customers', ['no'], []],
      ['orders', ['code', 'part'], [{ column: 'customer', table: 'customers', to: 'no' }]],
      ['stock.items', [], []],
    ],
  )
  assert.deepEqual(customers?.columns, [
    { name: 'no', type: 'integer', required: true },
    { name: 'name', type: 'text', required: true },
    { name: 'mood', type: 'text', required: false, values: ['fine', 'sad'] },
  ])
  await load('sources: [{ postgres: $DB, table: stock.items, type: a:item }]')
  assert.equal((await ids('a:item')).length, 2_500)
  await load('sources: [{ postgres: $DB, query: "SELECT 7 AS id, 1.50 AS price -- seven;", type: a:item }]')
  assert.deepEqual(await attributes('a:item', '7'), { price: '1.50' })
})

test('PostgreSQL is read in one snapshot without writing, and a failed read deletes nothing', async (t) => {
  const server = await startPostgres(
    t,
    `CREATE TABLE customers (no int PRIMARY KEY, name text); CREATE TABLE orders (code text PRIMARY KEY);
     INSERT INTO customers VALUES (1, 'Ada'); INSERT INTO orders VALUES ('a');`,
  )
  if (server === undefined) return
  const { Client } = await import('pg')
  const client = new Client({ connectionString: server.url })
  // The server is stopped before its clients.
  client.on('error', () => {})
  await client.connect()
  const write = () => client.query("INSERT INTO orders VALUES ('b')")
  assert.deepEqual(await countsAround('postgres', server.url, ['customers', 'orders'], write), [1, 1])
  const { load, ids } = worldOf(t, server, SOURCES('postgres'))
  await load()
  assert.deepEqual(await ids('shop:order'), ['a', 'b'])
  const writing = 'WITH gone AS (DELETE FROM orders RETURNING code) SELECT code AS id FROM gone'
  await assert.rejects(
    load(`sources: [{ postgres: $DB, query: "${writing}", type: shop:order }]`),
    /SourceFault/,
  )
  await client.query('DROP TABLE orders')
  await assert.rejects(load(), /\$DB: there is no table "orders"; the tables are customers\./)
  assert.deepEqual(await ids('shop:order'), ['a', 'b'])
  process.env['DB'] = 'postgres://me:geheim@127.0.0.1:1/none'
  await assert.rejects(load(), (error: Error) => {
    assert.match(error.message, /^\$DB: .*ECONNREFUSED/)
    assert.doesNotMatch(error.message, /geheim/)
    return true
  })
  delete process.env['DB']
  await assert.rejects(load(), /the environment variable DB is not set/)
  assert.deepEqual(await ids('shop:order'), ['a', 'b'])
})

test('MariaDB tables are read without loss in one snapshot, with keys as ids and references', async (t) => {
  const server = await startMariadb(
    t,
    `CREATE TABLE customers (no BIGINT UNSIGNED PRIMARY KEY, name VARCHAR(50) NOT NULL) CHARACTER SET utf8mb4;
     CREATE TABLE orders (
       code VARCHAR(9), part INT, customer BIGINT UNSIGNED, price DECIMAL(10,2), ratio DOUBLE, paid BOOLEAN, bytes BLOB,
       fixed BINARY(3), doc JSON, day DATE, at TIMESTAMP(6) NULL, local DATETIME, clock TIME, flag BIT(1), bits BIT(10),
       kind ENUM('a','b'), note TEXT CHARACTER SET latin1, empty TEXT, none TEXT, PRIMARY KEY (code, part),
       FOREIGN KEY (customer) REFERENCES customers (no));
     INSERT INTO customers VALUES (1, 'Zoë 🌍'), (18446744073709551615, 'Bo');
     SET time_zone = '+02:00';
     INSERT INTO orders VALUES ('a', 1, 18446744073709551615, 12.30, 0.1, TRUE, x'00ff10', x'010203', '{"b": [1, "x"]}',
       '2024-05-01', '2024-05-01 12:00:00.123456', '2024-05-01 12:00:00', '12:30:00', b'1', b'1000000001', 'b', 'Ärger', '', NULL);`,
  )
  if (server === undefined) return
  const { load, attributes, ids } = worldOf(t, server, SOURCES('mysql'))
  assert.equal((await load())?.rejected, 0)
  assert.deepEqual(await ids('shop:customer'), ['1', '18446744073709551615'])
  assert.deepEqual(await attributes('shop:order', 'a-1'), {
    code: 'a',
    part: 1,
    customer: { type: 'shop:customer', id: '18446744073709551615' },
    price: '12.30',
    ratio: 0.1,
    paid: true,
    bytes: 'AP8Q',
    fixed: 'AQID',
    doc: { b: [1, 'x'] },
    day: '2024-05-01',
    at: '2024-05-01T10:00:00.123456Z',
    local: '2024-05-01T12:00:00',
    clock: '12:30:00',
    flag: true,
    bits: 513,
    kind: 'b',
    note: 'Ärger',
    empty: '',
  })
  const [customers, orders] = await listDatabase('mysql', { address: server.url, folder: '/' })
  assert.deepEqual([customers?.key, orders?.key], [['no'], ['code', 'part']])
  assert.deepEqual(orders?.references, [{ column: 'customer', table: 'customers', to: 'no' }])
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(server.url)
  connection.on('error', () => {})
  const write = () => connection.query("INSERT INTO orders (code, part) VALUES ('b', 1)")
  assert.deepEqual(await countsAround('mysql', server.url, ['customers', 'orders'], write), [2, 1])
  await load()
  assert.deepEqual(await ids('shop:order'), ['a-1', 'b-1'])
  await assert.rejects(
    load('sources: [{ mysql: $DB, query: "SELECT * FROM none", type: shop:order }]'),
    /none/,
  )
  await assert.rejects(
    load('sources: [{ mysql: $DB, query: "DELETE FROM orders", type: shop:order }]'),
    /SourceFault/,
  )
  assert.deepEqual(await ids('shop:order'), ['a-1', 'b-1'])
})
