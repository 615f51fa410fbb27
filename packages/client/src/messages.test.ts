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

test('a failure to connect says the address, what happened and what to do', async () => {
  for (const [answer, words] of [
    [refused(), 'The connection failed. Check the address and the network. (ECONNREFUSED)'],
    [{ name: 'x' }, 'No world answered here. Check the address.'],
    [new Response('<html>'), 'No world answered here. Check the address.'],
    [new Response('<html>', { status: 502 }), 'No world answered here. Check the address. (http_502)'],
    [
      { protocol: 'world/0.9', endpoints: {} },
      'The world has another version. Get a newer client. (offered "world/0.9", supported ["world/0.1"])',
    ],
  ] as const) {
    assert.equal(await messageOf(connecting(answer)), `${DISCOVERY}: ${words}`)
  }
})

test('an invalid argument is reported without an address, since nothing was sent', async () => {
  assert.equal(
    await messageOf(connect('sol.example')),
    'Nothing was sent: this cannot be asked for. (origin "not http(s)://host[:port]")',
  )
  const world = await connecting(DOCUMENT)
  assert.match(await messageOf(world.list('sol:moon', { limit: -1 })), /^Nothing was sent.* \(limit -1\)$/)
})

test('calls and walks of a world fail with such messages too, with their cause and all else unchanged', async () => {
  const broken = refused()
  const world = await connecting(DOCUMENT, broken, DOCUMENT, broken, DOCUMENT)
  const url = 'https://data.sol.example/w/v3/entities/sol%3Amoon'
  await assert.rejects(world.get('sol:moon', 'europa'), {
    code: 'network_error',
    message: `${url}/europa: The connection failed. Check the address and the network. (ECONNREFUSED)`,
    status: 0,
    details: {},
    url: `${url}/europa`,
    cause: broken,
  })
  assert.match(await messageOf(world.entities('sol:moon').toArray({ max: 1 })), /: The connection failed\./)
})

test("a world's own error message is kept, even if it uses a code of the client", async () => {
  const told = { code: 'timeout', message: 'The moon is behind the planet.' }
  const world = await connecting(
    DOCUMENT,
    failure(404, 'entity_not_found'),
    Response.json(told, { status: 500 }),
  )
  assert.equal(await messageOf(world.get('sol:moon', 'x')), 'It is entity_not_found.')
  assert.equal(await messageOf(world.get('sol:moon', 'x')), 'The moon is behind the planet.')
})

test("only the system's error code of a cause is repeated", async () => {
  const secret = Object.assign(new Error('Bearer s3cret'), { code: 's3cret' })
  const message = await messageOf(connecting(new TypeError('s3cret', { cause: secret })))
  assert.equal(message, `${DISCOVERY}: The connection failed. Check the address and the network.`)
})
