import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { arraySource } from '../../../core/src/store/array-source.fixture.ts'
import type { WriteOptions } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { createValidator } from '../../../entities/src/schemas/validator.ts'
import { createToken } from '../operator/tokens.ts'
import { countOf, worldOfNotes } from './actions.fixture.ts'
import { defineAction } from './define-action.ts'

const KEY = { 'idempotency-key': 'one' }
const DAY = 24 * 3_600_000
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Creates a world whose action increments the count of a note and records its runs. */
async function counting(store = createMemoryStore()) {
  const runs: string[] = []
  const world = await worldOfNotes(
    {
      async handler({ id, count }, { get, put, fail }) {
        runs.push(id)
        if (count === 'fail') fail('sol:no', 'No.')
        const before = Number((await get('sol:note', id))?.attributes['count'] ?? 0)
        await put('sol:note', id, { attributes: { count: before + 1 } })
        return { run: runs.length }
      },
    },
    { store },
  )
  return { ...world, runs }
}

test('a call with a repeated key returns the first result and does nothing', async () => {
  const { store, call, runs } = await counting()
  for (let time = 0; time < 3; time++) {
    const { status, json } = await call({ id: 'a' }, KEY)
    assert.deepEqual([status, json.output], [200, { run: 1 }])
  }
  assert.deepEqual([runs, await countOf(store, 'a')], [['a'], 1])
  await call({ id: 'a' }, { 'idempotency-key': 'two' })
  await call({ id: 'a' })
  assert.equal(await countOf(store, 'a'), 3)
})

test('the same key with another input is refused with idempotency_mismatch', async () => {
  const { store, call } = await counting()
  await call({ id: 'a' }, KEY)
  const { status, json } = await call({ id: 'b' }, KEY)
  assert.deepEqual([status, json.code], [422, 'idempotency_mismatch'])
  assert.equal(await countOf(store, 'b'), undefined)
})

test('a key belongs to its caller', async () => {
  const { store, call, runs } = await counting()
  const { token } = await createToken(store, { scopes: ['call'] })
  await call({ id: 'a' }, KEY)
  const other = await call({ id: 'a' }, { ...KEY, authorization: `Bearer ${token}` })
  assert.deepEqual([other.json.output, runs.length], [{ run: 2 }, 2])
})

test('while a call runs, another with its key is refused with idempotency_in_progress', async () => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const { store, call } = await worldOfNotes({
    async handler({ id }, { put }) {
      begun.resolve()
      await go.promise
      await put('sol:note', id, { attributes: { count: 1 } })
      return 'first'
    },
  })
  const first = call({ id: 'a', count: 1 }, KEY)
  await begun.promise
  const { status, json, headers } = await call({ id: 'a', count: 1 }, KEY)
  assert.deepEqual([status, json.code, headers['retry-after']], [409, 'idempotency_in_progress', '1'])
  go.resolve()
  assert.equal((await first).json.output, 'first')
  assert.equal((await call({ id: 'a', count: 1 }, KEY)).json.output, 'first')
  assert.equal(await countOf(store, 'a'), 1)
})

test('exactly one of many concurrent calls with the same key takes effect', async () => {
  const { store, call } = await counting()
  const answers = await Promise.all(Array.from({ length: 20 }, () => call({ id: 'a' }, KEY)))
  const statuses = new Set(answers.map(({ status }) => status))
  assert.ok(statuses.has(200) && [...statuses].every((status) => [200, 409].includes(status)))
  assert.equal(await countOf(store, 'a'), 1)
})

test('a call that failed can be repeated with its key', async () => {
  const { store, call, runs } = await counting()
  assert.equal((await call({ id: 'a', count: 'fail' }, KEY)).status, 422)
  assert.equal((await call({ id: 'a', count: 'fail' }, KEY)).status, 422)
  assert.equal((await call({ id: 'a' }, KEY)).status, 200)
  assert.deepEqual([runs.length, await countOf(store, 'a')], [3, 1])
})

test('a result is kept for 24 hours, and then forgotten', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 })
  const { call } = await counting()
  await call({ id: 'a' }, KEY)
  t.mock.timers.setTime(1_000 + DAY - 1)
  assert.deepEqual((await call({ id: 'a' }, KEY)).json.output, { run: 1 })
  t.mock.timers.setTime(1_000 + DAY)
  assert.deepEqual((await call({ id: 'a' }, KEY)).json.output, { run: 2 })
})

test('each call forgets the expired results of its slice', async () => {
  const { store, call } = await counting()
  const names = [...CHARACTERS].flatMap((one) => [...CHARACTERS].map((two) => `~~call/${one}${two}`))
  const expired = JSON.stringify({ body: '', until: Date.now() - 1 })
  const kept = JSON.stringify({ body: '', until: Date.now() + DAY })
  const values = Object.fromEntries(
    names.flatMap((name) => [
      [`${name}a`, expired],
      [`${name}b`, kept],
    ]),
  )
  await store.write([], { values })
  assert.equal((await call({ id: 'a' }, KEY)).status, 200)
  const left = [...(await store.values('~~call/')).values()].map(({ value }) => value)
  assert.equal(left.filter((value) => value === expired).length, names.length - 1)
  assert.equal(left.filter((value) => value === kept).length, names.length)
})

test('calls that forget the same expired results all take effect, and a result stored meanwhile stays', async () => {
  const { store, call, runs } = await counting()
  const names = [...CHARACTERS].flatMap((one) => [...CHARACTERS].map((two) => `~~call/${one}${two}`))
  const valuesOf = (until: number) =>
    Object.fromEntries(names.map((name) => [name, JSON.stringify({ until })]))
  await store.write([], { values: valuesOf(Date.now() - 1) })
  const { values } = store
  let reads = 0
  store.values = async (prefix, options) => {
    const slice = await values(prefix, options)
    if (prefix.startsWith('~~call/') && ++reads === 1)
      await store.write([], { values: valuesOf(Date.now() + DAY) })
    return slice
  }
  assert.equal((await call({ id: 'a' }, KEY)).status, 200)
  assert.deepEqual([runs, reads, await countOf(store, 'a')], [['a'], 2, 1])
  assert.equal((await values('~~call/')).size, names.length + 1)
})

test('the key of a call whose process died is free once the deadline of the call has passed', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 })
  const store = createMemoryStore()
  let isDead = false
  const { call, runs } = await counting({
    ...store,
    write(operations, options) {
      if (isDead) throw new Error('This process is dead.')
      isDead = isClaim(options)
      return store.write(operations, options)
    },
  })
  t.mock.method(console, 'error', () => {})
  assert.equal((await call({ id: 'a' }, KEY)).status, 500)
  isDead = false
  t.mock.timers.setTime(5_999)
  assert.equal((await call({ id: 'a' }, KEY)).status, 409)
  t.mock.timers.setTime(6_000)
  assert.equal((await call({ id: 'a' }, KEY)).status, 500)
  assert.deepEqual([runs.length, await countOf(store, 'a')], [2, undefined])
})

/** Reports whether a write claims a call. */
function isClaim(options: WriteOptions | undefined): boolean {
  return Object.entries(options?.values ?? {}).some(
    ([name, value]) => name.startsWith('~~call/') && value !== undefined && !('answer' in JSON.parse(value)),
  )
}

test('malformed keys are refused, a world over a source refuses all keys, and safe actions ignore them', async () => {
  const { call } = await counting()
  for (const key of ['', 'a b', 'é', 'x'.repeat(256)]) {
    const { status, json } = await call({ id: 'a' }, { 'idempotency-key': key })
    assert.deepEqual([status, json.code], [400, 'invalid_parameter'])
    assert.deepEqual(json.details.fields, [{ in: 'header', name: 'Idempotency-Key', reason: 'malformed' }])
  }
  const safe = await worldOfNotes({ safe: true, handler: () => 1 })
  assert.equal((await safe.call({ id: 'a' }, KEY)).status, 200)

  const definition = {
    name: 'sol:note',
    safe: false,
    inputSchema: {},
    outputSchema: {},
    handler: () => assert.fail('it ran'),
  }
  const { handle } = createWorld({
    id: 'urn:x:sol',
    types: [],
    store: arraySource([]),
    publicUrl: 'https://sol.example',
    actions: [defineAction(definition, createValidator)],
    extensions: [() => ({ name: 'sol:anybody', admitCall: () => {} })],
  })
  const response = await handle({
    method: 'POST',
    target: '/api/world/v0/actions/sol%3Anote',
    headers: { 'content-type': 'application/json', ...KEY },
    body: pieces('{"input":{}}'),
  })
  assert.equal(response.status, 400)
  assert.match(Buffer.from(response.body as Uint8Array).toString(), /"not_allowed"/)
})
