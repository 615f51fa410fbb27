import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connect } from './connect.ts'
import { isWorldError, WorldError } from './error.ts'
import { type Answer, DOCUMENT, failure, json, SECRET, scriptedFetch } from './scripted-fetch.fixture.ts'

const ORIGIN = 'https://sol.example'
const EUROPA = 'https://data.sol.example/w/v3/entities/sol%3Amoon/europa'

/** Makes the jitter choose its minimum, so that retries follow without pauses. */
function withoutPauses(t: TestContext) {
  t.mock.method(Math, 'random', () => 0)
}

/** Waits until all pending promise callbacks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

async function worldOf(options: object, ...answers: Answer[]) {
  const script = scriptedFetch(DOCUMENT, ...answers)
  const world = await connect(ORIGIN, { fetch: script.fetch, ...options })
  return { world, ...script }
}

test('a protocol error carries its status, code, details, url and request id', async () => {
  const body = { code: 'invalid_id', message: 'No id.', details: { id: 'x', reason: 'y' }, requestId: 'r-9' }
  const { world } = await worldOf(SECRET, json(400, body, { 'retry-after': '3' }))
  await assert.rejects(world.get('sol:moon', 'europa'), (error) => {
    assert.ok(error instanceof WorldError)
    assert.deepEqual(JSON.parse(JSON.stringify(error)), {
      name: 'WorldError',
      message: 'No id.',
      status: 400,
      code: 'invalid_id',
      details: { id: 'x', reason: 'y' },
      url: EUROPA,
      requestId: 'r-9',
      retryAfter: 3,
    })
    return true
  })
})

test('details default to {} and the request id to the response header', async () => {
  const body = { code: 'forbidden', message: 'No.', details: null }
  const { world } = await worldOf({}, json(403, body, { 'request-id': 'h-1' }))
  await assert.rejects(world.get('sol:moon', 'europa'), { code: 'forbidden', details: {}, requestId: 'h-1' })
})

test('only a JSON object with a string code and a string message is a protocol error', async () => {
  const bodies = [
    '',
    '<html>',
    'null',
    '[]',
    '"x"',
    '{"code":"x"}',
    '{"message":"x"}',
    '{"code":5,"message":"x"}',
    '{"error":{"code":"x","message":"y"}}',
    '{"code":"x","message":null}',
  ]
  for (const body of bodies) {
    const { world } = await worldOf({}, new Response(body, { status: 403 }))
    await assert.rejects(world.get('sol:moon', 'europa'), {
      code: 'http_403',
      status: 403,
      details: {},
      url: EUROPA,
    })
  }
})

test('a non-success status without a protocol error fails with http_<status>, even below 400', async () => {
  for (const status of [300, 304, 305]) {
    const { world } = await worldOf({}, new Response(null, { status }))
    await assert.rejects(world.get('sol:moon', 'europa'), { code: `http_${status}`, status })
  }
})

for (const status of [408, 429, 502, 503, 504]) {
  test(`a read is retried after ${status}, by default twice`, async (t) => {
    withoutPauses(t)
    const { world, sent } = await worldOf({}, failure(status, 'a'), failure(status, 'b'), { id: 'europa' })
    assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
    assert.equal(sent.length, 4)
    const tired = await worldOf({ retries: 1 }, failure(status, 'a'), failure(status, 'b'), { id: 'europa' })
    await assert.rejects(tired.world.get('sol:moon', 'europa'), { code: 'b', status })
    assert.equal(tired.sent.length, 3)
    const last = await worldOf({}, failure(status, 'a'), failure(status, 'b'), failure(status, 'c'), {
      id: 'europa',
    })
    await assert.rejects(last.world.get('sol:moon', 'europa'), { code: 'c', status })
  })
}

test('a read is retried after a connection failure, and the last failure becomes the cause', async (t) => {
  withoutPauses(t)
  const failed = new TypeError('fetch failed')
  // Between the first and the second attempt, the client checks whether the API has moved.
  const { world, sent } = await worldOf({}, failed, DOCUMENT, failed, { id: 'europa' })
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  assert.equal(sent.length, 5)
  // The client checks only once, even if the call is retried several times.
  const offline = await worldOf({}, failed, failed, { id: 'europa' })
  assert.equal((await offline.world.get('sol:moon', 'europa')).id, 'europa')
  assert.equal(offline.sent.length, 4)
  const lost = await worldOf({ retries: 0 }, failed, DOCUMENT)
  await assert.rejects(lost.world.get('sol:moon', 'europa'), {
    code: 'network_error',
    status: 0,
    cause: failed,
    url: EUROPA,
  })
})

test('a truncated body is treated as a connection failure', async (t) => {
  withoutPauses(t)
  const broken = () => {
    let pulls = 0
    const pull = (c: ReadableStreamDefaultController) =>
      pulls++ ? c.error(new Error('reset')) : c.enqueue(new TextEncoder().encode('{"id"'))
    return new Response(new ReadableStream({ pull }))
  }
  const { world } = await worldOf({}, broken, DOCUMENT, { id: 'europa' })
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  const lost = await worldOf({ retries: 0 }, broken, DOCUMENT)
  await assert.rejects(lost.world.get('sol:moon', 'europa'), { code: 'network_error', status: 0 })
})

test('a call is retried with the same key if its action accepts keys, and not retried otherwise', async (t) => {
  let drawn = 0
  t.mock.method(Math, 'random', () => (drawn++ === 0 ? 0.5 : 0))
  const result = { action: 'sol:land', output: 1 }
  const document = {
    ...DOCUMENT,
    actions: [{ name: 'sol:land', safe: false, idempotencyKey: true }, { name: 'sol:go' }],
  }
  const answers = [new TypeError('gone'), document, failure(409, 'idempotency_in_progress'), result]
  const { fetch, sent } = scriptedFetch(document, ...answers, result, new TypeError('gone'))
  const world = await connect(ORIGIN, { fetch })
  assert.equal((await world.action('sol:land')).output, 1)
  const keys = () =>
    sent.filter(({ method }) => method === 'POST').map(({ headers }) => headers.get('idempotency-key'))
  assert.deepEqual(keys(), ['0.5', '0.5', '0.5'])
  await world.action('sol:land', {}, { idempotencyKey: 'mine' })
  await assert.rejects(world.action('sol:go', {}, { idempotencyKey: 'mine' }), { code: 'network_error' })
  assert.deepEqual(keys().slice(3), ['mine', 'mine'])
})

test('other error statuses are not retried', async (t) => {
  withoutPauses(t)
  for (const status of [400, 401, 403, 404, 410, 500, 501]) {
    const { world, sent } = await worldOf({}, failure(status, 'x'), { id: 'europa' })
    await assert.rejects(world.get('sol:moon', 'europa'), { code: 'x', status })
    assert.equal(sent.length, 2)
  }
})

test('the discovery request is retried', async (t) => {
  withoutPauses(t)
  const { fetch, sent } = scriptedFetch(new TypeError('x'), failure(503, 'unavailable'), DOCUMENT)
  await connect(ORIGIN, { fetch })
  assert.equal(sent.length, 3)
})

test('discover and safe actions are retried but other actions are not', async (t) => {
  withoutPauses(t)
  const found = await worldOf({}, failure(503, 'unavailable'), { output: { entities: [] } })
  await found.world.discover({ text: 'ice' })
  assert.equal(found.sent[2]?.body, '{"input":{"text":"ice"}}')
  const actions = [null, 'odd', { name: 'sol:count', safe: true }, { name: 'sol:launch', safe: false }]
  for (const [name, tries] of [
    ['sol:count', 2],
    ['sol:launch', 1],
    ['sol:unlisted', 1],
  ] as const) {
    const { fetch, sent } = scriptedFetch({ ...DOCUMENT, actions }, failure(503, 'unavailable'), {
      output: 1,
    })
    const outcome = await (await connect(ORIGIN, { fetch })).action(name, {}).catch((error) => error.code)
    assert.equal(sent.length, 1 + tries, name)
    assert.equal(outcome === 'unavailable', tries === 1)
  }
})

test('each pause is a random fraction of a limit that doubles with every retry', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  t.mock.method(Math, 'random', () => 0.5)
  const busy = () => failure(503, 'unavailable')
  const { world, sent } = await worldOf({ retries: 3 }, busy, busy, busy, { id: 'europa' })
  const call = world.get('sol:moon', 'europa')
  for (const [ms, requests] of [
    [125, 3],
    [250, 4],
    [500, 5],
  ] as const) {
    await settled()
    t.mock.timers.tick(ms - 1)
    await settled()
    assert.equal(sent.length, requests - 1)
    t.mock.timers.tick(1)
    await settled()
    assert.equal(sent.length, requests)
  }
  assert.equal((await call).id, 'europa')
})

for (const [form, header] of [
  ['seconds', '7'],
  ['an HTTP date', 'Thu, 01 Jan 1970 00:00:07 GMT'],
] as const) {
  test(`a retry waits for a Retry-After in ${form}`, async (t) => {
    withoutPauses(t)
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    const { world, sent } = await worldOf({}, failure(429, 'rate_limited', { 'retry-after': header }), {
      id: 'europa',
    })
    const call = world.get('sol:moon', 'europa')
    await settled()
    t.mock.timers.tick(6999)
    await settled()
    assert.equal(sent.length, 2)
    t.mock.timers.tick(1)
    assert.equal((await call).id, 'europa')
  })
}

test('a call fails immediately if Retry-After exceeds its deadline', async () => {
  const { world, sent } = await worldOf({}, failure(503, 'unavailable', { 'retry-after': '30' }), {
    id: 'europa',
  })
  await assert.rejects(world.get('sol:moon', 'europa'), { code: 'unavailable', retryAfter: 30 })
  assert.equal(sent.length, 2)
})

test('an invalid Retry-After is ignored and a past date counts as 0', async () => {
  for (const [header, retryAfter] of [
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Thu, 01 Jan 1970 00:00:07 GMT', 0],
  ] as const) {
    const { world } = await worldOf({ retries: 0 }, failure(429, 'rate_limited', { 'retry-after': header }))
    await assert.rejects(world.get('sol:moon', 'europa'), { code: 'rate_limited', retryAfter })
  }
})

test('a call rejects with a WorldError for any value that fetch throws', async () => {
  for (const thrown of ['text', null, 5, new Error('x')]) {
    const fetch = async () => Promise.reject(thrown)
    await assert.rejects(connect(ORIGIN, { fetch, retries: 0 }), (error) => {
      assert.ok(isWorldError(error))
      assert.equal(error.code, 'network_error')
      assert.equal(error.cause, thrown)
      return true
    })
  }
})

test("the runtime's current fetch is used by default", async (t) => {
  const { fetch, sent } = scriptedFetch(DOCUMENT)
  t.mock.method(globalThis, 'fetch', fetch)
  await connect(ORIGIN)
  assert.equal(sent.length, 1)
})
