import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { createValidator } from '../../../entities/src/schemas/validator.ts'
import { createTypeCheck } from '../../../entities/src/types/type-check.ts'
import { operator } from '../operator/routes.ts'
import { createToken } from '../operator/tokens.ts'
import { type ActionDefinition, defineAction } from './define-action.ts'

const TYPES = [
  {
    type: 'sol:note',
    schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
  },
]

async function worldWith(changed: Partial<ActionDefinition<{ id: string; count: unknown }>>, isCopy = false) {
  const storage = createMemoryStore()
  const definition: ActionDefinition<{ id: string; count: unknown }> = {
    name: 'sol:note',
    safe: false,
    inputSchema: { type: 'object' },
    outputSchema: {},
    handler: ({ id, count }, { put }) =>
      put('sol:note', id, { title: 'Note', attributes: { count: count as number } }),
    ...changed,
  }
  const actions = [defineAction(definition, createValidator)]
  const description = { id: 'urn:x:sol', types: TYPES }
  const { token } = await createToken(storage, { scopes: ['call'] })
  const { handle } = createWorld({
    ...description,
    store: storage,
    publicUrl: 'https://sol.example',
    actions,
    extensions: [
      operator({
        check: createTypeCheck(TYPES, createValidator),
        upstream: isCopy ? 'https://upstream.example' : undefined,
      }),
    ],
  })
  const call = async (input: object) => {
    const response = await handle({
      method: 'POST',
      target: '/api/world/v0/actions/sol%3Anote',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: pieces(JSON.stringify({ input })),
    })
    const json = JSON.parse(Buffer.from(response.body as Uint8Array).toString())
    return { status: response.status, json }
  }
  return { storage, call }
}

test('an entity written by an action is stored before the action answers', async () => {
  const { storage, call } = await worldWith({})
  const { json } = await call({ id: 'a', count: 1 })
  const stored = await storage.get('sol:note', 'a')
  assert.equal(json.output.revision, stored?.revision)
  assert.deepEqual(json.output.attributes, { count: 1 })
})

test('writes by an action are validated like writes over HTTP', async () => {
  const { storage, call } = await worldWith({})
  const { status, json } = await call({ id: 'a', count: 'many' })
  assert.deepEqual([status, json.code], [422, 'invalid_entity'])
  assert.deepEqual(json.details.fields, [{ in: 'body', pointer: '/attributes/count', reason: 'wrong_type' }])
  assert.deepEqual([(await call({ id: '..', count: 1 })).json.code], ['invalid_id'])
  assert.equal(await storage.get('sol:note', 'a'), undefined)
})

test('preconditions keep two calls from undoing each other', async () => {
  const { storage, call } = await worldWith({
    async handler({ id, count }, { get, put }) {
      const before = await get('sol:note', id)
      const onlyIf = before ? { ifRevision: before.revision } : { ifAbsent: true as const }
      const stale = count === 'stale' ? { ifRevision: 'of-another' } : onlyIf
      return put(
        'sol:note',
        id,
        { attributes: { count: Number(before?.attributes['count'] ?? 0) + 1 } },
        stale,
      )
    },
  })
  for (const count of [1, 2]) assert.equal((await call({ id: 'a' })).json.output.attributes.count, count)
  const { status, json } = await call({ id: 'a', count: 'stale' })
  assert.deepEqual([status, json.code], [412, 'precondition_failed'])
  assert.match((await storage.get('sol:note', 'a'))?.json ?? '', /"count":2/)
})

test('an action deletes entities and reports missing ones', async () => {
  const { storage, call } = await worldWith({
    async handler({ id }, context) {
      await context.delete('sol:note', id)
      return 'gone'
    },
  })
  await storage.write([{ put: { type: 'sol:note', id: 'a', attributes: { count: 1 } } }])
  assert.equal((await call({ id: 'a' })).json.output, 'gone')
  assert.deepEqual([(await call({ id: 'a' })).json.code], ['entity_not_found'])
})

test('a replica refuses writes by actions, and a safe action never writes', async () => {
  const copy = await worldWith({}, true)
  assert.deepEqual([(await copy.call({ id: 'a', count: 1 })).json.code], ['forbidden'])
  const safe = await worldWith({ safe: true })
  assert.deepEqual([(await safe.call({ id: 'a', count: 1 })).json.code], ['internal_error'])
  for (const { storage } of [copy, safe]) assert.equal(await storage.get('sol:note', 'a'), undefined)
})
