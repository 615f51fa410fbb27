import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { LogEvent, WorldOptions } from '../../../core/src/handler/options.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import type { Action } from '../../../core/src/world/action.ts'
import { createValidator } from '../../../entities/src/schemas/validator.ts'
import { operator } from '../operator/routes.ts'
import { createToken, type Scope } from '../operator/tokens.ts'
import { query } from '../query/index.ts'
import { type ActionDefinition, defineAction } from './define-action.ts'

const NUMBER = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } }

/** Returns an action that echoes its input. `changed` overrides members of its definition. */
function echo(changed: Partial<ActionDefinition<{ n: number }>> = {}): Action {
  const definition: ActionDefinition<{ n: number }> = {
    name: 'sol:echo',
    safe: true,
    inputSchema: { ...NUMBER, additionalProperties: false },
    outputSchema: NUMBER,
    handler: ({ n }) => ({ n }),
    ...changed,
  }
  return defineAction(definition, createValidator)
}

const DESCRIPTION = { id: 'urn:x:sol', types: [{ type: 'sol:moon' }] }

async function worldWith(actions: readonly Action[], scopes: readonly Scope[] = []) {
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: { radiusKm: 1821.6 } } }])
  const { token } = await createToken(store, { scopes })
  const logged: LogEvent[] = []
  const seen: Parameters<NonNullable<WorldOptions['observe']>>[0][] = []
  const handler = createWorld({
    ...DESCRIPTION,
    store,
    publicUrl: 'https://sol.example',
    actions,
    extensions: [query(), operator()],
    log: (event) => logged.push(event),
    observe: (observation) => seen.push(observation),
  })
  const send = async (method: string, target: string, input?: unknown, headers = {}) => {
    const body = input === undefined ? undefined : pieces(JSON.stringify({ input }))
    const response = await handler.handle({
      method,
      target,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body }),
    })
    return { status: response.status, json: JSON.parse(Buffer.from(response.body as Uint8Array).toString()) }
  }
  const call = (name: string, input: unknown, headers = {}) =>
    send('POST', `/api/world/v0/actions/${encodeURIComponent(name)}`, input, headers)
  return { send, call, token, logged, seen, authorization: { authorization: `Bearer ${token}` } }
}

test('a world lists its actions, wp:discover first, and runs them', async () => {
  const { send, call, seen } = await worldWith([echo({ title: 'Echo' })])
  const { json } = await send('GET', '/.well-known/world.json')
  assert.deepEqual(
    json.actions.map(({ name, safe }: Action['description']) => [name, safe]),
    [
      ['wp:discover', true],
      ['worldwright:query', true],
      ['sol:echo', true],
    ],
  )
  assert.equal(json.actions[2].title, 'Echo')
  assert.deepEqual(json.actions[2].outputSchema, NUMBER)
  assert.deepEqual(await call('sol:echo', { n: 5 }), {
    status: 200,
    json: { action: 'sol:echo', output: { n: 5 } },
  })
  assert.equal((await call('sol:other', { n: 5 })).json.code, 'unknown_action')
  assert.deepEqual(
    seen.slice(-2).map(({ action }) => action),
    ['sol:echo', undefined],
  )
})

test('input is validated against its schema, with a pointer for every fault', async () => {
  const { call } = await worldWith([echo()])
  const { status, json } = await call('sol:echo', { n: 'five', m: 1 })
  assert.deepEqual([status, json.code], [400, 'invalid_input'])
  assert.deepEqual(json.details.fields, [
    {
      in: 'body',
      pointer: '/input/m',
      reason: 'not_allowed',
      message: 'is not in the schema, which allows nothing further',
    },
    { in: 'body', pointer: '/input/n', reason: 'wrong_type', message: 'must be number' },
  ])
})

test('output that violates its schema is an internal error and is not sent', async () => {
  const { call, logged } = await worldWith([echo({ handler: () => ({ n: 'five' }) })])
  assert.deepEqual([(await call('sol:echo', { n: 5 })).json.code], ['internal_error'])
  assert.match(String(logged[0]?.error), /output of sol:echo does not match its outputSchema: \/n/)
})

test('a handler reads its world and can fail a call with its own error code', async () => {
  const definition: ActionDefinition<{ id: string }> = {
    name: 'sol:radius',
    safe: true,
    inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    outputSchema: { type: 'number' },
    async handler({ id }, { get, fail }) {
      const moon = await get('sol:moon', id)
      return moon?.attributes['radiusKm'] ?? fail('sol:no_such_moon', 'There is no such moon.', { id })
    },
  }
  const { call } = await worldWith([defineAction(definition, createValidator)])
  assert.equal((await call('sol:radius', { id: 'io' })).json.output, 1821.6)
  const { status, json } = await call('sol:radius', { id: 'x' })
  assert.deepEqual([status, json.code, json.details], [422, 'sol:no_such_moon', { id: 'x' }])
})

test('an unsafe action needs a token with the scope for that action', async () => {
  const visit = echo({ name: 'sol:visit', safe: false })
  const { call, authorization } = await worldWith([visit], ['call:sol:visit'])
  assert.deepEqual((await call('sol:visit', { n: 1 })).status, 401)
  assert.deepEqual((await call('sol:visit', { n: 1 }, authorization)).status, 200)
  const other = await worldWith([visit], ['write'])
  const refused = await other.call('sol:visit', { n: 1 }, other.authorization)
  assert.deepEqual([refused.status, refused.json.details], [403, { scope: 'call:sol:visit' }])
})

test('an unsafe action cannot be called if no extension admits calls', async () => {
  const handler = createWorld({
    ...DESCRIPTION,
    store: createMemoryStore(),
    publicUrl: 'https://sol.example',
    actions: [echo({ safe: false })],
  })
  const { status } = await handler.handle({
    method: 'POST',
    target: '/api/world/v0/actions/sol%3Aecho',
    headers: { 'content-type': 'application/json' },
    body: pieces('{"input":{"n":1}}'),
  })
  assert.equal(status, 403)
})

test('each action has its own timeout and concurrency limit', async () => {
  const started = Promise.withResolvers<void>()
  const slow = echo({
    name: 'sol:slow',
    timeoutMs: 50,
    maxRunning: 1,
    handler: () => {
      started.resolve()
      return new Promise(() => {})
    },
  })
  const { call } = await worldWith([slow])
  const first = call('sol:slow', { n: 1 })
  await started.promise
  const second = await call('sol:slow', { n: 1 })
  assert.deepEqual([second.status, second.json.code], [503, 'unavailable'])
  const { json } = await first
  assert.deepEqual([json.code, json.details], ['action_timeout', { seconds: 0.05 }])
  assert.equal((await call('sol:slow', { n: 1 })).json.code, 'action_timeout')
})

test('an incomplete definition is rejected with an error that names the missing member', () => {
  const whole = { name: 'sol:a', safe: true, inputSchema: {}, outputSchema: {}, handler: () => ({}) }
  for (const member of ['name', 'safe', 'inputSchema', 'outputSchema', 'handler'] as const) {
    const definition = { ...whole, [member]: undefined } as unknown as ActionDefinition
    assert.throws(() => defineAction(definition, createValidator), new RegExp(`needs the member "${member}"`))
  }
  assert.throws(() => defineAction({ ...whole, inputSchema: { type: 'moon' } }, createValidator), {
    name: 'SchemaFault',
  })
  for (const actions of [[echo(), echo()], [echo({ name: 'wp:discover' })], [echo({ name: 'echo' })]]) {
    assert.throws(() => createWorld({ ...DESCRIPTION, store: createMemoryStore(), actions }), TypeError)
  }
})

test('a handler can look up its caller', async () => {
  const asking = echo({
    outputSchema: {},
    handler: async (_input, { caller }) => (await caller())?.scopes ?? 'nobody',
  })
  const { call, authorization } = await worldWith([asking], ['read'])
  assert.deepEqual((await call('sol:echo', { n: 1 }, authorization)).json.output, ['read'])
  assert.equal((await call('sol:echo', { n: 1 }, { authorization: 'Bearer nonsense' })).json.output, 'nobody')
  assert.equal((await call('sol:echo', { n: 1 })).json.output, 'nobody')
})
