import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPostgres } from '../../../publish/src/databases/servers.fixture.ts'
import { commandsIn, type Row } from './init-database.fixture.ts'

const POSTGRES = `
  CREATE TYPE mood AS ENUM ('fine', 'sad');
  CREATE TABLE customers (no bigint PRIMARY KEY, name text NOT NULL, mood mood, note text);
  COMMENT ON TABLE customers IS 'People who buy';
  COMMENT ON COLUMN customers.name IS 'As on the passport';
  CREATE TABLE orders (code text, part int, customer_no bigint NOT NULL REFERENCES customers, price numeric(10,2) NOT NULL,
    day date, at timestamptz, paid boolean, rate float8, big int8, doc jsonb, tags text[], numbers int8[], PRIMARY KEY (code, part));
  COMMENT ON COLUMN orders.customer_no IS 'The buyer';
  CREATE TABLE notes (order_code text, order_part int, customer bigint PRIMARY KEY REFERENCES customers, body text,
    FOREIGN KEY (order_code, order_part) REFERENCES orders);
  CREATE TABLE empties (id int PRIMARY KEY, since date NOT NULL, level numeric(5,1), extra jsonb);
  CREATE TABLE secrets (id int);
  CREATE SCHEMA stock; CREATE TABLE stock.items (id int PRIMARY KEY, label text);
  INSERT INTO customers SELECT n, 'Customer ' || chr(64 + n), CASE WHEN n = 1 THEN 'sad'::mood END FROM generate_series(1, 9) n;
  INSERT INTO orders VALUES
    ('a', 1, 1, 12.30, '2024-05-01', '2024-05-01 12:00+02', true, 0.5, 9223372036854775807, '{"n": 12345678901234567890, "m": [1.5]}',
     '{x,y}', '{1,9007199254740993}'),
    ('a', 2, 9, 0.05, NULL, NULL, false, 2, 7, '{"n": 1, "m": []}', NULL, NULL);
  INSERT INTO notes VALUES ('a', 2, 3, 'Late');
  INSERT INTO stock.items VALUES (1, 'Bolt');
  CREATE ROLE reader LOGIN;
  GRANT USAGE ON SCHEMA stock TO reader;
  GRANT SELECT ON customers, orders, notes, empties, stock.items TO reader;
`

const ORDER = {
  type: 'object',
  properties: {
    customer: {
      type: 'object',
      properties: { type: { const: 'shop:customer' }, id: { type: 'string' } },
      description: 'The buyer',
    },
    part: { type: 'integer' },
    price: { type: 'number' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    paid: { type: 'boolean' },
    rate: { type: 'number' },
    big: { type: ['string', 'integer'] },
    doc: {
      type: 'object',
      properties: { m: { type: 'array', items: { type: 'number' } }, n: { type: ['string', 'integer'] } },
    },
    tags: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: ['string', 'integer'] } },
    code: { type: 'string' },
  },
  required: ['customer', 'part', 'price', 'code'],
}

test('world init makes a definition of a PostgreSQL database, which loads every row', async (t) => {
  const server = await startPostgres(t, POSTGRES)
  if (server === undefined) return
  const url = server.url.replace('//world@', '//reader@')
  const { run, definition, loaded } = await commandsIn(t)
  const { code, err } = await run('init', url, '--prefix', 'shop')
  assert.equal(code, 0, err)
  assert.match(err, /customer_no refers to shop:customer by its no, as its table says/)
  assert.match(err, /order_code and order_part refer to orders together, which no reference can/)
  assert.match(err, /empties: There are no records yet\./)
  assert.match(err, /secrets is left out: the user may not read it\. To take it, GRANT SELECT ON it\./)
  assert.match(
    err,
    /orders: cells of JSON with numbers that would lose digits, kept as text: doc 1, numbers 1\./,
  )
  assert.match(err, /Tried it: 13 records can be loaded, none is rejected\./)
  const { types, sources } = await definition()
  const schemas = new Map(types.map((one) => [one.type, one]))
  assert.deepEqual(schemas.get('shop:customer'), {
    type: 'shop:customer',
    title: 'Customer',
    description: 'People who buy',
    schema: {
      type: 'object',
      properties: {
        mood: { type: 'string', enum: ['fine', 'sad'] },
        note: { type: 'string' },
        no: { type: 'integer' },
        name: { type: 'string', description: 'As on the passport' },
      },
      required: ['no', 'name'],
    },
  })
  assert.deepEqual(schemas.get('shop:order')?.schema, ORDER)
  assert.deepEqual(schemas.get('shop:empty')?.schema, {
    type: 'object',
    properties: {
      since: { type: 'string', format: 'date' },
      level: { type: 'number' },
      extra: {},
      id: { type: 'integer' },
    },
    required: ['since', 'id'],
  })
  const all = { postgres: url, attributes: 'all' }
  const customer = { customer: { column: 'customer', type: 'shop:customer' } }
  assert.deepEqual(sources, [
    { ...all, table: 'customers', type: 'shop:customer', id: 'no', title: 'name' },
    { ...all, table: 'empties', type: 'shop:empty', id: 'id', cells: { level: { decimals: 1 } } },
    { ...all, table: 'notes', type: 'shop:note', id: 'customer', references: customer },
    {
      ...all,
      table: 'orders',
      type: 'shop:order',
      id: ['code', 'part'],
      references: { customer: { column: 'customer_no', type: 'shop:customer' } },
      cells: { price: { decimals: 2 } },
    },
    { ...all, table: 'stock.items', type: 'shop:stock-item', id: 'id', title: 'label' },
  ])
  await checkRows(server.url, await loaded())
})

/** Compares all entities with the rows of their tables, as PostgreSQL writes them in JSON. */
async function checkRows(connectionString: string, entities: ReadonlyMap<string, Row>) {
  const { Client } = await import('pg')
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  let rows = 0
  for (const [table, id, name, type] of [
    ['customers', 'no', 'name', 'customer'],
    ['notes', 'customer', 'NULL', 'note'],
    ['orders', "code || '-' || part", 'NULL', 'order'],
    ['stock.items', 'id', 'label', 'stock-item'],
  ]) {
    const select = `SELECT (${id})::text AS id, ${name} AS title, json_strip_nulls(row_to_json(t))::text AS row FROM ${table} t`
    for (const { id, title, row } of (await client.query(select)).rows) {
      rows += 1
      const entity = entities.get(`shop:${type} ${id}`)
      assert.equal(entity?.title ?? null, title)
      const { customer, at, big, price, doc, numbers, ...attributes } = entity?.attributes ?? {}
      const given = JSON.parse(row.replaceAll(/\d{16,}/g, '"$&"'))
      const { customer: note = given.customer_no, customer_no: _, at: time, ...cells } = given
      assert.deepEqual(customer, note === undefined ? note : { type: 'shop:customer', id: String(note) })
      assert.equal(at && Date.parse(at as string), time && Date.parse(time))
      const others = Object.entries({ big, price, doc, numbers }).filter(([, value]) => value !== undefined)
      assert.deepEqual({ ...attributes, ...Object.fromEntries(others) }, cells)
    }
  }
  await client.end()
  assert.deepEqual([rows, entities.size], [13, 13])
  assert.deepEqual(entities.get('shop:order a-1')?.attributes['doc'], { n: '12345678901234567890', m: [1.5] })
}

test('tables are chosen by name, and faults of PostgreSQL name the way out', async (t) => {
  const server = await startPostgres(t, POSTGRES)
  if (server === undefined) return
  const url = server.url.replace('//world@', '//reader@')
  const { run, definition } = await commandsIn(t)
  const said = async (...argv: string[]) => {
    const { code, err } = await run('init', ...argv)
    assert.equal(code, 1)
    return err
  }
  assert.match(
    await said(url, '--tables', 'customers,order'),
    /There is no table order\. The tables are customers, empties, notes, orders, secrets, stock\.items\./,
  )
  assert.match(await said(url, '--tables', 'secrets'), /secrets is left out: the user may not read it/)
  assert.match(
    await said(url.replace('//reader@', '//nobody@')),
    /role "nobody" does not exist \(at .*\)\. Check user and password in the URL\./,
  )
  assert.match(
    await said(url.replace(/postgres$/, 'none')),
    /database "none" does not exist.*\. Check the name of the database, which is the path of the URL\./,
  )
  const { code, err } = await run('init', url, '--tables', 'orders,notes')
  assert.equal(code, 0, err)
  assert.match(
    err,
    /customer_no refers to no of customers, which is the id of no type here: it stays an attribute\./,
  )
  assert.deepEqual(
    (await definition()).sources.map((one) => one.type),
    ['postgres:note', 'postgres:order'],
  )
})
