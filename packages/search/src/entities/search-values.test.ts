import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import type { IndexRules } from '../../../core/src/store/contract.ts'
import { instantOf } from '../../../core/src/store/instant.ts'
import { valuesOf } from './search-values.ts'

function valuesIn(attributes: JsonObject): unknown[] {
  const times = { createdAt: undefined, updatedAt: undefined }
  return valuesOf({ type: 'a:b', id: 'x', attributes }, times).map((value) => [
    value.path,
    value.kind,
    'value' in value ? value.value : undefined,
  ])
}

test('values are indexed by their actual kind, including values in lists and objects', () => {
  const reference = { type: 'sol:planet', id: 'mars' }
  assert.deepEqual(valuesIn({ a: 1.5, b: [true, [-0]], c: { d: 'x' }, e: reference, f: null, g: [] }), [
    ['["a"]', 'number', 1.5],
    ['["b"]', 'boolean', true],
    ['["b"]', 'number', 0],
    ['["c","d"]', 'text', 'x'],
    ['["e"]', 'reference', reference],
  ])
})

test('attributes with `index: false` yield neither values nor locations', () => {
  const times = { createdAt: undefined, updatedAt: undefined }
  const attributes = { lat: 1, lon: 2, in: { lat: 3 }, toString: 4 }
  const left = (rules: IndexRules[string]) =>
    valuesOf({ type: 'a:b', id: 'x', attributes }, times, rules).map(({ path }) => path)
  assert.deepEqual(left({ lat: { index: false }, in: { weight: 2 } }), [
    '["lon"]',
    '["in","lat"]',
    '["toString"]',
  ])
  assert.deepEqual(left({ in: { index: false } }), ['"attributes"', '["lat"]', '["lon"]', '["toString"]'])
})

test('a date-time with an offset is indexed as text and as an instant, but a date is indexed only as text', () => {
  assert.deepEqual(valuesIn({ a: '1970-01-01T00:00:01+00:00', b: '1970-01-01' }), [
    ['["a"]', 'text', '1970-01-01T00:00:01+00:00'],
    ['["a"]', 'instant', 1000],
    ['["b"]', 'text', '1970-01-01'],
  ])
  // `instantOf` caches its last result.
  const [first, second] = ['1970-01-01T00:00:01Z', '1970-01-01T00:00:02Z']
  assert.deepEqual(
    [first, first, second, first, second, second].map(instantOf),
    [1e3, 1e3, 2e3, 1e3, 2e3, 2e3],
  )
  assert.equal(instantOf('1970-01-01t00:00:00.0005z'), 0.5)
  for (const text of [
    '2024-02-30T00:00:00Z',
    '2024-01-01T00:00:00',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:00:60Z',
  ])
    assert.equal(instantOf(text), undefined, text)
})

test('GeoJSON points and objects with latitude and longitude are locations, even the attributes object itself', () => {
  const point = { type: 'Point', coordinates: [200, 10] }
  assert.deepEqual(valuesIn({ at: point }), [['["at"]', 'place', { longitude: -160, latitude: 10 }]])
  assert.deepEqual(valuesIn({ lat: 1, lon: 2 })[0], ['"attributes"', 'place', { longitude: 2, latitude: 1 }])
  assert.deepEqual(valuesIn({ at: { lat: 91, lon: 2 } })[0], ['["at","lat"]', 'number', 91])
})

test('values that are too long, too deep or too numerous are recorded as unindexed', () => {
  assert.deepEqual(valuesIn({ a: 'x'.repeat(129), b: '\ud800' }), [
    ['["a"]', 'unindexed', undefined],
    ['["b"]', 'unindexed', undefined],
  ])
  const deep = { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } }
  assert.deepEqual(valuesIn(deep), [['*', 'unindexed', undefined]])
  const many = valuesIn({ a: Array.from({ length: 1000 }, (_, at) => at) })
  assert.deepEqual([many.length, many.at(-1)], [513, ['*', 'unindexed', undefined]])
})
