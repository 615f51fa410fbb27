import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityData } from './linked-data.ts'

const SITE = { 'x-schema-org': 'sameAs' }
const PLACE = { 'x-schema-org': 'geo' }
const TYPE = {
  type: 'sol:site',
  schema: { properties: { page: SITE, mirror: SITE, point: PLACE, place: PLACE } },
}

function dataOf(attributes: Parameters<typeof entityData>[0]['attributes']) {
  const entity = { type: 'sol:site', id: 'x', attributes }
  return entityData(entity, TYPE, { origin: 'https://sol.example', image: undefined })
}

test('attributes with the same mapping are merged in schema order', () => {
  const page = 'https://one.example/'
  assert.equal(dataOf({ page })['sameAs'], page)
  const mirror = ['https://two.example/', 'https://three.example/']
  assert.deepEqual(dataOf({ mirror, page })['sameAs'], [page, ...mirror])
})

test('an attachment is mapped to its absolute URL', () => {
  const data = dataOf({ page: '/attachments/three%20(3).png', mirror: '/elsewhere' })
  assert.deepEqual(data['sameAs'], ['https://sol.example/attachments/three%20(3).png', '/elsewhere'])
})

test('both forms of location are mapped to coordinates; other objects are omitted', () => {
  const point = { type: 'Point', coordinates: [13.4, 52.5, 30] }
  const there = { '@type': 'GeoCoordinates', latitude: 52.5, longitude: 13.4 }
  assert.deepEqual(dataOf({ point })['geo'], there)
  assert.deepEqual(dataOf({ point, place: { latitude: 1, longitude: -2 } })['geo'], [
    there,
    { '@type': 'GeoCoordinates', latitude: 1, longitude: -2 },
  ])
  assert.equal(dataOf({ point: { type: 'Point', coordinates: [] }, place: { lat: 1 } })['geo'], undefined)
})
