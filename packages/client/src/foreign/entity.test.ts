import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityFrom, referenceIn } from './entity.ts'

const read = (item: unknown, names = {}) => entityFrom(item, names, 'sol:moon')

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
  assert.equal(entityFrom(item, {}, 'sol:moon', 'europa').id, 'europa')
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
  assert.deepEqual(read({ kind: 'fic:novel', number: 27, name: 'Moby-Dick', year: 1851 }), {
    type: 'fic:novel',
    id: '27',
    title: 'Moby-Dick',
    attributes: { year: 1851 },
  })
  assert.equal(read({ typeName: 'si:unit', symbol: 'Ω', heading: 'ohm' }).id, 'Ω')
  assert.equal(entityFrom({ number: 27 }, {}, 'sol:moon', 'europa').id, 'europa')
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

test('an entity whose type and id stand in a head keeps all its members', () => {
  const meta = { type: 'sol:moon', id: 'io' }
  const io = { type: 'sol:moon', id: 'io', attributes: { radius: 1 } }
  assert.deepEqual(read({ meta, body: { radius: 1 } }), io)
  assert.deepEqual(read({ about: meta, body: { radius: 1 } }), io)
  assert.deepEqual(read({ body: { radius: 1 }, meta: { ...meta, etag: 'x' } }), {
    ...io,
    attributes: { radius: 1, 'meta.etag': 'x' },
  })
  assert.deepEqual(read({ meta, radius: 1 }), io)
  const given = { attributes: 'body', id: 'meta.id', type: 'meta.type' }
  assert.deepEqual(read({ meta, body: { radius: 1 } }, given), io)
})

test('a declared type is recognised in any member, and a URL is none', () => {
  const names = { declared: ['sol:odd moon/x', 'sol:star'] }
  const item = { id: 'io', home: 'https://x.example/io', category: 'sol:odd moon/x' }
  assert.equal(entityFrom(item, names).type, 'sol:odd moon/x')
  assert.equal(entityFrom({ ...item, category: 'sol:odd planet' }, names).type, '')
  const both = { id: 'io', orbitsType: 'sol:star', kind: 'sol:odd moon/x' }
  assert.equal(entityFrom(both, names, 'sol:odd moon/x').type, 'sol:odd moon/x')
})

test('the requested id is the id if a member repeats it or none has a certain name', () => {
  const asked = (item: object) => entityFrom(item, {}, 'sol:moon', 'io')
  const url = 'https://x.example/things/9'
  assert.deepEqual(asked({ '@id': url, identifier: 'io' }), {
    type: 'sol:moon',
    id: 'io',
    attributes: { '@id': url },
  })
  assert.deepEqual(asked({ '@id': url }).id, 'io')
  assert.deepEqual(asked({ id: 'Io' }).id, 'Io')
})

test('an attribute is not replaced by one of the same name beside it', () => {
  const item = { id: 'io', state: 'outer', data: { state: 'inner' } }
  assert.deepEqual(read(item).attributes, { state: 'outer', data: { state: 'inner' } })
})

test('an entity named by hand is used where it is, and an item without it is read as usual', () => {
  const names = { entity: 'thing', id: 'no' }
  assert.equal(entityFrom({ nth: 1, thing: { no: '7', of: { no: '8' } } }, names).id, '7')
  assert.equal(entityFrom({ no: '7', of: { no: '8' } }, names).id, '7')
})
