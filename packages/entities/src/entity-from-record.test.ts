import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityFromRecord } from './entity-from-record.ts'

function entityOf(record: unknown, type?: string) {
  const result = entityFromRecord(record, { type })
  return 'entity' in result ? result.entity : assert.fail(JSON.stringify(result.faults))
}

function faultsOf(record: unknown) {
  const result = entityFromRecord(record, {})
  return 'faults' in result ? result.faults.map(({ pointer, reason }) => `${pointer} ${reason}`) : []
}

const MOON = { type: 'sol:moon', id: 'europa' }

test('a flat record supplies title and summary, and its other members become attributes in order', () => {
  const record = { ...MOON, radius: 1560.8, name: 'Europa', description: 'Icy.', aliases: ['J II'] }
  assert.deepEqual(entityOf(record), {
    ...MOON,
    title: 'Europa',
    summary: 'Icy.',
    attributes: { radius: 1560.8, aliases: ['J II'] },
  })
})

test('title takes precedence over name as the title, and the unused member stays an attribute', () => {
  assert.deepEqual(entityOf({ ...MOON, title: 'A', name: 'B', summary: 'C', description: 'D' }), {
    ...MOON,
    title: 'A',
    summary: 'C',
    attributes: { name: 'B', description: 'D' },
  })
  assert.deepEqual(entityOf({ ...MOON, title: null, name: 'B' }), {
    ...MOON,
    title: 'B',
    attributes: { title: null },
  })
})

test('a record with attributes is read as a served entity, and the members that the store adds are dropped', () => {
  const served = { ...MOON, title: 'Europa', attributes: { name: 'kept' } }
  const record = { ...served, createdAt: '2026-01-01T00:00:00Z', updatedAt: 'x', revision: 'y' }
  assert.deepEqual(entityOf(record), served)
})

test('a served entity with unknown or null members is refused', () => {
  assert.deepEqual(faultsOf({ ...MOON, attributes: {}, radius: 1 }), ['/radius not_allowed'])
  assert.deepEqual(faultsOf({ ...MOON, title: null, attributes: {} }), ['/title wrong_type'])
  assert.deepEqual(faultsOf({ ...MOON, attributes: [] }), ['/attributes wrong_type'])
})

test('an integer id becomes a string of digits, but only in a flat record', () => {
  assert.equal(entityOf({ type: 'a:b', id: 42 }).id, '42')
  assert.deepEqual(faultsOf({ type: 'a:b', id: 1.5 }), ['/id wrong_type'])
  assert.deepEqual(faultsOf({ type: 'a:b', id: 42, attributes: {} }), ['/id wrong_type'])
})

test('the default type applies to a record without a type', () => {
  assert.equal(entityOf({ id: 'x' }, 'sol:moon').type, 'sol:moon')
  assert.equal(entityOf({ type: 'sol:planet', id: 'x' }, 'sol:moon').type, 'sol:planet')
})

test('a type that is not prefix:name becomes an attribute if there is a default type', () => {
  for (const type of ['Hardcover', 'wp', 'Room 7: north', 7, null])
    assert.deepEqual(entityOf({ type, id: 'x' }, 'b:book'), { type: 'b:book', id: 'x', attributes: { type } })
  assert.deepEqual(faultsOf({ type: 'Hardcover', id: 'x' }), ['/type malformed'])
  const served = entityFromRecord({ type: 'Moon', id: 'x', attributes: {} }, { type: 'sol:moon' })
  assert.ok('faults' in served && served.faults[0]?.pointer === '/type')
})

test('a title, name, summary or description that is not a string becomes an attribute', () => {
  const name = { common: 'Europa', official: 'Jupiter II' }
  assert.deepEqual(entityOf({ ...MOON, title: 7, name, description: ['icy'] }), {
    ...MOON,
    attributes: { title: 7, name, description: ['icy'] },
  })
})

test('all faults of a record are reported at once', () => {
  assert.deepEqual(faultsOf({ type: 'Moon' }), ['/type malformed', '/id required'])
  assert.deepEqual(faultsOf([]), [' wrong_type'])
  assert.deepEqual(faultsOf({ type: 'wp:thing', id: 'a/../b' }), ['/type not_allowed', '/id malformed'])
})

test('an id outside the grammar is refused', () => {
  for (const id of ['', ' a', 'a\u0000', '.', 'a/..', 'e\u0301', '\ud800']) {
    assert.deepEqual(faultsOf({ type: 'a:b', id }), ['/id malformed'], JSON.stringify(id))
  }
  assert.deepEqual(faultsOf({ type: 'a:b', id: 'x'.repeat(513) }), ['/id too_long'])
})

test('invalid values are reported at any depth', () => {
  const record = {
    ...MOON,
    a: { 'x/y': ['\ud800'] },
    b: 'nul\0',
    c: 2 ** 53,
    d: Number.POSITIVE_INFINITY,
    'k\0': 1,
    e: undefined,
  }
  assert.deepEqual(faultsOf(record), [
    '/a/x~1y/0 malformed',
    '/b not_allowed',
    '/c not_allowed',
    '/d not_allowed',
    '/k\0 not_allowed',
    '/e wrong_type',
  ])
})

test('nesting is limited to 64 levels and size to 256 KiB', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
  assert.deepEqual(faultsOf({ ...MOON, a: nested(63) }), [])
  assert.equal(faultsOf({ ...MOON, a: nested(64) })[0]?.endsWith(' too_many'), true)
  assert.deepEqual(faultsOf({ ...MOON, a: 'x'.repeat(256 * 1024 - 100) }), [])
  assert.deepEqual(faultsOf({ ...MOON, a: 'x'.repeat(256 * 1024) }), [' too_long'])
})

test('keys such as __proto__ become own properties', () => {
  const record = JSON.parse('{"type":"a:b","id":"x","__proto__":{"y":1},"constructor":2}')
  const { attributes } = entityOf(record)
  assert.deepEqual(Object.entries(attributes), [
    ['__proto__', { y: 1 }],
    ['constructor', 2],
  ])
  assert.equal(JSON.stringify(attributes), '{"__proto__":{"y":1},"constructor":2}')
})

test('an id that is valid but not portable causes a warning', () => {
  assert.equal('warning' in entityFromRecord({ type: 'a:b', id: 'a b' }, {}), true)
  assert.equal('warning' in entityFromRecord({ type: 'a:b', id: 'a:b~c.d-e_1' }, {}), false)
})
