import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { WorldError } from './error.ts'
import { type Answer, DOCUMENT, failure, SECRET, scriptedFetch } from './scripted-fetch.fixture.ts'

const ORIGIN = 'https://sol.example'
const DISCOVERY = `${ORIGIN}/.well-known/world.json`

const refused = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })

async function messageOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (error: WorldError) => error,
  )
  assert.ok(error instanceof WorldError)
  assert.ok(error.stack?.includes(error.message), 'the stack begins with another message')
  return error.message
}

const connecting = (...answers: Answer[]) =>
  connect(ORIGIN, { fetch: scriptedFetch(...answers).fetch, retries: 0, ...SECRET })

test('a connection error names the address, the cause and a remedy', async () => {
  for (const [answer, words] of [
    [refused(), 'No connection. Check the address. (ECONNREFUSED)'],
    [{ name: 'x' }, 'No world answered here. Check the address.'],
    [new Response('<html>'), 'No world answered here. Check the address.'],
    [new Response('<html>', { status: 502 }), 'The gateway failed. Try again. (http_502)'],
    [
      { protocol: 'world/0.9', endpoints: {} },
      'The world has another version. Update the client. (offered "world/0.9", supported ["world/0.1"])',
    ],
  ] as const) {
    assert.equal(await messageOf(connecting(answer)), `${DISCOVERY}: ${words}`)
  }
})

test('an invalid argument is reported without an address', async () => {
  assert.equal(
    await messageOf(connect('sol.example')),
    'Nothing was sent: it is not valid. (expected "http(s)://host(:port)")',
  )
  for (const secret of [
    'https://me:secret@sol.example',
    'https://me:sec\nret@sol.example',
    'https://me:secret%40sol.example',
    'https://sol.example/?token=a@secret',
    'https://sol.example/secret',
    'ww_3f9a0c12de_secret',
    'me:secret',
  ])
    assert.equal(
      await messageOf(connect(secret)),
      'Nothing was sent: it is not valid. (expected "http(s)://host(:port)")',
    )
  const world = await connecting(DOCUMENT)
  assert.match(await messageOf(world.list('sol:moon', { limit: -1 })), /^Nothing was sent.* \(limit -1\)$/)
})

test('errors of calls and walks get readable messages too and keep their cause', async () => {
  const broken = refused()
  const world = await connecting(DOCUMENT, broken, DOCUMENT, broken, DOCUMENT)
  const url = 'https://data.sol.example/w/v3/entities/sol%3Amoon'
  await assert.rejects(world.get('sol:moon', 'europa'), {
    code: 'network_error',
    message: `${url}/europa: No connection. Check the address. (ECONNREFUSED)`,
    status: 0,
    details: {},
    url: `${url}/europa`,
    cause: broken,
  })
  assert.match(await messageOf(world.entities('sol:moon').toArray({ max: 1 })), /: No connection\./)
})

test('a message from the world is kept even if its error has a client code', async () => {
  const told = { code: 'timeout', message: 'The moon is behind the planet.' }
  const world = await connecting(
    DOCUMENT,
    failure(404, 'entity_not_found'),
    Response.json(told, { status: 500 }),
  )
  assert.equal(await messageOf(world.get('sol:moon', 'x')), 'It is entity_not_found.')
  assert.equal(await messageOf(world.get('sol:moon', 'x')), 'The moon is behind the planet.')
})

test('a message reveals only the system error code of its cause', async () => {
  const secret = Object.assign(new Error('Bearer s3cret'), { code: 's3cret' })
  const message = await messageOf(connecting(new TypeError('s3cret', { cause: secret })))
  assert.equal(message, `${DISCOVERY}: No connection. Check the address.`)
})
