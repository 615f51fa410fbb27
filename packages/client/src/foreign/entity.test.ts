import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityFrom, referenceIn } from './entity.ts'

const read = (item: unknown, names = {}) => entityFrom(item, names, 'sol:moon', 'europa')

test('an entity with our names is returned unchanged, including unknown members', () => {
  const ours = { type: 'sol:moon', id: 'io', title: 'Io', attributes: { radius: 1 }, createdAt: 't', x: 1 }
  assert.deepEqual(read(ours), ours)
})

test('type, id, title and summary are found under other names, and other members become attributes', () => {
  for (const [item, expected] of [
    [
      { kind: 'sol:moon', slug: 'io', label: 'Io', description: 'Hot', radius: 1 },
      { title: 'Io', summary: 'Hot' },
    ],
    [
      { entityType: 'sol:moon', key: 'io', displayName: 'Io', shortDescription: 'Hot', radius: 1 },
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

test('a title among the attributes becomes the title and also stays among the attributes', () => {
  const item = { type: 'sol:moon', id: 'io', attributes: { name: 'Io' } }
  assert.deepEqual(read(item), { ...item, title: 'Io' })
})

test('an id may be a number, and an item may consist of an id alone', () => {
  assert.equal(read({ id: 0 }).id, '0')
  assert.equal(read(7).id, '7')
  assert.deepEqual(read('io'), { type: 'sol:moon', id: 'io', attributes: {} })
})

test('a type that is not prefix:name becomes an attribute', () => {
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

test('a referenced entity is not mistaken for the entity itself', () => {
  const item = { name: 'Europa', planet: { kind: 'gas giant', id: 'jupiter' } }
  assert.equal(read(item).id, 'europa')
  const listed = { id: 'io', planet: { type: 'sol:planet', id: 'jupiter' } }
  assert.deepEqual([read(listed).type, read(listed).id], ['sol:moon', 'io'])
})

test('any item is accepted without an error', () => {
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

test('the first member is the id if none has a known name and no id was requested', () => {
  const listed = (item: unknown) => entityFrom(item, {}, 'fic:novel')
  assert.deepEqual(listed({ kind: 'fic:novel', number: 27, name: 'Moby-Dick', year: 1851 }), {
    type: 'fic:novel',
    id: '27',
    title: 'Moby-Dick',
    attributes: { year: 1851 },
  })
  assert.equal(listed({ typeName: 'si:unit', symbol: 'Ω', heading: 'ohm' }).id, 'Ω')
  assert.equal(read({ number: 27 }).id, 'europa')
})

test('a wrapper may contain the type of its entity', () => {
  const hit = { kind: 'astro:star', match: { key: 'vega', constellation: { type: 'a:b', id: 'Lyr' } } }
  const { type, id } = entityFrom(hit, {})
  assert.deepEqual([type, id], ['astro:star', 'vega'])
})

test('references with other names and additional text are recognised', () => {
  const to = { type: 'sol:planet', id: '5' }
  for (const value of [
    to,
    { rel: 'orbits', ...to },
    { kind: 'sol:planet', slug: '5' },
    { rel: 'part-of', entityType: 'sol:planet', entityId: '5', label: 'Jupiter' },
  ])
    assert.deepEqual(referenceIn(value), to)
  for (const value of [
    null,
    'sol:planet',
    [to],
    { id: '5' },
    { type: 'Point', id: '1' },
    { ...to, more: 1 },
    { ...to, attributes: {} },
  ])
    assert.equal(referenceIn(value), undefined)
})
