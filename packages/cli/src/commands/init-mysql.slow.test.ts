import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMariadb } from '../../../publish/src/databases/servers.fixture.ts'
import { commandsIn, type Row } from './init-database.fixture.ts'

test('world init keeps the password of a MariaDB database out of the definition', async (t) => {
  const server = await startMariadb(
    t,
    `CREATE TABLE customers (no BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL COMMENT 'As on the passport',
       mood ENUM('fine', 'it''s sad')) COMMENT 'People who buy';
     CREATE TABLE orders (code VARCHAR(9), part INT, customer_no BIGINT NOT NULL, price DECIMAL(10,2), doc JSON, at TIMESTAMP(6) NULL,
       paid BOOLEAN, shape POINT, hidden INT NOT NULL DEFAULT 1 INVISIBLE, PRIMARY KEY (code, part),
       FOREIGN KEY (customer_no) REFERENCES customers (no));
     INSERT INTO customers VALUES (1, 'Ada', 'fine'), (2, 'Bo', 'it''s sad'), (3, 'Cyd', NULL);
     INSERT INTO orders (code, part, customer_no, price, doc, at, paid)
       VALUES ('a', 1, 2, 12.30, '{"n": 12345678901234567890}', '2024-05-01 12:00:00.5', TRUE);
     CREATE USER reader@'%' IDENTIFIED BY 'geheim'; CREATE USER reader@localhost IDENTIFIED BY 'geheim';
     GRANT SELECT ON shop.* TO reader@'%'; GRANT SELECT ON shop.* TO reader@localhost`,
  )
  if (server === undefined) return
  const url = server.url.replace('root@', 'reader:geheim@')
  const { run, definition } = await commandsIn(t)
  const refused = await run('init', url.replace('geheim', 'geheimer'))
  assert.equal(refused.code, 1)
  assert.match(
    refused.err,
    /\$SHOP_DATABASE: Access denied for user 'reader'.* \(at 127\.0\.0\.1:\d+\)\. Check user and password/,
  )
  assert.doesNotMatch(refused.err, /geheim/)
  const { code, err } = await run('init', url)
  assert.equal(code, 0, err)
  assert.match(
    err,
    /The URL holds a password, so world\.yaml names \$SHOP_DATABASE in its place\. Set SHOP_DATABASE to the URL\./,
  )
  assert.doesNotMatch(err + JSON.stringify(await definition()), /geheim/)
  assert.match(
    (await run('import')).err,
    /\$SHOP_DATABASE: the environment variable SHOP_DATABASE is not set/,
  )
  const again = await commandsIn(t, { SHOP_DATABASE: url })
  // A shell has replaced the variable.
  assert.doesNotMatch((await again.run('init', url)).err, /holds a password/)
  assert.deepEqual(await again.definition(), await definition())
  const { types } = await definition()
  assert.deepEqual(types[0], {
    type: 'shop:customer',
    title: 'Customer',
    description: 'People who buy',
    schema: {
      type: 'object',
      properties: {
        mood: { type: 'string', enum: ['fine', "it's sad"] },
        no: { type: 'integer' },
        name: { type: 'string', description: 'As on the passport' },
      },
      required: ['no', 'name'],
    },
  })
  const { shape, doc } = types[1]?.schema?.['properties'] as Row['attributes']
  assert.deepEqual(
    [shape, doc],
    [{ type: 'string' }, { type: 'object', properties: { n: { type: 'string' } } }],
  )
  assert.deepEqual(types[1]?.schema?.['required'], ['customer', 'part', 'code'])
  const entities = await again.loaded()
  assert.equal(entities.get('shop:customer 2')?.title, 'Bo')
  assert.deepEqual(entities.get('shop:order a-1')?.attributes, {
    code: 'a',
    part: 1,
    customer: { type: 'shop:customer', id: '2' },
    price: 12.3,
    doc: { n: '12345678901234567890' },
    at: '2024-05-01T12:00:00.500000Z',
    paid: true,
  })
})

test('a host that is not there or does not answer is named', async (t) => {
  const { run } = await commandsIn(t)
  const { err } = await run('init', 'postgres://reader@127.0.0.1:1/shop')
  assert.match(err, /ECONNREFUSED 127\.0\.0\.1:1\. Check host and port in the URL, and that the server runs/)
  const mysql = await run('init', 'mysql://reader@127.0.0.1:1/shop')
  assert.match(
    mysql.err,
    /ECONNREFUSED 127\.0\.0\.1:1\. Check host and port in the URL, and that the server runs/,
  )
  const none = await run('init', 'mysql://reader@no.such.host.invalid/shop')
  assert.match(none.err, /no\.such\.host\.invalid\. Check the name of the host in the URL\./)
})
