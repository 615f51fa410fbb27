import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { describedTypes, listTypes } from '../../../entities/src/types/list-types.ts'
import { withTypeInference } from '../../../entities/src/types/with-type-inference.ts'
import { operator } from './routes.ts'
import { createToken } from './tokens.ts'

/** Types as declared by the world's author. */
const TYPES = [{ type: 'sol:moon', title: 'Moon' }]

/** Creates a private world with types and attributes that its definition does not declare. `withToken` creates a token. */
async function hidden(apiUrl = 'https://sol.example/api/world/v0') {
  const store = withTypeInference(createMemoryStore())
  const entity = { type: 'sol:probe', id: 'io', attributes: { secretPlan: 'land' } }
  await store.write([{ put: entity }, { put: { ...entity, type: 'sol:moon' } }])
  const description = { id: 'urn:example:sol', types: () => listTypes(TYPES, store) }
  const handler = createWorld({
    ...description,
    store,
    apiUrl,
    extensions: [operator({ isPrivate: true, listedTypes: describedTypes(TYPES, ['sol:comet']) })],
  })
  const send = async (method: string, target: string, token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const { status, headers: fields, body } = await handler.handle({ method, target, headers })
    return {
      status,
      headers: fields,
      text: body === undefined ? '' : Buffer.from(body as Uint8Array).toString(),
    }
  }
  const withToken = async () => (await createToken(store, { scopes: ['read'] })).token
  return { send, withToken }
}

test('open discovery of a private world reveals nothing of its data', async () => {
  const { send, withToken } = await hidden()
  const { text } = await send('GET', '/.well-known/world.json')
  assert.deepEqual(JSON.parse(text).entityTypes, [
    { type: 'sol:comet', title: 'Comet', schema: { type: 'object' } },
    { type: 'sol:moon', title: 'Moon', schema: { type: 'object' } },
  ])
  assert.doesNotMatch(text, /secretPlan|probe/)
  const token = await withToken()
  assert.equal((await send('GET', '/api/world/v0/entities/sol:probe/io', token)).status, 200)
  assert.equal((await send('GET', '/api/operator/v0/types')).status, 401)
  assert.match((await send('GET', '/api/operator/v0/types', token)).text, /secretPlan/)
})

test('an API under the operator API is protected, and overlapping routes are refused', async () => {
  const { send, withToken } = await hidden('https://sol.example/api/operator/v0/level-1')
  const target = '/api/operator/v0/level-1/entities/sol:moon/io'
  assert.equal((await send('GET', target)).status, 401)
  assert.equal((await send('GET', target, await withToken())).status, 200)
  for (const path of ['/api/operator/v0', '/api/operator/v0/entities']) {
    await assert.rejects(hidden(`https://sol.example${path}`), /apiUrl/, path)
  }
})

test('without a token, the operator API appears not to exist, whatever the request', async () => {
  const { send, withToken } = await hidden()
  const path = '/api/operator/v0/entities/sol:moon/io'
  const seen = async (method: string, target: string) => {
    const { status, headers, text } = await send(method, target)
    const { requestId: _, details: __, ...body } = text === '' ? {} : JSON.parse(text)
    return { status, allow: headers['allow'], body }
  }
  for (const method of ['GET', 'PUT', 'DELETE', 'TRACE', 'OPTIONS'])
    assert.deepEqual(await seen(method, path), await seen(method, '/nothing/here'), method)
  await withToken()
  assert.equal((await seen('OPTIONS', path)).allow, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
  assert.equal((await seen('TRACE', path)).status, 405)
})
