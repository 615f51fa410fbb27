import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { connect } from '@worldwright/client'
import { toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { createToken } from '@worldwright/extensions/operator'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { arraySource } from '../../core/src/store/array-source.fixture.ts'
import { defineWorld } from './define-world.ts'
import type { JsonSchema } from './schemas.ts'

const ORIGIN = 'https://ada.example'

/** A restaurant that takes reservations. `names` maps bearer tokens to callers. */
function restaurant(names: Record<string, string> = { a: 'ada', b: 'bob' }) {
  return defineWorld({
    id: 'urn:example:chez-ada',
    name: 'Chez Ada',
    publicUrl: ORIGIN,
    types: {
      'rest:table': { title: 'Table', schema: z.object({ seats: z.int() }) },
      'rest:booking': {
        schema: {
          type: 'object',
          required: ['table', 'day', 'guest'],
          properties: { table: { type: 'string' }, day: { type: 'string' }, guest: { type: 'string' } },
        },
      },
    },
    store: createMemoryStore(),
    authenticate({ headers }) {
      const id = names[headers['authorization']?.slice('Bearer '.length) ?? '']
      return id === undefined ? undefined : { id }
    },
    actions: {
      'rest:book': {
        preview: true,
        input: z.object({ table: z.string(), day: z.iso.date(), guests: z.int().default(2) }),
        output: z.object({ booking: z.string(), seats: z.int() }),
        async handler({ table, day, guests }, { get, put, fail, caller }) {
          const seats = (await get('rest:table', table))?.attributes.seats ?? 0
          if (guests > seats) fail('rest:too_small', 'This table is too small.', { seats })
          const booking = `${table}-${day}`
          if (await get('rest:booking', booking)) fail('rest:taken', 'This table is taken.')
          await put('rest:booking', booking, { attributes: { table, day, guest: caller.id } })
          return { booking, seats }
        },
      },
    },
    extensions: [changes()],
  })
}

test('a world is defined by schemas, and its callers call actions that write', async () => {
  const world = restaurant()
  await world.put('rest:table', 'window', { title: 'At the window', attributes: { seats: 2 } })
  const fetch = toFetch(world)
  const read = await connect(ORIGIN, { fetch })
  const [booking, table] = read.document.entityTypes ?? []
  assert.deepEqual([table?.type, table?.title, booking?.type], ['rest:table', 'Table', 'rest:booking'])
  assert.equal((table?.schema?.['properties'] as { seats: { type: string } }).seats.type, 'integer')
  const book = { table: 'window', day: '2026-12-24' }
  await assert.rejects(read.action('rest:book', book), { status: 401, code: 'unauthenticated' })

  const [ada, bob] = await Promise.all(['a', 'b'].map((token) => connect(ORIGIN, { fetch, token })))
  const booked = await ada?.action('rest:book', book)
  assert.deepEqual(booked?.output, { booking: 'window-2026-12-24', seats: 2 })
  assert.equal((await world.get('rest:booking', 'window-2026-12-24'))?.attributes.guest, 'ada')
  await assert.rejects(async () => bob?.action('rest:book', book), { status: 422, code: 'rest:taken' })
  await assert.rejects(async () => bob?.action('rest:book', { ...book, guests: 3 }), {
    code: 'rest:too_small',
    details: { seats: 2 },
  })
  await assert.rejects(async () => bob?.action('rest:book', { ...book, day: 'x' }), { code: 'invalid_input' })
})

test('writes of the program are validated, typed and transactional', async () => {
  const world = restaurant()
  const wrong = { attributes: { seats: 'six' as unknown as number } }
  await assert.rejects(world.put('rest:table', 'a', wrong), { code: 'invalid_entity' })
  // @ts-expect-error: seats is a number
  await assert.rejects(world.put('rest:table', 'a', { attributes: { seats: 'six' } }))
  // @ts-expect-error: there is no such type
  await assert.rejects(world.put('rest:chair', 'a', { attributes: {} }), { code: 'unknown_type' })
  await world.put('rest:table', 'a', { attributes: { seats: 1 } })
  await Promise.all(
    [1, 2, 3].map(() =>
      world.transaction(async ({ get, put }) => {
        const { seats } = (await get('rest:table', 'a'))?.attributes ?? { seats: 0 }
        await put('rest:table', 'a', { attributes: { seats: seats + 1 } })
      }),
    ),
  )
  const seats: number | undefined = (await world.get('rest:table', 'a'))?.attributes.seats
  assert.equal(seats, 4)
  await world.delete('rest:table', 'a')
  assert.equal(await world.get('rest:table', 'a'), undefined)
  await assert.rejects(world.delete('rest:table', 'a'), { code: 'entity_not_found' })
})

test('schemas of Zod, Valibot and ArkType are published and enforced, refinements included', async () => {
  const world = defineWorld({
    id: 'urn:x:even',
    types: {
      'x:zod': { schema: z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') }) },
      'x:valibot': {
        schema: toStandardJsonSchema(v.object({ n: v.pipe(v.number(), v.multipleOf(2)) })),
      },
      'x:ark': { schema: type({ n: 'number%2' }) },
    },
    store: createMemoryStore(),
    publicUrl: ORIGIN,
  })
  const { entityTypes = [] } = (await connect(ORIGIN, { fetch: toFetch(world) })).document
  assert.deepEqual(
    entityTypes.map(({ schema }) => (schema?.['properties'] as { n: { type: string } }).n.type),
    ['integer', 'number', 'number'],
  )
  for (const name of ['x:zod', 'x:valibot', 'x:ark'] as const) {
    await world.put(name, 'a', { attributes: { n: 2 } })
    const n: number | undefined = (await world.get(name, 'a'))?.attributes.n
    assert.equal(n, 2)
    for (const wrong of ['two' as unknown as number, 3])
      await assert.rejects(
        world.put(name, 'a', { attributes: { n: wrong } }),
        (error: { code: string; details: { fields: { pointer: string }[] } }) =>
          error.code === 'invalid_entity' && error.details.fields[0]?.pointer === '/attributes/n',
      )
  }
})

test('inputs have the defaults of their schema, and an output that does not match its schema is an internal error', async (t) => {
  t.mock.method(console, 'error', () => {})
  const world = defineWorld({
    id: 'urn:x:y',
    publicUrl: ORIGIN,
    types: {},
    store: createMemoryStore(),
    actions: {
      'x:double': {
        safe: true,
        input: z.object({ n: z.number().default(21) }),
        output: z.object({ n: z.number().max(100) }),
        handler: ({ n }) => ({ n: 2 * n }),
      },
      'x:wrong': {
        safe: true,
        input: {
          type: 'object',
          required: ['a'],
          properties: { a: { enum: ['x', 'y'] }, b: { type: 'integer' } },
        },
        output: { type: 'string' },
        // @ts-expect-error: the output is text
        handler({ a, b }) {
          const known: 'x' | 'y' = a
          const optional: number | undefined = b
          return [known, optional]
        },
      },
    },
  })
  const client = await connect(ORIGIN, { fetch: toFetch(world), retries: 0 })
  assert.deepEqual((await client.action('x:double', {})).output, { n: 42 })
  await assert.rejects(client.action('x:double', { n: '1' }), { code: 'invalid_input' })
  await assert.rejects(client.action('x:double', { n: 60 }), { code: 'internal_error' })
  await assert.rejects(client.action('x:wrong', { a: 'x' }), { code: 'internal_error' })
})

test('a schema that has no JSON Schema, or that cannot be compiled, is refused when the world is defined', () => {
  const of = (schema: object) =>
    defineWorld({
      id: 'urn:x:y',
      types: { 'x:thing': { schema: schema as JsonSchema } },
      store: createMemoryStore(),
    })
  assert.throws(() => of({ type: 'objekt' }), { name: 'TypeError', message: /x:thing/ })
  assert.throws(() => of(v.object({ n: v.number() })), { name: 'TypeError', message: /x:thing.*valibot/ })
  assert.throws(() => of(z.object({ n: z.bigint() })), { name: 'TypeError', message: /x:thing/ })
  assert.throws(
    () => defineWorld({ id: 'urn:x:y', types: { thing: {} }, store: createMemoryStore() }),
    /"thing"/,
  )
})

test('over a source, callers call actions, and writes are refused', async () => {
  const world = defineWorld({
    id: 'urn:x:sol',
    publicUrl: ORIGIN,
    types: { 'sol:moon': {} },
    source: arraySource([{ type: 'sol:moon', id: 'io', title: 'Io', attributes: {} }]),
    authenticate: ({ headers }) =>
      headers['authorization'] ? { id: 'ada', scopes: ['call:sol:hail'] } : undefined,
    actions: {
      'sol:hail': {
        handler: async (_, { caller, get }) => `${caller.id} ${(await get('sol:moon', 'io'))?.title}`,
      },
      'sol:write': { handler: (_, { put }) => put('sol:moon', 'io', { attributes: {} }) },
      'sol:who': { safe: true, handler: (_, { caller }) => caller?.id ?? 'nobody' },
    },
  })
  const fetch = toFetch(world)
  const anonymous = await connect(ORIGIN, { fetch })
  const ada = await connect(ORIGIN, { fetch, token: 'x' })
  assert.equal((await ada.action('sol:hail', {})).output, 'ada Io')
  assert.ok(ada.document.actions?.every(({ idempotencyKey }) => idempotencyKey === undefined))
  assert.equal((await anonymous.action('sol:who', {})).output, 'nobody')
  await assert.rejects(anonymous.action('sol:hail', {}), { code: 'unauthenticated' })
  await assert.rejects(ada.action('sol:write', {}), {
    code: 'forbidden',
    details: { scope: 'call:sol:write' },
  })
  await assert.rejects(world.put('sol:moon', 'io', { attributes: {} }), { code: 'forbidden' })
})

test('holders of tokens can call actions, too, and use the operator API if it is served', async () => {
  for (const isServed of [true, false]) {
    const store = createMemoryStore()
    const world = defineWorld({
      id: 'urn:x:sol',
      publicUrl: ORIGIN,
      types: { 'sol:moon': {} },
      store,
      operator: isServed,
      actions: { 'sol:hail': { handler: (_, { caller }) => caller.name } },
    })
    const { token } = await createToken(store, { name: 'Ada', scopes: ['call', 'write'] })
    const fetch = toFetch(world)
    const ada = await connect(ORIGIN, { fetch, token })
    assert.equal((await ada.action('sol:hail', {})).output, 'Ada')
    const { status } = await fetch(`${ORIGIN}/api/operator/v0/entities/sol:moon/io`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{"attributes":{}}',
    })
    assert.equal(status, isServed ? 201 : 404)
  }
})
