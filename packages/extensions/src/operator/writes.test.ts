import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { operated, TYPES } from './operator.fixture.ts'
import { operator } from './routes.ts'
import { createToken } from './tokens.ts'

const MOON = '/api/operator/v0/entities/sol%3Amoon'
const EUROPA = `${MOON}/europa`
const BODY = { title: 'Europa', attributes: { radiusKm: 1560.8 } }

test('an entity can be created, read with a strong tag, replaced and deleted', async () => {
  const { send } = await operated()
  const created = await send('PUT', EUROPA, BODY)
  assert.equal(created.status, 201)
  assert.match(created.headers['etag'] ?? '', /^"[A-Za-z0-9_-]{22}"$/)
  assert.equal(created.headers['location'], EUROPA)
  const read = await send('GET', EUROPA)
  assert.deepEqual(
    [read.status, read.headers['etag'], read.text],
    [200, created.headers['etag'], created.text],
  )
  assert.match(read.headers['cache-control'] ?? '', /^private/)
  const again = await send('PUT', EUROPA, BODY)
  assert.deepEqual([again.status, again.headers['etag']], [200, created.headers['etag']])
  const changed = await send('PUT', EUROPA, { ...BODY, title: 'Europa!' })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers['etag'], created.headers['etag'])
  assert.equal((await send('DELETE', EUROPA)).status, 204)
  const gone = await send('DELETE', EUROPA)
  assert.deepEqual([gone.status, gone.json().code], [404, 'entity_not_found'])
})

test('preconditions compare tags strongly and fail with 412 and the current revision', async () => {
  const { send } = await operated()
  const { headers } = await send('PUT', EUROPA, BODY, { 'if-none-match': '*' })
  const tag = headers['etag'] ?? ''
  const taken = await send('PUT', EUROPA, BODY, { 'if-none-match': '*' })
  assert.deepEqual([taken.status, taken.json().code], [412, 'precondition_failed'])
  assert.equal(taken.json().message, 'There is such an entity already.')
  const named = await send('PUT', EUROPA, BODY, { 'if-none-match': tag })
  assert.deepEqual([named.status, named.json().message], [412, 'The entity is one of those named.'])
  assert.equal(`"${taken.json().details.revision}"`, tag)
  for (const [method, body] of [
    ['PUT', BODY],
    ['DELETE', undefined],
    ['PATCH', { title: 'E' }],
  ] as const) {
    assert.equal((await send(method, EUROPA, body, { 'if-match': '"other"' })).status, 412, method)
    assert.equal((await send(method, EUROPA, body, { 'if-match': `W/${tag}` })).status, 412, method)
  }
  assert.equal((await send('PUT', `${MOON}/none`, BODY, { 'if-match': '*' })).status, 412)
  assert.equal((await send('DELETE', `${MOON}/none`, undefined, { 'if-match': '*' })).status, 412)
  assert.equal((await send('PUT', EUROPA, BODY, { 'if-match': 'europa' })).json().code, 'invalid_request')
  assert.equal((await send('PUT', EUROPA, BODY, { 'if-match': `${tag} x` })).json().code, 'invalid_request')
  assert.equal((await send('PUT', EUROPA, BODY, { 'if-match': tag, 'if-none-match': tag })).status, 412)
  assert.equal((await send('PATCH', `${MOON}/none`, {}, { 'if-match': '*' })).status, 412)
  assert.equal((await send('DELETE', EUROPA, undefined, { 'if-match': `"x", ${tag}` })).status, 204)
})

test('a write is never answered with 304', async () => {
  const { send } = await operated()
  const { headers } = await send('PUT', EUROPA, BODY)
  const known = { 'if-none-match': headers['etag'] ?? '' }
  await send('PUT', EUROPA, { ...BODY, title: 'E' })
  const again = await send('PUT', EUROPA, BODY, known)
  assert.deepEqual([again.status, again.headers['etag']], [200, headers['etag']])
  await send('PUT', EUROPA, { ...BODY, title: 'E' })
  assert.equal((await send('PATCH', EUROPA, { title: 'Europa' }, known)).status, 200)
})

test('a merge patch sets members and removes those that are null', async () => {
  const { send } = await operated()
  await send('PUT', EUROPA, { ...BODY, attributes: { radiusKm: 1, ice: { thickKm: 15, old: true } } })
  const patch = { title: null, attributes: { radiusKm: 2, ice: { old: null }, __proto__x: 'data' } }
  const { status, json } = await send('PATCH', EUROPA, patch, {
    'content-type': 'application/merge-patch+json',
  })
  assert.equal(status, 200)
  assert.equal(Object.hasOwn(json(), 'title'), false)
  assert.deepEqual(json().attributes, { radiusKm: 2, ice: { thickKm: 15 }, __proto__x: 'data' })
  assert.equal((await send('PATCH', `${MOON}/none`, {})).json().code, 'entity_not_found')
  assert.equal((await send('PATCH', EUROPA, { id: 'other' })).json().code, 'invalid_entity')
})

test('the error message describes the fault in a sentence', async () => {
  const { send } = await operated()
  const { message } = (await send('PUT', EUROPA, { ...BODY, foo: 1 })).json()
  assert.equal(
    message,
    'This is not a valid entity of its type: /foo is no member of an entity; data goes into attributes.',
  )
})

test('concurrent patches are all applied', async () => {
  const { send } = await operated()
  await send('PUT', EUROPA, BODY)
  const patches = Array.from({ length: 5 }, (_, index) =>
    send('PATCH', EUROPA, { attributes: { [`k${index}`]: index } }),
  )
  for (const { status } of await Promise.all(patches)) assert.equal(status, 200)
  const { attributes } = (await send('GET', EUROPA)).json()
  assert.deepEqual(attributes, { radiusKm: 1560.8, k0: 0, k1: 1, k2: 2, k3: 3, k4: 4 })
})

test('a schema violation is answered with 422 and a pointer for each fault', async () => {
  const { send } = await operated()
  const { status, json } = await send('PUT', EUROPA, {
    type: 'sol:star',
    title: 7,
    attributes: { radiusKm: -1 },
  })
  assert.deepEqual([status, json().code], [422, 'invalid_entity'])
  assert.deepEqual(json().details.fields, [
    { in: 'body', pointer: '/type', reason: 'not_allowed', message: 'is not the type in the path' },
    { in: 'body', pointer: '/title', reason: 'wrong_type', message: 'must be a string' },
  ])
  const schema = (await send('PUT', EUROPA, { attributes: { radiusKm: -1 } })).json()
  assert.deepEqual(schema.details.fields, [
    { in: 'body', pointer: '/attributes/radiusKm', reason: 'too_small', message: 'must be > 0' },
  ])
  for (const body of [[], {}, { attributes: [] }, { attributes: { radiusKm: 1 }, extra: 1 }])
    assert.equal((await send('PUT', EUROPA, body)).json().code, 'invalid_entity', JSON.stringify(body))
})

test('invalid JSON, unsupported media types, large bodies and unknown types are refused', async () => {
  const { send } = await operated()
  const codes = async (body: string, headers?: Record<string, string>) => {
    const { status, json } = await send('PUT', EUROPA, body, headers)
    return [status, json().code]
  }
  assert.deepEqual(await codes('{'), [400, 'invalid_json'])
  assert.deepEqual(await codes('{"attributes":{"a":1,"a":2}}'), [400, 'invalid_json'])
  assert.deepEqual(await codes('{}', { 'content-type': 'text/plain' }), [415, 'unsupported_media_type'])
  assert.deepEqual(await codes(`"${'x'.repeat(1024 * 1024)}"`), [413, 'payload_too_large'])
  const large = JSON.stringify({ attributes: { radiusKm: 1, text: 'x'.repeat(300 * 1024) } })
  assert.deepEqual(await codes(large), [422, 'invalid_entity'])
  assert.equal(
    (await send('PUT', '/api/operator/v0/entities/sol%3Anone/x', BODY)).json().code,
    'unknown_type',
  )
  assert.equal((await send('PUT', `${MOON}/%20x`, BODY)).json().code, 'invalid_id')
})

test('the connection stays open after a body slightly over the limit', async () => {
  const { send } = await operated()
  const refused = async (bytes: number) => {
    const { status, headers } = await send('PUT', `${MOON}/x`, BODY, { 'content-length': String(bytes) })
    return [status, headers['connection']]
  }
  assert.deepEqual(await refused(1_500_000), [413, undefined])
  assert.deepEqual(await refused(150_000_000), [413, 'close'])
})

test('the schema of a type is inferred from writes if none is declared', async () => {
  const { send } = await operated()
  await send('PUT', '/api/operator/v0/entities/sol%3Anote/1', { attributes: { text: 'x' } })
  await send('PUT', '/api/operator/v0/entities/sol%3Anote/2', { attributes: { text: 'x', stars: 3 } })
  const { types } = (await send('GET', '/api/operator/v0/types')).json()
  const note = types.find(({ type }: { type: string }) => type === 'sol:note')
  assert.deepEqual([Object.keys(note.schema.properties), note.count], [['text', 'stars'], 2])
})

test('the list of types says which ones the token may write', async () => {
  for (const [scope, expected] of [
    ['write', [true, true]],
    ['write:sol:moon', [true, false]],
    ['read', [false, false]],
  ] as const) {
    const { send } = await operated([scope])
    const { types } = (await send('GET', '/api/operator/v0/types')).json()
    assert.deepEqual(
      types.map(({ writable }: { writable: boolean }) => writable),
      expected,
      scope,
    )
  }
})

test('the operator API also serves lists and wp:discover', async () => {
  const { send } = await operated()
  const list = await send('GET', MOON)
  assert.deepEqual([list.json().total, list.headers['cache-control']], [1, 'private, no-cache'])
  const found = await send('POST', '/api/operator/v0/actions/wp%3Adiscover', { input: { text: 'io' } })
  assert.equal(found.json().output.total, 1)
})

test('writes are validated against the declared schemas of the types by default', async () => {
  const store = createMemoryStore()
  const world = (types: typeof TYPES) =>
    createWorld({ id: 'urn:x:sol', types, store, publicUrl: 'https://sol.example', extensions: [operator()] })
  const { handle } = world(TYPES)
  const { token } = await createToken(store, { scopes: ['write'] })
  const put = async (radiusKm: unknown) => {
    const body = pieces(JSON.stringify({ attributes: { radiusKm } }))
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return handle({ method: 'PUT', target: EUROPA, headers, body })
  }
  assert.equal((await put(1560.8)).status, 201)
  const refused = await put('large')
  assert.equal(refused.status, 422)
  assert.deepEqual(JSON.parse(Buffer.from(refused.body as Uint8Array).toString()).details.fields, [
    { in: 'body', pointer: '/attributes/radiusKm', reason: 'wrong_type', message: 'must be number' },
  ])
  const invalid = [{ type: 'sol:moon', schema: { type: 'numeral' } }]
  assert.throws(() => world(invalid), /TypeError: The schema of sol:moon cannot be compiled: /)
})
