import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { type Store, StoreFault } from '../store/contract.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createWorld, type WorldHandler } from './handler.ts'
import type { WorldRequest } from './http.ts'
import type { LogEvent } from './options.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN, overStores } from './world.fixture.ts'

overStores('the discovery document has the specified members, with types in order', async ({ sol }) => {
  const { send } = await sol()
  const response = await send('GET', '/.well-known/world.json')
  assert.equal(response.status, 200)
  assert.equal(response.headers['cache-control'], 'public, max-age=60, stale-if-error=86400')
  const { actions, revision, ...rest } = response.json()
  assert.match(revision, /^.{8,}$/)
  assert.deepEqual(
    actions.map((action: { name: string; safe: boolean }) => [action.name, action.safe]),
    [['wp:discover', true]],
  )
  assert.deepEqual(rest, {
    protocol: 'world/0.1',
    world: { id: DESCRIPTION.id, name: 'Sol' },
    endpoints: { api: 'https://sol.example/api/world/v0' },
    entityTypes: [
      { type: 'sol:moon', title: 'Moon' },
      { type: 'sol:planet', title: 'Planet' },
    ],
    limits: {
      list: { default: 50, max: 200 },
      discover: { default: 20, max: 100 },
      maxRequestBytes: 65536,
      maxTextLength: 512,
      maxTypes: 32,
    },
    authentication: { required: false, schemes: [] },
    extensions: {},
  })
})

overStores('an entity is served with its times, its revision and a weak entity tag', async ({ sol }) => {
  const { send } = await sol()
  const response = await send('GET', `${API}/entities/sol%3Amoon/europa`)
  const entity = response.json()
  assert.deepEqual(Object.keys(entity), [
    'type',
    'id',
    'title',
    'attributes',
    'createdAt',
    'updatedAt',
    'revision',
  ])
  assert.equal(entity.createdAt, '2026-03-01T09:00:00Z')
  assert.match(entity.revision, /^[A-Za-z0-9_-]{22}$/)
  assert.equal(response.headers['etag'], `W/"${entity.revision}"`)
  assert.equal(response.headers['cache-control'], 'public, no-cache')
  assert.equal(response.headers['content-length'], String(Buffer.byteLength(response.text)))
})

overStores('an id in a path is one encoded component, and is normalised to NFC', async ({ sol }) => {
  const { send } = await sol()
  assert.equal((await send('GET', `${API}/entities/sol:moon/a%2Fb%20c`)).json().id, 'a/b c')
  assert.equal((await send('GET', `${API}/entities/sol%3amoon/%E7%81%AB`)).json().id, '火')
  const { send: other, store } = await sol()
  await store.write([{ put: { type: 'sol:moon', id: '\u00e9', attributes: {} } }])
  assert.equal((await other('GET', `${API}/entities/sol:moon/e%CC%81`)).json().id, '\u00e9')
})

overStores('a cursor walk returns every entity once, in UTF-8 order', async ({ sol }) => {
  const { send } = await sol()
  const ids: string[] = []
  let cursor = ''
  for (;;) {
    const page = (await send('GET', `${API}/entities/sol:moon?limit=2${cursor}`)).json()
    assert.deepEqual([page.limit, page.total], [2, 6])
    ids.push(...page.entities.map((entity: { id: string }) => entity.id))
    assert.ok(ids.length <= 6, 'a walk without end')
    if (!('nextCursor' in page)) break
    cursor = `&cursor=${page.nextCursor}`
  }
  assert.deepEqual(ids, ['a/b c', 'callisto', 'europa', 'ganymede', 'io', '火'])
})

overStores('limit 0 returns only the total, and large limits are capped', async ({ sol }) => {
  const { send } = await sol()
  assert.deepEqual((await send('GET', `${API}/entities/sol:moon?limit=0`)).json(), {
    entities: [],
    limit: 0,
    total: 6,
  })
  assert.equal((await send('GET', `${API}/entities/sol:moon?limit=9999999999999999999999`)).json().limit, 200)
  assert.deepEqual((await send('GET', `${API}/entities/sol:planet`)).json(), {
    entities: [],
    limit: 50,
    total: 0,
  })
})

overStores('discover warns about unknown types and members', async ({ sol }) => {
  const { send } = await sol()
  const body = JSON.stringify({ input: { text: 'europa', types: ['sol:moon', 'x:unknown'], colour: 1 } })
  const answer = (await send('POST', `${API}/actions/wp%3Adiscover`, JSON_TYPE, body)).json()
  assert.equal(answer.action, 'wp:discover')
  assert.deepEqual(
    answer.warnings.map((warning: { code: string; field: string }) => [warning.code, warning.field]),
    [
      ['unknown_type', '/input/types/1'],
      ['unknown_field', '/input/colour'],
    ],
  )
  const { entities, ...numbers } = answer.output
  assert.equal(entities[0].id, 'europa')
  assert.deepEqual(numbers, {
    limit: 20,
    total: 1,
    counts: { 'sol:moon': 1 },
    truncated: false,
    matched: ['europa'],
  })
})

overStores('every error response has a code, a message, CORS and no-store', async ({ sol }) => {
  const { send } = await sol({ publicUrl: ORIGIN, retiredApiPaths: ['/api/old'] })
  const discover = `${API}/actions/wp:discover`
  const cases = [
    ['GET', '/nowhere', {}, undefined, 404, 'not_found'],
    ['GET', `${API}/entities/sol:moon/`, {}, undefined, 404, 'not_found'],
    ['GET', `${API}/entities//europa`, {}, undefined, 404, 'not_found'],
    ['GET', `${API}/entities/sol:moon/%zz`, {}, undefined, 400, 'invalid_request'],
    ['GET', `${API}/entities/moon`, {}, undefined, 400, 'invalid_type'],
    ['GET', `${API}/entities/sol:comet`, {}, undefined, 404, 'unknown_type'],
    ['GET', `${API}/entities/sol:moon/..`, {}, undefined, 400, 'invalid_id'],
    ['GET', `${API}/entities/sol:moon/a%2F..%2Fb`, {}, undefined, 400, 'invalid_id'],
    ['GET', `${API}/entities/sol:moon/vulcan`, {}, undefined, 404, 'entity_not_found'],
    ['GET', `${API}/entities/sol:moon?limit=-1`, {}, undefined, 400, 'invalid_parameter'],
    ['GET', `${API}/entities/sol:moon?cursor=abc`, {}, undefined, 400, 'invalid_cursor'],
    ['GET', '/api/old/entities/sol:moon', {}, undefined, 410, 'api_moved'],
    ['GET', `/${'x'.repeat(9000)}`, {}, undefined, 414, 'uri_too_long'],
    ['GET', `${API}/entities/sol:moon`, { accept: 'text/html' }, undefined, 406, 'not_acceptable'],
    ['DELETE', `${API}/entities/sol:moon/io`, {}, undefined, 405, 'method_not_allowed'],
    ['GET', discover, {}, undefined, 405, 'method_not_allowed'],
    ['POST', `${API}/actions/wp:destroy`, JSON_TYPE, '{}', 404, 'unknown_action'],
    ['POST', discover, {}, '{"input":{}}', 415, 'unsupported_media_type'],
    [
      'POST',
      discover,
      { 'content-type': 'application/json; charset=latin1' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    ['POST', discover, { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}', 415, 'unsupported_media_type'],
    ['POST', discover, JSON_TYPE, '{', 400, 'invalid_json'],
    ['POST', discover, JSON_TYPE, '[]', 400, 'invalid_input'],
    ['POST', discover, JSON_TYPE, '{}', 400, 'invalid_input'],
    ['POST', discover, JSON_TYPE, '{"input":null}', 400, 'invalid_input'],
    ['POST', discover, JSON_TYPE, `{"input":{"text":"${'x'.repeat(513)}"}}`, 400, 'invalid_input'],
    ['POST', discover, { ...JSON_TYPE, 'content-length': '65537' }, '', 413, 'payload_too_large'],
    ['POST', discover, JSON_TYPE, ' '.repeat(65537), 413, 'payload_too_large'],
  ] as const
  for (const [method, target, headers, body, status, code] of cases) {
    const response = await send(method, target, headers, body)
    const about = `${method} ${target.slice(0, 60)}`
    assert.equal(response.status, status, about)
    const error = response.json()
    assert.equal(error.code, code, about)
    assert.ok(typeof error.message === 'string' && error.message.length > 10, about)
    assert.equal(typeof error.details, 'object', about)
    assert.equal(error.requestId, response.headers['request-id'], about)
    assert.equal(response.headers['world-error-code'], code, about)
    assert.equal(response.headers['cache-control'], 'no-store', about)
    assert.equal(response.headers['access-control-allow-origin'], '*', about)
  }
})

overStores('an unexpected error is logged, and the response reveals no details', async ({ sol }) => {
  const events: unknown[] = []
  const { store } = await sol()
  const broken = { ...store, get: () => Promise.reject(new Error('secret path /etc')) }
  const log = (event: LogEvent) => events.push(event)
  const handler = createWorld({ ...DESCRIPTION, store: broken, publicUrl: ORIGIN, log })
  const response = await handler.handle({
    method: 'GET',
    target: `${API}/entities/sol:moon/io`,
    headers: {},
  })
  assert.equal(response.status, 500)
  const text = Buffer.from(response.body as Uint8Array).toString()
  assert.equal(JSON.parse(text).code, 'internal_error')
  assert.doesNotMatch(text, /secret/)
  assert.equal(events.length, 1)
})

test('an overloaded store leads to 503 with varying Retry-After values', async () => {
  const events: LogEvent[] = []
  const store: Store = {
    ...createMemoryStore(),
    find: () => Promise.reject(new StoreFault('overloaded', 'Too many.')),
  }
  const handler = createWorld({
    ...DESCRIPTION,
    store,
    publicUrl: ORIGIN,
    log: (event) => events.push(event),
  })
  const times = new Set<string | undefined>()
  for (let count = 0; count < 50; count++) {
    const { status, headers, body } = await discover(handler)
    times.add(headers['retry-after'])
    const { details } = JSON.parse(Buffer.from(body as Uint8Array).toString())
    assert.equal(status, 503)
    assert.deepEqual(details, { reason: 'overloaded', retryAfterSeconds: Number(headers['retry-after']) })
  }
  assert.ok(times.size > 1 && [...times].every((time) => Number(time) >= 1 && Number(time) <= 5))
  // Refusals are logged without a stack trace.
  assert.ok(events.every(({ error }) => error === 'Too many requests wait already. Try again later.'))
})

test('a search is attributed to the client given by the adapter, never to one named in a header', async () => {
  const heard: unknown[] = []
  const empty = createMemoryStore()
  const store: Store = {
    ...empty,
    find(query) {
      heard.push(query.client)
      return empty.find(query)
    },
  }
  const client = { address: '10.0.0.1', connection: 4711 }
  const forwarded = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
  for (const trustProxy of [false, true]) {
    const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN, trustProxy })
    await discover(handler, { client, headers: { ...JSON_TYPE, ...forwarded } })
  }
  assert.deepEqual(heard, [client, client])
})

function discover(handler: WorldHandler, request: Partial<WorldRequest> = {}) {
  async function* body() {
    yield Buffer.from('{"input":{"text":"io"}}')
  }
  const target = `${API}/actions/wp:discover`
  return handler.handle({ method: 'POST', target, headers: JSON_TYPE, body: body(), ...request })
}

test('an action that times out returns 504, and its store call is aborted', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const begun = Promise.withResolvers<AbortSignal | undefined>()
  const store: Store = {
    ...createMemoryStore(),
    // Ignores its signal.
    find: ({ signal }) => {
      begun.resolve(signal)
      return new Promise(() => {})
    },
  }
  const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })
  async function* body() {
    yield Buffer.from('{"input":{}}')
  }
  const target = `${API}/actions/wp:discover`
  const response = handler.handle({ method: 'POST', target, headers: JSON_TYPE, body: body() })
  const signal = await begun.promise
  t.mock.timers.tick(5_000)
  const { status, headers } = await response
  assert.deepEqual([status, headers['world-error-code'], signal?.aborted], [504, 'action_timeout', true])
})

test('a completed action leaves no listener on its signal', async () => {
  const memory = createMemoryStore()
  let seen: AbortSignal | undefined
  const find: Store['find'] = (query) => {
    seen = query.signal
    return memory.find(query)
  }
  const handler = createWorld({ ...DESCRIPTION, store: { ...memory, find }, publicUrl: ORIGIN })
  async function* body() {
    yield Buffer.from('{"input":{}}')
  }
  const target = `${API}/actions/wp:discover`
  const { signal } = new AbortController()
  const { status } = await handler.handle({
    method: 'POST',
    target,
    headers: JSON_TYPE,
    body: body(),
    signal,
  })
  assert.equal(status, 200)
  assert.ok(seen)
  assert.deepEqual([getEventListeners(seen, 'abort'), getEventListeners(signal, 'abort')], [[], []])
})
