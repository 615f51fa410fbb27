import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { isWorldError } from './error.ts'
import { DOCUMENT, failure, SECRET, scriptedFetch } from './scripted-fetch.fixture.ts'

const ORIGIN = 'https://sol.example'
const document = (changes: object) => ({ ...DOCUMENT, ...changes })

test('connect requests only the discovery document at the well-known path', async () => {
  const { fetch, sent } = scriptedFetch(document({ x: { unknown: [1] } }))
  const world = await connect(ORIGIN, { fetch })
  assert.equal(sent.length, 1)
  assert.equal(sent[0]?.url, 'https://sol.example/.well-known/world.json')
  assert.equal(sent[0]?.method, 'GET')
  assert.equal(sent[0]?.headers.get('accept'), 'application/json')
  assert.equal(sent[0]?.headers.has('content-type'), false)
  assert.equal(world.origin, 'https://sol.example')
  assert.equal(world.id, 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001')
  assert.deepEqual(world.document, document({ x: { unknown: [1] } }))
})

test('a document needs only protocol and endpoints.api', async () => {
  const { fetch } = scriptedFetch({ protocol: 'world/0.1', endpoints: { api: 'https://h.example/w' } })
  assert.equal((await connect(ORIGIN, { fetch })).id, undefined)
})

test('a malformed origin is refused before any request is sent', async () => {
  const { fetch, sent } = scriptedFetch(DOCUMENT)
  for (const origin of [
    'https://sol.example/w',
    'https://a:b@sol.example',
    'sol.example',
    undefined as unknown as string,
  ]) {
    await assert.rejects(connect(origin, { fetch }), { code: 'invalid_argument', status: 0 })
  }
  assert.equal(sent.length, 0)
})

test('a document that does not describe a world fails with not_a_world', async () => {
  const html = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
  for (const body of [
    html,
    {},
    [],
    { protocol: 5 },
    { protocol: ['world/0.1'] },
    { protocol: { toString: 1 } },
    { protocol: 'http/1.1' },
    document({ protocol: undefined }),
  ]) {
    const { fetch } = scriptedFetch(body)
    await assert.rejects(connect(ORIGIN, { fetch }), {
      code: 'not_a_world',
      status: 200,
      url: 'https://sol.example/.well-known/world.json',
    })
  }
})

test('a different protocol version fails with unsupported_protocol', async () => {
  for (const offered of ['world/0.2', 'world/1', 'world/0.1.0']) {
    const { fetch } = scriptedFetch({ protocol: offered })
    const details = { offered, supported: ['world/0.1'] }
    await assert.rejects(connect(ORIGIN, { fetch }), { code: 'unsupported_protocol', details })
  }
})

test('an endpoints.api that is not a plain absolute URL fails with invalid_response and receives no request', async () => {
  const wrong = [
    '/w/v3',
    '//h.example/w',
    'https://u:p@h.example/w',
    'https://h.example/w?v=3',
    'https://h.example/#w',
    'ftp://h.example',
    '',
    null,
    7,
  ]
  for (const api of wrong) {
    const { fetch, sent } = scriptedFetch(document({ endpoints: { api } }))
    await assert.rejects(connect(ORIGIN, { fetch }), { code: 'invalid_response' }, `${api}`)
    assert.equal(sent.length, 1)
  }
  for (const endpoints of [undefined, null, {}, 'https://h.example']) {
    const { fetch } = scriptedFetch(document({ endpoints }))
    await assert.rejects(connect(ORIGIN, { fetch }), { code: 'invalid_response' })
  }
})

test('expectWorldId compares world.id as an exact string', async () => {
  const id = 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001'
  assert.equal((await connect(ORIGIN, { fetch: scriptedFetch(DOCUMENT).fetch, expectWorldId: id })).id, id)
  const upper = connect(ORIGIN, { fetch: scriptedFetch(DOCUMENT).fetch, expectWorldId: id.toUpperCase() })
  await assert.rejects(upper, { code: 'world_mismatch', details: { expected: id.toUpperCase(), actual: id } })
  const without = scriptedFetch({ protocol: 'world/0.1', endpoints: { api: 'https://h.example' } })
  await assert.rejects(connect(ORIGIN, { fetch: without.fetch, expectWorldId: id }), {
    code: 'world_mismatch',
  })
})

test('connect fails with the HTTP status if the document is missing', async () => {
  const plain = scriptedFetch(new Response('nothing here', { status: 404 }))
  await assert.rejects(connect(ORIGIN, { fetch: plain.fetch }), { code: 'http_404', status: 404 })
  const spoken = scriptedFetch(failure(403, 'forbidden'))
  await assert.rejects(connect(ORIGIN, { fetch: spoken.fetch }), {
    code: 'forbidden',
    status: 403,
    requestId: 'r-1',
  })
})

test('the token goes to the API and not to discovery', async () => {
  const { fetch, sent } = scriptedFetch(DOCUMENT, {})
  const world = await connect(ORIGIN, { fetch, ...SECRET })
  await world.get('sol:moon', 'europa')
  assert.equal(sent[0]?.headers.has('authorization'), false)
  assert.equal(sent[1]?.headers.get('authorization'), 'Bearer s3cret')
})

test('a token never goes over plain http beyond loopback', async () => {
  const plain = scriptedFetch(document({ endpoints: { api: 'http://data.sol.example/w' } }))
  await assert.rejects(connect(ORIGIN, { fetch: plain.fetch, token: 't' }), { code: 'insecure_endpoint' })
  assert.equal(plain.sent.length, 1)
  const local = scriptedFetch(document({ endpoints: { api: 'http://127.0.0.1:81/w' } }))
  await connect('http://127.0.0.1:81', { fetch: local.fetch, token: 't' })
  const open = scriptedFetch(document({ endpoints: { api: 'http://data.sol.example/w' } }))
  await connect(ORIGIN, { fetch: open.fetch })
})

test('an Authorization header is sent only to the API, and an empty token is ignored', async () => {
  const { fetch, sent } = scriptedFetch(DOCUMENT, {})
  const world = await connect(ORIGIN, {
    fetch,
    headers: { Authorization: 'Basic eDp5' },
    ...SECRET,
    token: '',
  })
  await world.get('sol:moon', 'europa')
  assert.equal(sent[0]?.headers.has('authorization'), false)
  assert.equal(sent[1]?.headers.get('authorization'), 'Basic eDp5')
})

test('custom headers are sent with every request but cannot replace Accept', async () => {
  const { fetch, sent } = scriptedFetch(DOCUMENT, {})
  const world = await connect(ORIGIN, { fetch, headers: { 'User-Agent': 'probe/1', Accept: 'text/html' } })
  await world.get('sol:moon', 'europa')
  for (const { headers } of sent) {
    assert.equal(headers.get('user-agent'), 'probe/1')
    assert.equal(headers.get('accept'), 'application/json')
  }
})

test('invalid options are refused without revealing a secret', async () => {
  const { fetch, sent } = scriptedFetch(DOCUMENT)
  const wrong = [
    { token: 'hunter2\nx' },
    { token: 'hunter2', tokenOrigins: ['sol.example'] },
    { headers: { 'x-key': 'hunter2\n' + 'x' } },
    { headers: { 'x y': 'hunter2' } },
    { timeout: 0 },
    { timeout: Number.NaN },
    { attemptTimeout: -1 },
    { retries: -1 },
  ]
  for (const options of wrong) {
    await assert.rejects(connect(ORIGIN, { fetch, ...options }), (error) => {
      assert.ok(isWorldError(error))
      assert.equal(error.code, 'invalid_argument', JSON.stringify(options))
      assert.ok(!`${error.stack}${JSON.stringify(error)}${error.cause}`.includes('hunter2'))
      return true
    })
  }
  assert.equal(sent.length, 0)
})

test('the signal passed to connect cancels connecting but not later calls', async () => {
  const controller = new AbortController()
  const { fetch } = scriptedFetch(DOCUMENT, { type: 'sol:moon', id: 'europa' })
  const world = await connect(ORIGIN, { fetch, signal: controller.signal })
  controller.abort()
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  await assert.rejects(connect(ORIGIN, { fetch, signal: controller.signal }), { code: 'aborted' })
})

test('a request refused by the allow option is neither sent nor retried', async () => {
  const { fetch, sent } = scriptedFetch(DOCUMENT)
  const options = { fetch, allow: async (url: URL) => url.hostname !== 'data.sol.example' }
  const world = await connect(ORIGIN, options)
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'insecure_endpoint', url: /data\.sol\.example/ })
  await assert.rejects(connect(ORIGIN, { fetch, allow: () => false }), { code: 'insecure_endpoint' })
  await assert.rejects(connect(ORIGIN, { fetch, allow: () => 1 as unknown as boolean }), {
    code: 'insecure_endpoint',
  })
  assert.equal(sent.length, 1)
})
