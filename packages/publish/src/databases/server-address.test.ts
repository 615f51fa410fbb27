import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definitionFromText } from '../definition/definition.ts'
import { isServer, namedServer, serverFault, serverUrl } from './server-address.ts'

const SECRET = 'postgres://reader:geheim@db.example/shop'

test('a URL without a password is the address of a definition, and one with a password is a variable', () => {
  const plain = { address: 'postgres://reader@db.example/shop', environment: {} }
  assert.deepEqual(namedServer(plain.address, {}), plain)
  assert.deepEqual(namedServer('$DB', { DB: SECRET }), { address: '$DB', environment: { DB: SECRET } })
  assert.deepEqual(namedServer(SECRET, { A: 'x' }), {
    address: '$SHOP_DATABASE',
    environment: { A: 'x', SHOP_DATABASE: SECRET },
    toSet: 'SHOP_DATABASE',
  })
  assert.equal(namedServer(SECRET, { SHOP_DATABASE: 'another' }).address, '$SHOP_DATABASE_2')
  assert.equal(namedServer('mysql://db.example/1-a?password=x', {}).address, '$_1_A_DATABASE')
  // A shell sets `_` to the last word of a command, and npm its own variables.
  const environment = { _: SECRET, npm_config_url: SECRET, DB: SECRET }
  assert.deepEqual(namedServer(SECRET, environment), { address: '$DB', environment })
  assert.deepEqual(
    ['postgresql://h/d', 'MARIADB://h/d', '$DB', 'postgres.csv', 'https://h/d', '$1'].map(isServer),
    [true, true, true, false, false, false],
  )
})

test('a password with characters that end it is refused without being shown', () => {
  for (const password of ['12/34', '12?34', '12#34', 'a b#', '12:3']) {
    const url = `postgres://me:${password}@db.example/shop`
    if (password === '12:3') {
      assert.equal(namedServer(url, {}).address, '$SHOP_DATABASE')
      continue
    }
    for (const refused of [() => namedServer(url, {}), () => serverUrl('$DB', { DB: url })])
      assert.throws(refused, ({ message }: Error) => {
        assert.match(message, /In a password, write \/ as %2F, \? as %3F, # as %23, @ as %40 and % as %25\.$/)
        return !/12|34|a b/.test(message)
      })
    const definition = `sources: [{ postgres: "${url}", table: t }]`
    assert.throws(() => definitionFromText(definition, 'w'), /is a URL such as postgres:/)
    assert.doesNotMatch(serverFault(new Error('lost'), url), /12/)
  }
})

test('faults of servers name the host and the way out', () => {
  const fault = (members: object) => serverFault(Object.assign(new Error('no'), members), SECRET)
  for (const [members, said] of [
    [{ code: 'ENOTFOUND' }, 'no (at db.example). Check the name of the host in the URL.'],
    [
      { code: '28P01', message: 'password authentication failed for user "reader"' },
      'password authentication failed for user "reader" (at db.example). Check user and password in the URL. A password can also be in PGPASSWORD or a .pgpass file, or in MYSQL_PWD.',
    ],
    [{ code: '42501' }, 'no (at db.example). Let the user read it: GRANT SELECT ON … TO ….'],
    [{ code: '22P02' }, 'no (at db.example).'],
  ] as const)
    assert.equal(fault(members), said)
  assert.match(fault({ message: 'SASL: client password must be a string' }), /Check user and password/)
  assert.match(fault({ message: 'timeout expired' }), /Check host and port/)
  const errors = [new Error('connect ECONNREFUSED ::1:1'), new Error('connect ECONNREFUSED 127.0.0.1:1')]
  assert.equal(
    serverFault(Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' }), SECRET),
    'connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1 (at db.example). Check host and port in the URL, and that the server runs and lets this machine connect.',
  )
})
