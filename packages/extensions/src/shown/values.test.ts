import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, kindOf, outlineOf, placeIn, placeOf, referenceIn } from './values.ts'

test('only an object with exactly a type and an id is a reference', () => {
  assert.deepEqual(referenceIn({ type: 'sol:star', id: 'sun' }), { type: 'sol:star', id: 'sun' })
  assert.deepEqual(referenceIn({ type: 'a:b', id: 'c', world: 'urn:x' }), {
    type: 'a:b',
    id: 'c',
    world: 'urn:x',
  })
  for (const value of [
    'sol:star/sun',
    { type: 'a:b' },
    { type: 'a:b', id: 5 },
    { type: 'a:b', id: 'c', more: 1 },
    null,
  ]) {
    assert.equal(referenceIn(value), undefined)
  }
})

test('a location is read from members of various names or from GeoJSON', () => {
  assert.deepEqual(placeIn({ latitudeDeg: -23, longitudeDeg: -67 }), { latitude: -23, longitude: -67 })
  assert.deepEqual(placeIn({ lat: 1, lng: 2 }), { latitude: 1, longitude: 2 })
  assert.deepEqual(placeIn({ type: 'Point', coordinates: [2, 1] }), { latitude: 1, longitude: 2 })
  assert.deepEqual(placeIn({ latitude: 1, longitude: 200 }), { latitude: 1, longitude: -160 })
  for (const value of [
    { latitude: 91, longitude: 0 },
    { latitude: 1 },
    { latitude: '1', longitude: '2' },
    [1, 2],
  ]) {
    assert.equal(placeIn(value), undefined)
  }
})

test('a location is read from the attributes object or from its first member that is a location', () => {
  const berlin = { latitude: 52.5, longitude: 13.4 }
  assert.deepEqual(placeOf({ name: 'x', ...berlin }), berlin)
  assert.deepEqual(placeOf({ name: 'x', geometry: { type: 'Point', coordinates: [13.4, 52.5, 34] } }), berlin)
  assert.deepEqual(
    placeOf({ near: [berlin], at: { lat: 52.5, lon: 13.4 }, later: { lat: 0, lon: 0 } }),
    berlin,
  )
  for (const value of [{}, null, [berlin], { route: { type: 'LineString', coordinates: [[13.4, 52.5]] } }])
    assert.equal(placeOf(value), undefined)
})

test('a location is on the Earth unless another body is named', () => {
  assert.equal(outlineOf(bodyOf({})), 'earth')
  assert.equal(outlineOf(bodyOf({ locatedOn: { type: 'sol:planet', id: 'earth' } })), 'earth')
  assert.equal(outlineOf(bodyOf({ locatedOn: { type: 'sol:moon', id: 'io' } })), undefined)
  assert.equal(outlineOf(bodyOf({ body: 'Mars' })), 'mars')
  assert.equal(outlineOf(bodyOf({}, { 'x-body': 'moon' })), 'moon')
  assert.equal(bodyOf({ body: 'Mars' }, { 'x-body': 'moon' }), 'Mars')
})

test('each value is classified', () => {
  const kinds = [null, true, 1, 'x', [], {}, { type: 'a:b', id: 'c' }, { lat: 1, lon: 1 }].map(
    (value) => kindOf(value).kind,
  )
  assert.deepEqual(kinds, ['nothing', 'truth', 'number', 'text', 'list', 'object', 'reference', 'place'])
})
