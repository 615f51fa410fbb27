import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../store/memory.ts'
import type { Action, ActionContext } from '../world/action.ts'
import { createWorld } from './handler.ts'
import { DESCRIPTION, pieces } from './world.fixture.ts'

test('an action receives a deadline and the request id of the response', async () => {
  const asked: ActionContext[] = []
  const call: Action['call'] = async (_, context) => {
    asked.push(context)
    return { output: '1', warnings: [] }
  }
  const description = { name: 'sol:note', safe: true, inputSchema: {}, outputSchema: {} }
  const { handle } = createWorld({
    ...DESCRIPTION,
    store: createMemoryStore(),
    actions: [{ description, timeoutMs: 60_000, call }],
  })
  const target = '/api/world/v0/actions/sol%3Anote'
  const before = Date.now()
  for (const id of [undefined, 'one']) {
    const headers = { 'content-type': 'application/json', ...(id && { 'request-id': id }) }
    const { status, requestId } = await handle({
      method: 'POST',
      target,
      headers,
      body: pieces('{"input":{}}'),
    })
    assert.equal(status, 200)
    assert.equal(asked.at(-1)?.requestId, requestId)
    assert.ok(id === undefined ? requestId : requestId === id)
  }
  const deadline = asked[0]?.deadline.getTime() ?? 0
  assert.ok(deadline >= before + 60_000 && deadline <= Date.now() + 60_000)
})

test('without a log option, an internal error is printed to the console with its cause', async (t) => {
  const printed = t.mock.method(console, 'error', () => {})
  const cause = new Error('the disk is gone')
  const get = () => Promise.reject(cause)
  const { handle } = createWorld({ ...DESCRIPTION, store: { ...createMemoryStore(), get } })
  const response = await handle({
    method: 'GET',
    target: 'http://me:secret@sol.example/api/world/v0/entities/sol%3amoon/%c3%a9?token=secret',
    headers: { 'request-id': 'seven' },
  })
  assert.equal(response.status, 500)
  assert.deepEqual(
    printed.mock.calls.map((one) => one.arguments),
    [['%s', 'internal_error: GET /api/world/v0/entities/sol%3amoon/%c3%a9 (request seven)', cause]],
  )
})

test('a world with an invalid or repeated type name is refused', () => {
  const store = createMemoryStore()
  const of = (...types: string[]) =>
    createWorld({ ...DESCRIPTION, store, types: types.map((type) => ({ type })) })
  assert.throws(() => of('sol:moon', 'moon'), /An entity type has a name such as prefix:name; "moon" is none/)
  assert.throws(() => of('sol:moon', 'sol:star', 'sol:moon'), /Two entity types have the name sol:moon/)
})
