import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import type { Query } from '../../../core/src/store/contract.ts'
import { servedType } from '../../../entities/src/types/served-type.ts'
import { askedWorld } from './asked-world.fixture.ts'
import { query, queryDeclaration } from './query-extension.ts'

const world = await askedWorld()

test('discovery lists the action and the queryable properties of each type', async () => {
  const { json } = await world.send('GET', '/.well-known/world.json')
  assert.deepEqual(
    json.actions.map(({ name }: { name: string }) => name),
    ['wp:discover', 'worldwright:query'],
  )
  const extension = json.extensions['worldwright:query']
  assert.equal(extension.limits.conditions, 32)
  assert.deepEqual(extension.types['sol:moon'], [
    { property: 'mass', kinds: ['number'] },
    { property: 'year', kinds: ['number'] },
    { property: 'orbits', kinds: ['reference'], refersTo: ['sol:planet'] },
    { property: 'tags', kinds: ['text'], list: true },
    { property: 'seen', kinds: ['instant'] },
  ])
})

test('a definition can declare the texts of an attribute as ids of a type', () => {
  const properties = { stars: { type: 'array', items: { type: 'string' } }, mass: { type: 'number' } }
  const schema = { type: 'object', properties }
  const served = servedType({ type: 'sol:planet', schema, references: { stars: 'sol:star' } })
  const { types } = queryDeclaration([served]) as { types: Record<string, unknown> }
  assert.deepEqual(types['sol:planet'], [
    { property: 'stars', kinds: ['text'], list: true, refersTo: ['sol:star'] },
    { property: 'mass', kinds: ['number'] },
  ])
})

test('an attribute with index: false cannot be queried', () => {
  const schema = { type: 'object', properties: { mass: { type: 'number' }, notes: { type: 'string' } } }
  const served = servedType({ type: 'sol:moon', schema, index: { notes: false } })
  const { types } = queryDeclaration([served])
  assert.deepEqual(types, { 'sol:moon': [{ property: 'mass', kinds: ['number'] }] })
  assert.deepEqual(queryDeclaration([{ type: 'sol:moon' }])['types'], { 'sol:moon': [] })
})

test('a world without the extension does not have the action', async () => {
  const { handle } = createWorld({
    id: 'urn:x:sol',
    types: [],
    store: world.store,
    publicUrl: 'https://sol.example',
  })
  const send = async (method: string, target: string) =>
    JSON.parse(Buffer.from((await handle({ method, target, headers: {} })).body as Uint8Array).toString())
  const { actions, extensions } = await send('GET', '/.well-known/world.json')
  assert.deepEqual([actions.map(({ name }: { name: string }) => name), extensions], [['wp:discover'], {}])
  const { code } = await send('POST', '/api/world/v0/actions/worldwright%3Aquery')
  assert.equal(code, 'unknown_action')
})

test('a search can be serialized for another process', async () => {
  const { store } = world
  const sent = {
    ...store,
    find: ({ signal, ...query }: Query) => store.find({ ...structuredClone(query), signal }),
  }
  const nothing = () => assert.fail('written')
  const { handle } = createWorld({
    id: 'urn:x:sol',
    types: [],
    store: sent,
    extensions: [query(), () => ({ name: 'sol:writes', writes: { store: sent, validEntity: nothing } })],
    publicUrl: 'https://sol.example',
  })
  const { status } = await handle({
    method: 'POST',
    target: '/api/world/v0/actions/worldwright%3Aquery',
    headers: { 'content-type': 'application/json' },
    body: pieces('{"input":{}}'),
  })
  assert.equal(status, 200)
})
