import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { Operator } from './operator/operator.ts'
import { type Answer, DOCUMENT, failure, SECRET, scriptedFetch } from './scripted-fetch.fixture.ts'

const ORIGIN = 'https://sol.example'
const DISCOVERY = `${ORIGIN}/.well-known/world.json`
const { token } = SECRET

const at = (api: string, more?: object) => ({ ...DOCUMENT, endpoints: { api }, ...more })

function connecting(options: object, ...answers: Answer[]) {
  const { fetch, sent, urls } = scriptedFetch(...answers)
  return { world: connect(ORIGIN, { fetch, retries: 0, ...options }), sent, urls }
}

test('a token is not sent to another origin that discovery names', async () => {
  const details = {
    api: 'https://evil.example',
    namedBy: DISCOVERY,
    tokenOrigins: [ORIGIN, 'https://data.sol.example'],
  }
  for (const options of [SECRET, { ...SECRET, token: '', headers: { Authorization: 'Basic eDp5' } }]) {
    const { world, sent } = connecting(options, at('https://evil.example/w'))
    await assert.rejects(world, {
      code: 'insecure_endpoint',
      url: DISCOVERY,
      details,
      message: `${DISCOVERY}: Nothing was sent: it is not allowed. (api "https://evil.example", namedBy "${DISCOVERY}", tokenOrigins ["https://sol.example","https://data.sol.example"])`,
    })
    assert.equal(sent.length, 1)
  }
  // An origin consists of scheme, host and port.
  for (const api of ['https://sol.example:8443/w', 'https://api.sol.example/w', 'https://sol.example.evil/w'])
    await assert.rejects(connecting({ token }, at(api)).world, { code: 'insecure_endpoint' }, api)
})

test('a token is not sent to an origin reached by a discovery redirect', async () => {
  const location = 'https://evil.example/.well-known/world.json'
  const moved = () => new Response(null, { status: 301, headers: { location } })
  const { world, sent } = connecting({ token }, moved, at('https://evil.example/w'))
  const details = { api: 'https://evil.example', namedBy: location, tokenOrigins: [ORIGIN] }
  await assert.rejects(world, { code: 'insecure_endpoint', details })
  assert.ok(sent.every(({ headers }) => !headers.has('authorization')))
  await connecting({ token }, moved, at('https://sol.example/w')).world
})

test('a token is not sent to the new origin of a moved API or of a stored world', async () => {
  const elsewhere = at('https://evil.example/w')
  const { world, sent } = connecting({ token }, at(`${ORIGIN}/w`), failure(410, 'api_moved'), elsewhere)
  const connected = await world
  await assert.rejects(connected.get('sol:moon', 'europa'), { code: 'insecure_endpoint' })
  assert.equal(sent.length, 3)
  const stored = { origin: ORIGIN, document: elsewhere }
  await assert.rejects(connect(stored, { token }), { code: 'insecure_endpoint' })
})

test('a token is sent to an allowed origin, and without a token any origin is accepted', async () => {
  const tokenOrigins = ['HTTPS://API.example:443/']
  const { world, sent } = connecting({ token, tokenOrigins }, at('https://api.example/w'), { id: 'europa' })
  await (await world).get('sol:moon', 'europa')
  assert.equal(sent[1]?.headers.get('authorization'), 'Bearer s3cret')
  await connecting({}, at('https://evil.example/w')).world
})

test('a token is not sent over plain http, even to an allowed origin', async () => {
  const tokenOrigins = ['http://api.example']
  const { world, sent } = connecting({ token, tokenOrigins }, at('http://api.example/w'))
  await assert.rejects(world, { code: 'insecure_endpoint' })
  assert.equal(sent.length, 1)
})

test('a token is not sent to another origin named by the operator path', async () => {
  for (const path of ['//evil.example/o', '/\\evil.example/o', '/\t/evil.example/o', '/\n\\evil.example/o']) {
    const extensions = { 'worldwright:operator': { path } }
    const { world, sent } = connecting({ token }, at(`${ORIGIN}/w`, { extensions }))
    const operator = new Operator(await world)
    await assert.rejects(operator.delete('sol:moon', 'io'), { code: 'unsupported_extension' }, path)
    assert.equal(sent.length, 1)
  }
})
