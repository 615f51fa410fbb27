import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptionFrom, type WorldDescription } from './document.ts'
import type { Names } from './names.ts'

const HEAD = { protocol: 'world/0.1', endpoints: { api: 'https://a.example/api' } }

const read = (document: object, names?: Names): WorldDescription =>
  JSON.parse(JSON.stringify(descriptionFrom({ ...HEAD, ...document }, names)))
const typesIn = (document: object) => read(document).entityTypes?.value.map(({ type }) => type)
const actionsIn = (document: object) => read(document).actions?.value.map(({ name }) => name)

test('types are read from strings, objects and maps, in arrays, keyed by name or grouped by prefix', () => {
  const moon = { title: 'Moon' }
  for (const types of [
    ['sol:moon', 'sol:star'],
    [{ type: 'sol:moon' }, { type: 'sol:star' }],
    [{ name: 'sol:moon', ...moon }, { name: 'sol:star' }],
    { 'sol:moon': moon, 'sol:star': null },
    { 'sol:moon': 'A moon', 'sol:star': 'A star' },
    { moon: { type: 'sol:moon' }, star: { type: 'sol:star' } },
    { moon: 'sol:moon', star: 'sol:star' },
    { sol: ['moon', 'star'] },
    { sol: { moon, star: {} } },
    { sol: [{ name: 'moon' }, { name: 'star' }] },
    { sol: ['sol:moon', 'sol:star'] },
    [{ prefix: 'sol', names: ['moon', 'star'] }],
    [
      { prefix: 'sol', name: 'moon' },
      { prefix: 'sol', name: 'star' },
    ],
  ]) {
    for (const document of [
      { entityTypes: types },
      { types },
      { kinds: types },
      { entities: types },
      { capabilities: { types, actions: ['wp:discover'] } },
      { world: { id: 'urn:x', entity_types: types } },
    ])
      assert.deepEqual(typesIn(document), ['sol:moon', 'sol:star'], JSON.stringify(document))
  }
})

test('actions are read from the same forms as types', () => {
  for (const actions of [
    ['wp:discover'],
    [{ action: 'wp:discover', safe: true }],
    { 'wp:discover': { method: 'POST' } },
    { wp: ['discover'] },
    { wp: { discover: {} } },
  ]) {
    for (const document of [
      { actions },
      { supportedActions: actions },
      { operations: actions },
      { can: 1, capabilities: actions },
    ])
      assert.deepEqual(
        actionsIn({ types: ['sol:moon'], ...document }),
        ['wp:discover'],
        JSON.stringify(document),
      )
  }
})

test('unknown members of types and actions are kept', () => {
  const schema = { properties: {} }
  const { entityTypes, actions } = read({
    types: { 'sol:moon': { title: 'Moon', schema } },
    actions: [{ name: 'wp:discover', safe: true }],
  })
  assert.deepEqual(entityTypes, {
    value: [{ type: 'sol:moon', title: 'Moon', schema }],
    path: 'types',
    certainty: 'likely',
  })
  assert.deepEqual(actions, {
    value: [{ name: 'wp:discover', safe: true }],
    path: 'actions',
    certainty: 'ours',
  })
})

test("the world's id and name are found at any known path", () => {
  for (const document of [
    { world: { id: 'urn:sol', name: 'Sol' } },
    { id: 'urn:sol', name: 'Sol' },
    { worldId: 'urn:sol', title: 'Sol' },
    { world_id: 'urn:sol', worldName: 'Sol' },
    { identity: { canonicalId: 'urn:sol', label: 'Sol' } },
    { world: 'urn:sol', name: 'Sol' },
    { world: { identifier: 'urn:sol', title: 'Sol' } },
    { canonical_world_identifier: 'urn:sol', name: 'Sol' },
    { world: { urn: 'urn:sol' }, name: 'Sol' },
  ]) {
    const { id, name } = read(document)
    assert.deepEqual([id?.value, name?.value], ['urn:sol', 'Sol'], JSON.stringify(document))
  }
})

test('a missing part is undefined, but an empty list of types is recognised', () => {
  assert.deepEqual(read({}), {})
  assert.deepEqual(read({ entityTypes: [] }).entityTypes?.value, [])
  assert.equal(
    read({ limits: { list: { max: 5 } }, authentication: { schemes: ['bearer'] } }).entityTypes,
    undefined,
  )
})

test('names given by hand take precedence', () => {
  const document = { id: 'wrong', real: { who: 'urn:x' }, stuff: ['sol:moon'], doings: ['wp:discover'] }
  const names = { world: 'real.who', types: 'stuff', actions: 'doings' }
  const { id, entityTypes, actions } = read(document, names)
  assert.deepEqual(id, { value: 'urn:x', path: 'real.who', certainty: 'given' })
  assert.deepEqual(entityTypes?.value, [{ type: 'sol:moon' }])
  assert.deepEqual(
    actions?.value.map(({ name }) => name),
    ['wp:discover'],
  )
})

test('any document is accepted without an error', () => {
  let deep: unknown = 'sol:moon'
  for (let i = 0; i < 100_000; i++) deep = [deep]
  for (const odd of [null, 5, '', [], [null], [[[]]], { a: null }, deep, { deep }]) {
    read({ entityTypes: odd, actions: odd, world: odd })
  }
})

test('types with any characters are read, and entries without a type are kept as unread', () => {
  const odd = ['sol:moon/large', 'sol:small moon', 'sol:a:b', 'https://types.example/Moon', 'sol:moon']
  assert.deepEqual(typesIn({ types: odd.map((type) => ({ type, schema: 'https://x.example/y' })) }), odd)
  assert.deepEqual(typesIn({ kinds: odd }), odd)
  assert.deepEqual(typesIn({ kinds: odd.map((name) => ({ name, title: 'Moons: all' })) }), odd)
  assert.deepEqual(typesIn({ kinds: { [`${odd[0]}`]: {}, 'sol:moon': { see: 'https://x.example' } } }), [
    odd[0],
    'sol:moon',
  ])
  const entries = [{ id: 'sol:moon', name: 'Moons: all' }, { nothing: 1 }, 'planet', 'sol:star']
  const { entityTypes, unread } = read({ types: entries })
  assert.deepEqual(
    entityTypes?.value.map(({ type }) => type),
    ['sol:moon', 'sol:star'],
  )
  assert.deepEqual(unread, [{ nothing: 1 }, 'planet'])
  assert.equal(read({ types: ['sol:moon'] }).unread, undefined)
})

test('a world is not named after a type or an action', () => {
  const types = { 'sol:moon': { id: 'urn:x', title: 'Moon' } }
  assert.deepEqual(typesIn({ types }), ['sol:moon'])
  const { id, name } = read({ types, actions: { 'wp:discover': { title: 'Discover' } } })
  assert.deepEqual([id, name], [undefined, undefined])
})
