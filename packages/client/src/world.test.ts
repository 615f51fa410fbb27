import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { type Answer, DOCUMENT, failure, json, scriptedFetch } from './scripted-fetch.fixture.ts'

const ORIGIN = 'https://sol.example'
const API = 'https://data.sol.example/w/v3'
const MOVED = { ...DOCUMENT, endpoints: { api: 'https://data.sol.example/w/v4' } }

/** Connects to a world. `sent` and `urls` record only the requests sent after connecting. */
async function connected(...answers: Answer[]) {
  const script = scriptedFetch(...answers)
  let first = true
  const fetch = (url: string, init: RequestInit) => {
    if (!first) return script.fetch(url, init)
    first = false
    return Promise.resolve(json(200, DOCUMENT))
  }
  const world = await connect(ORIGIN, { fetch, retries: 0 })
  return { world, ...script }
}

test('get requests a path in which type and id are one component each', async () => {
  const entity = { type: 'sol:moon', id: 'a/b', attributes: {}, x: 1 }
  const { world, sent } = await connected(entity)
  assert.deepEqual(await world.get('sol:moon', 'a/b'), entity)
  assert.equal(sent[0]?.url, `${API}/entities/sol%3Amoon/a%2Fb`)
  assert.equal(sent[0]?.method, 'GET')
  assert.equal(sent[0]?.headers.get('accept'), 'application/json')
  assert.equal(sent[0]?.body, null)
})

test('endpoints.api is used as given, with or without a trailing slash', async () => {
  for (const api of ['https://h.example/deep/er/v9', 'https://h.example/deep/er/v9/']) {
    const { fetch, sent } = scriptedFetch({ ...DOCUMENT, endpoints: { api } }, {})
    await (await connect(ORIGIN, { fetch })).get('sol:moon', 'europa')
    assert.equal(sent[1]?.url, 'https://h.example/deep/er/v9/entities/sol%3Amoon/europa')
  }
})

test('names that cannot be path components are refused before any request is sent', async () => {
  const { world, sent } = await connected()
  const refused = { code: 'invalid_argument', status: 0 }
  for (const name of ['', '.', '..', 'a/../b', '\ud800', 'a\u0000']) {
    await assert.rejects(world.get('sol:moon', name), refused)
    await assert.rejects(world.get(name, 'europa'), refused)
    await assert.rejects(world.list(name), refused)
    await assert.rejects(world.action(name, {}), refused)
    await assert.rejects(world.entities(name).toArray({ max: 1 }), refused)
  }
  assert.equal(sent.length, 0)
})

test('list sends limit and cursor, and returns the body as received', async () => {
  const body = { items: [], next: null, extra: { a: 1 } }
  const { world, urls } = await connected(body, body, body, body)
  assert.deepEqual(await world.list('sol:moon'), body)
  await world.list('sol:moon', { limit: 0 })
  await world.list('sol:moon', { limit: 5, cursor: 'a+b/c==&d é' })
  await world.list('sol:moon', { cursor: null })
  assert.deepEqual(urls(), [
    `${API}/entities/sol%3Amoon`,
    `${API}/entities/sol%3Amoon?limit=0`,
    `${API}/entities/sol%3Amoon?limit=5&cursor=a%2Bb%2Fc%3D%3D%26d%20%C3%A9`,
    `${API}/entities/sol%3Amoon`,
  ])
})

test('a limit must be a non-negative integer and a cursor a string', async () => {
  const { world, sent } = await connected()
  const refused = { code: 'invalid_argument' }
  for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5' as unknown as number]) {
    await assert.rejects(world.list('sol:moon', { limit }), refused)
    await assert.rejects(world.discover({ limit }), refused)
    await assert.rejects(world.entities('sol:moon', { pageSize: limit }).toArray({ max: 1 }), refused)
  }
  await assert.rejects(world.entities('sol:moon', { pageSize: 0 }).toArray({ max: 1 }), refused)
  await assert.rejects(world.list('sol:moon', { cursor: 5 as unknown as string }), refused)
  await assert.rejects(world.list('sol:moon', { cursor: '\ud800' }), refused)
  assert.equal(sent.length, 0)
})

test('discover posts the wrapped input and returns the output', async () => {
  const output = { entities: [{ type: 'sol:moon', id: 'europa' }], limit: 3, total: 1, x: 'kept' }
  const { world, sent } = await connected(
    { action: 'wp:discover', output },
    { action: 'wp:discover', output },
  )
  assert.deepEqual(await world.discover({ types: ['sol:moon'], text: 'ice', limit: 3 }), output)
  assert.equal(sent[0]?.url, `${API}/actions/wp%3Adiscover`)
  assert.equal(sent[0]?.method, 'POST')
  assert.equal(sent[0]?.headers.get('content-type'), 'application/json')
  assert.equal(sent[0]?.headers.get('accept'), 'application/json')
  assert.equal(sent[0]?.body, '{"input":{"types":["sol:moon"],"text":"ice","limit":3}}')
  await world.discover()
  assert.equal(sent[1]?.body, '{"input":{}}')
})

test('discover fails with the received members if there is no entity list', async () => {
  const { world } = await connected({ output: { hits: [], count: 0 } })
  await assert.rejects(world.discover(), {
    code: 'invalid_response',
    status: 200,
    details: { members: ['hits', 'count'] },
    url: `${API}/actions/wp%3Adiscover`,
  })
})

test('action returns the whole response envelope', async () => {
  const envelope = { action: 'sol:count', output: 7, warnings: [{ code: 'w', message: 'm' }], more: true }
  const { world, sent } = await connected(envelope)
  assert.deepEqual(await world.action('sol:count', { deep: { x: [1] } }), envelope)
  assert.equal(sent[0]?.url, `${API}/actions/sol%3Acount`)
  assert.equal(sent[0]?.body, '{"input":{"deep":{"x":[1]}}}')
})

test('input that is not a JSON object is refused before any request is sent', async () => {
  const { world, sent } = await connected()
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  for (const input of [[], 'text', 5, null, circle, { n: 1n }]) {
    await assert.rejects(world.action('sol:count', input as object), {
      code: 'invalid_argument',
      name: 'WorldError',
    })
  }
  assert.equal(sent.length, 0)
})

test('a success response that is not a JSON object fails with invalid_response', async () => {
  const { world } = await connected(
    [],
    new Response('{"id":'),
    new Response(null, { status: 204 }),
    json(200, null),
  )
  for (let i = 0; i < 4; i++) {
    await assert.rejects(world.get('sol:moon', 'europa'), { code: 'invalid_response' })
  }
})

test('keys such as __proto__ stay own properties', async () => {
  const { world } = await connected(
    new Response('{"id":"x","attributes":{"__proto__":{"a":1},"constructor":2}}'),
  )
  const { attributes } = await world.get('sol:moon', 'x')
  assert.deepEqual(Object.keys(attributes), ['__proto__', 'constructor'])
  assert.equal((attributes as { a?: unknown })['a'], undefined)
})

for (const [what, gone] of [
  ['410 api_moved', () => failure(410, 'api_moved')],
  ['a 404 that is no protocol error', () => new Response('<h1>Not Found</h1>', { status: 404 })],
  ['no connection', () => new TypeError('refused')],
] as const) {
  test(`after ${what}, discovery is reread without caches and the call is repeated at the new address`, async () => {
    const { world, sent, urls } = await connected(gone(), MOVED, { id: 'europa' }, { id: 'io' })
    assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
    assert.deepEqual(urls(), [
      `${API}/entities/sol%3Amoon/europa`,
      'https://sol.example/.well-known/world.json',
      'https://data.sol.example/w/v4/entities/sol%3Amoon/europa',
    ])
    assert.equal(sent[0]?.init.cache, undefined)
    assert.equal(sent[1]?.init.cache, 'no-store')
    assert.deepEqual(world.document, MOVED)
    await world.get('sol:moon', 'io')
    assert.equal(sent[3]?.url, 'https://data.sol.example/w/v4/entities/sol%3Amoon/io')
  })

  test(`after ${what}, the call fails if the document is unchanged`, async () => {
    const { world, sent } = await connected(gone(), DOCUMENT)
    await assert.rejects(world.get('sol:moon', 'europa'), { url: `${API}/entities/sol%3Amoon/europa` })
    assert.equal(sent.length, 2)
  })
}

test('api_moved with a status other than 410 has no special meaning', async () => {
  const { world, sent } = await connected(failure(403, 'api_moved'))
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'api_moved', status: 403 })
  assert.equal(sent.length, 1)
})

test('discovery is not reread after a 404 with a protocol error', async () => {
  const { world, sent } = await connected(failure(404, 'entity_not_found'))
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'entity_not_found', status: 404 })
  assert.equal(sent.length, 1)
})

test('discovery is reread at most once per call', async () => {
  const { world, sent } = await connected(failure(410, 'api_moved'), MOVED, failure(410, 'api_moved'), MOVED)
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'api_moved' })
  assert.equal(sent.length, 3)
})

test('a call fails with world_mismatch if a different world is served at the old origin', async () => {
  const other = { ...MOVED, world: { id: 'urn:uuid:other' } }
  const { world, sent } = await connected(failure(410, 'api_moved'), other)
  await assert.rejects(world.get('sol:moon', 'x'), {
    code: 'world_mismatch',
    details: { expected: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001', actual: 'urn:uuid:other' },
  })
  assert.equal(sent.length, 2)
  assert.deepEqual(world.document, DOCUMENT)
})

test('the first failure is thrown if rereading the document fails', async () => {
  for (const second of [failure(500, 'internal_error'), new TypeError('offline')]) {
    const { world } = await connected(failure(410, 'api_moved'), second)
    await assert.rejects(world.get('sol:moon', 'x'), { code: 'api_moved', status: 410 })
  }
})

test('after a move, an unsafe action is not repeated, but the API address is updated', async () => {
  const { world, sent } = await connected(failure(410, 'api_moved'), MOVED, { action: 'sol:launch' })
  await assert.rejects(world.action('sol:launch', {}), { code: 'api_moved' })
  assert.equal(sent.length, 2)
  await world.action('sol:launch', {})
  assert.equal(sent[2]?.url, 'https://data.sol.example/w/v4/actions/sol%3Alaunch')
})

test('discover and safe actions are repeated after a move', async () => {
  const actions = [{ name: 'sol:count', safe: true }]
  const { fetch, sent } = scriptedFetch({ ...DOCUMENT, actions }, failure(410, 'api_moved'), MOVED, {
    output: 1,
  })
  const world = await connect(ORIGIN, { fetch })
  await world.action('sol:count', { a: 1 })
  assert.equal(sent[3]?.body, '{"input":{"a":1}}')
  const { world: second } = await connected(failure(410, 'api_moved'), MOVED, { output: { entities: [] } })
  assert.deepEqual((await second.discover()).entities, [])
})

test('discovery is not reread if another call has already found the new address', async () => {
  let release = (_: Response) => {}
  const late = new Promise<Response>((resolve) => {
    release = resolve
  })
  const { world, urls } = await connected(
    () => late,
    failure(410, 'api_moved'),
    MOVED,
    { id: 'io' },
    { id: 'europa' },
  )
  const slow = world.get('sol:moon', 'europa')
  await world.get('sol:moon', 'io')
  release(failure(410, 'api_moved'))
  await slow
  assert.equal(urls().filter((url) => url.endsWith('world.json')).length, 1)
  assert.equal(urls().at(-1), 'https://data.sol.example/w/v4/entities/sol%3Amoon/europa')
})

test('invalid use of a world or a walk fails with a WorldError', async () => {
  const { world, sent } = await connected()
  const refused = { name: 'WorldError', code: 'invalid_argument' }
  const { get } = world
  await assert.rejects(get('sol:moon', 'europa'), refused)
  const walk = world.entities('sol:moon')
  for (const max of [-1, Number.NaN, undefined as unknown as number])
    await assert.rejects(walk.toArray({ max }), refused)
  await assert.rejects((walk as unknown as { toArray(): Promise<unknown> }).toArray(), refused)
  await assert.rejects(world.entities('sol:moon', { maxPages: 0 }).toArray({ max: 1 }), refused)
  assert.equal(sent.length, 0)
})
