import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityFrom } from './entity.ts'

const read = (item: unknown, names = {}) => entityFrom(item, names, 'sol:moon', 'europa')

test('an entity in our names stays as it is, times and unknown members included', () => {
  const ours = { type: 'sol:moon', id: 'io', title: 'Io', attributes: { radius: 1 }, createdAt: 't', x: 1 }
  assert.deepEqual(read(ours), ours)
})

test('type, id, title and summary are found under other names, and the rest are attributes', () => {
  for (const [item, expected] of [
    [
      { kind: 'sol:moon', slug: 'io', label: 'Io', description: 'Hot', radius: 1 },
      { title: 'Io', summary: 'Hot' },
    ],
    [
      { entityType: 'sol:moon', key: 'io', displayName: 'Io', abstract: 'Hot', radius: 1 },
      { title: 'Io', summary: 'Hot' },
    ],
    [{ _type: 'sol:moon', _id: 'io', radius: 1 }, {}],
    [{ '@type': 'sol:moon', '@id': 'io', properties: { radius: 1 } }, {}],
    [{ type: 'sol:moon', identifier: 'io', fields: { radius: 1 } }, {}],
    [{ id: 'io', radius: 1 }, {}],
  ] as const) {
    assert.deepEqual(read(item), { type: 'sol:moon', id: 'io', ...expected, attributes: { radius: 1 } })
  }
})

test('a title among the attributes is one too, and stays there', () => {
  const item = { type: 'sol:moon', id: 'io', attributes: { name: 'Io' } }
  assert.deepEqual(read(item), { ...item, title: 'Io' })
})

test('ids may be numbers, and an item may be an id alone', () => {
  assert.equal(read({ id: 0 }).id, '0')
  assert.equal(read(7).id, '7')
  assert.deepEqual(read('io'), { type: 'sol:moon', id: 'io', attributes: {} })
})

test('a type that is no prefix:name is an attribute of the type asked for', () => {
  assert.deepEqual(read({ id: 'io', type: 'volcanic' }), {
    type: 'sol:moon',
    id: 'io',
    attributes: { type: 'volcanic' },
  })
})

test('wrapped entities are unwrapped', () => {
  const inner = { type: 'sol:moon', id: 'io', attributes: {} }
  for (const item of [
    [inner],
    { rank: 1, entity: inner },
    { score: 1, item: [inner] },
    { highlight: 'x', hit: inner },
    { data: inner },
  ]) {
    assert.deepEqual(read(item), inner, JSON.stringify(item))
  }
  assert.deepEqual(read({ a: 'b', c: inner, d: { type: 'sol:moon', id: 'no' } }, { entity: 'c' }), inner)
})

test('an entity that another one refers to is not taken for it', () => {
  const item = { name: 'Europa', planet: { kind: 'gas giant', id: 'jupiter' } }
  assert.equal(read(item).id, 'europa')
  const listed = { id: 'io', planet: { type: 'sol:planet', id: 'jupiter' } }
  assert.deepEqual([read(listed).type, read(listed).id], ['sol:moon', 'io'])
})

test('nothing it is given breaks it', () => {
  let deep: unknown = { x: 1 }
  for (let i = 0; i < 100_000; i++) deep = [deep]
  for (const item of [
    null,
    undefined,
    true,
    [],
    {},
    [[]],
    [1, 2],
    deep,
    { attributes: 5 },
    { __proto__: null },
  ]) {
    const { type, id, attributes } = read(item)
    assert.deepEqual([type, typeof id, typeof attributes], ['sol:moon', 'string', 'object'])
  }
})
