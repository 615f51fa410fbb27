import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecords } from '../../input/read-records.ts'
import { placeOf } from './feature-record.ts'

async function read(content: unknown, name = 'x.geojson') {
  const bytes = (async function* () {
    yield Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  })()
  const found: unknown[] = []
  for await (const result of readRecords({ name, bytes }))
    found.push('record' in result ? result.record : result.fault)
  return found
}

const POINT = { type: 'Point', coordinates: [13.4, 52.5] }

test('features become records with their properties, geometry and display location', async () => {
  const feature = { type: 'Feature', id: 7, properties: { name: 'Berlin', type: 'city' }, geometry: POINT }
  const record = {
    name: 'Berlin',
    type: 'city',
    id: 7,
    geometry: POINT,
    place: { latitude: 52.5, longitude: 13.4 },
  }
  assert.deepEqual(await read({ type: 'FeatureCollection', features: [feature] }), [record])
  assert.deepEqual(await read(`${JSON.stringify(feature)}\n${JSON.stringify(feature)}\n`, 'x.geojsonl'), [
    record,
    record,
  ])
  const bare = { type: 'Feature', properties: null, geometry: null }
  assert.deepEqual(await read({ type: 'FeatureCollection', features: [bare] }), [{ geometry: null }])
})

test('a member of a feature is kept even if a property has the same name', async () => {
  const properties = { id: 'p', geometry: 'round', place: 'there', bbox: 'b' }
  const feature = { type: 'Feature', id: 'f', bbox: [1, 2, 3, 4], properties, geometry: POINT }
  assert.deepEqual(await read({ type: 'FeatureCollection', features: [feature] }), [
    {
      id: 'f',
      'properties.id': 'p',
      geometry: 'round',
      place: 'there',
      bbox: 'b',
      'feature.bbox': [1, 2, 3, 4],
      'feature.geometry': POINT,
      'feature.place': { latitude: 52.5, longitude: 13.4 },
    },
  ])
})

test('a line is located at its middle and an area at its centre if coordinates are in degrees', () => {
  const square = [
    [0, 0],
    [2, 0],
    [2, 4],
    [0, 4],
    [0, 0],
  ]
  const small = [
    [10, 10],
    [11, 10],
    [11, 11],
    [10, 11],
    [10, 10],
  ]
  const at = (latitude: number, longitude: number) => ({ latitude, longitude })
  assert.deepEqual(
    placeOf({
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 2],
        [9, 9],
      ],
    }),
    at(2, 1),
  )
  assert.deepEqual(placeOf({ type: 'Polygon', coordinates: [square, small] }), at(2, 1))
  assert.deepEqual(placeOf({ type: 'MultiPolygon', coordinates: [[small], [square]] }), at(2, 1))
  assert.deepEqual(placeOf({ type: 'GeometryCollection', geometries: [POINT] }), at(52.5, 13.4))
  assert.equal(placeOf({ type: 'Point', coordinates: [389_000, 5_819_000] }), undefined)
  assert.equal(placeOf({ type: 'Point', coordinates: [] }), undefined)
})

test('coordinates declared to be in metres are refused', async () => {
  const crs = (name: string) => ({ type: 'name', properties: { name } })
  const collection = (name: string) => ({ type: 'FeatureCollection', crs: crs(name), features: [] })
  await assert.rejects(read(collection('urn:ogc:def:crs:EPSG::25833')), {
    name: 'SourceFault',
    message: /the coordinates are in urn:ogc:def:crs:EPSG::25833\. Convert them to degrees/,
  })
  for (const name of ['urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:4326', 'urn:ogc:def:crs:EPSG::4326'])
    assert.deepEqual(await read(collection(name)), [])
})
