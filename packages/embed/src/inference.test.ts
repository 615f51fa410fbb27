import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { connect } from '@worldwright/client'
import { toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { defineWorld } from './define-world.ts'

const ORIGIN = 'https://ada.example'
const WIDE: { type: string; properties: Record<string, object> } = { type: 'object', properties: {} }

/** Fails to compile unless the types are the same. */
function same<A, B>(
  _: (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false,
): void {}

test('attributes have the types of their schemas, and are objects if a schema does not tell', async () => {
  const world = defineWorld({
    id: 'urn:x:y',
    store: createMemoryStore(),
    types: {
      'x:json': {
        schema: {
          type: 'object',
          required: ['n'],
          properties: {
            n: { type: ['number', 'null'] },
            list: { type: 'array', items: { type: 'object', properties: { a: { enum: ['b', 1] } } } },
          },
        },
      },
      'x:zod': { schema: z.object({ n: z.number().nullable(), u: z.union([z.string(), z.number()]) }) },
      'x:valibot': { schema: toStandardJsonSchema(v.object({ n: v.nullable(v.number()) })) },
      'x:ark': { schema: type({ n: 'number | null' }) },
      'x:wide': { schema: WIDE },
    },
  })
  await world.put('x:json', 'a', { attributes: { n: null, list: [{ a: 1 }] } })
  const json = (await world.get('x:json', 'a'))?.attributes
  same<NonNullable<typeof json>['n'], number | null>(true)
  same<NonNullable<NonNullable<typeof json>['list']>[0]['a'], 'b' | 1 | undefined>(true)
  assert.deepEqual(json, { n: null, list: [{ a: 1 }] })
  const other = { attributes: { n: null } }
  await world.put('x:valibot', 'a', other)
  await world.put('x:ark', 'a', other)
  await world.put('x:wide', 'a', other)
  // @ts-expect-error: `u` is missing
  await assert.rejects(world.put('x:zod', 'a', other), { code: 'invalid_entity' })
  assert.equal((await world.get('x:wide', 'a'))?.attributes['n'], null)
})

test('values with the types of interfaces can be written and returned', async () => {
  interface Moon {
    readonly radiusKm: number
    readonly name?: string
  }
  const moon: Moon = { radiusKm: 1821.6 }
  const world = defineWorld({
    id: 'urn:x:sol',
    publicUrl: ORIGIN,
    store: createMemoryStore(),
    types: { 'sol:moon': {} },
    actions: {
      'sol:found': { safe: true, output: { type: 'array' }, handler: (_, { discover }) => discover({}) },
      'sol:moon': { safe: true, output: { type: 'object' }, handler: () => moon },
      'sol:moons': {
        safe: true,
        output: { type: 'array', items: { type: 'object' } },
        handler: () => [moon],
      },
      // @ts-expect-error: a text is no object
      'sol:text': { safe: true, output: { type: 'object' }, handler: () => 'Io' },
    },
  })
  await world.put('sol:moon', 'io', { attributes: moon })
  const client = await connect(ORIGIN, { fetch: toFetch(world) })
  assert.deepEqual((await client.action('sol:moons', {})).output, [moon])
  assert.partialDeepStrictEqual((await client.action('sol:found', {})).output, [{ attributes: moon }])
})

test('a job has the output and the entities of its action, and its output is validated by the library', async (t) => {
  t.mock.method(console, 'error', () => {})
  const world = defineWorld({
    id: 'urn:x:y',
    publicUrl: ORIGIN,
    store: createMemoryStore(),
    types: { 'x:count': { schema: z.object({ n: z.number() }) } },
    authenticate: () => ({ id: 'ada' }),
    actions: {
      'x:count': {
        input: z.object({ by: z.number() }),
        output: z.object({ n: z.number().refine((n) => n < 10, 'too large') }),
        handler: ({ by }, { job }) =>
          job(({ transaction }) =>
            transaction(async ({ get, put }) => {
              const n = ((await get('x:count', 'a'))?.attributes.n ?? 0) + by
              await put('x:count', 'a', { attributes: { n } })
              return { n }
            }),
          ),
      },
      // @ts-expect-error: `n` is missing
      'x:wrong': { output: z.object({ n: z.number() }), handler: (_, { job }) => job(() => ({ m: 1 })) },
    },
  })
  const fetch = toFetch(world)
  const asked = async (path: string, init?: RequestInit): Promise<Record<string, unknown>> =>
    JSON.parse(await (await fetch(ORIGIN + path, init)).text())
  const call = async (by: number) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ input: { by } })
    const { job } = await asked('/api/world/v0/actions/x:count', { method: 'POST', headers, body })
    for (;;) {
      const state = await asked(String(job))
      if (state['state'] !== 'running') return state
    }
  }
  assert.deepEqual((await call(7))['output'], { n: 7 })
  const { state, error } = await call(3)
  assert.deepEqual([state, (error as { code: string }).code], ['failed', 'internal_error'])
})
