import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { createToken } from '@worldwright/extensions/operator'
import { arraySource } from '../../core/src/store/array-source.fixture.ts'
import { defineWorld, type WorldDefinition } from './define-world.ts'

const ORIGIN = 'https://ada.example'

type Definition = WorldDefinition<{ 'sol:moon': object }, 'sol:hail', unknown, unknown, unknown>

/** A world of moons with the action `sol:hail`, read with a token. */
async function worldOf(definition: Partial<Definition>) {
  const store = createMemoryStore()
  const world = defineWorld({
    id: 'urn:x:sol',
    publicUrl: ORIGIN,
    types: { 'sol:moon': {} },
    store,
    actions: { 'sol:hail': { handler: (_, { caller }) => caller.id } },
    ...(definition as object),
  })
  const fetch = toFetch(world)
  const read = (token?: string) => connect(ORIGIN, { fetch, retries: 0, ...(token && { token }) })
  return { store, world, read }
}

test('a caller that is null is a stranger, and scopes that are undefined are the default', async () => {
  const of = async (caller: unknown) =>
    (await worldOf({ authenticate: () => caller as { id: string } })).read('x')
  await assert.rejects((await of(null)).action('sol:hail', {}), { code: 'unauthenticated' })
  assert.equal((await (await of({ id: 'ada', scopes: undefined })).action('sol:hail', {})).output, 'ada')
})

test('callers without an id, and authentication that fails, are internal errors that are logged', async (t) => {
  const logged = t.mock.method(console, 'error', () => {})
  for (const authenticate of [
    () => ({ name: 'Ada' }) as unknown as { id: string },
    () => ({ id: 7 }) as unknown as { id: string },
    () => Promise.reject(new Error('secret')),
  ]) {
    const client = await (await worldOf({ authenticate })).read('x')
    await assert.rejects(client.action('sol:hail', {}), { status: 500, code: 'internal_error' })
  }
  assert.equal(logged.mock.callCount(), 3)
})

test('a world has a store or a source, and not both', () => {
  const of = (given: object) => defineWorld({ id: 'urn:x:y', types: {}, ...given } as never)
  assert.throws(() => of({}), { name: 'TypeError', message: /store or a source/ })
  assert.throws(() => of({ store: createMemoryStore(), source: arraySource([]) }), TypeError)
})

test('a schema of a type that validates asynchronously is refused by a write, and its failure is handled', async () => {
  const validate = () => Promise.reject(new Error('no database'))
  const schema = {
    '~standard': { version: 1, vendor: 'x', validate, jsonSchema: { input: () => ({}), output: () => ({}) } },
  } as const
  const { put } = defineWorld({
    id: 'urn:x:y',
    types: { 'sol:moon': { schema } },
    store: createMemoryStore(),
  })
  const attributes = {} as never
  await assert.rejects(put('sol:moon', 'io', { attributes }), {
    name: 'TypeError',
    message: /asynchronously/,
  })
  // An unhandled rejection would be reported by now.
  await new Promise(setImmediate)
})

test('the options of the operator API make a world private', async () => {
  const { store, world, read } = await worldOf({
    operator: { isServed: false, isPrivate: true },
    authenticate: ({ headers }) =>
      headers['authorization'] === 'Bearer ada' ? { id: 'ada', scopes: ['read'] } : undefined,
  })
  await world.put('sol:moon', 'io', { attributes: {} })
  const { token } = await createToken(store, { scopes: ['read'] })
  for (const known of ['ada', token]) assert.equal((await (await read(known)).get('sol:moon', 'io')).id, 'io')
  await assert.rejects((await read()).get('sol:moon', 'io'), { code: 'unauthenticated' })
})
