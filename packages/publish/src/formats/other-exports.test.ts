import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import type { WriteOptions } from './contract/format.ts'
import { exportPieces } from './formats.ts'

async function exported(
  entities: readonly object[],
  asked: WriteOptions & { format: string },
): Promise<Buffer> {
  const store = createMemoryStore()
  await store.write(
    entities.map((one, at) => ({ put: { type: 'sol:moon', id: `m${at}`, attributes: {}, ...one } })),
  )
  const pieces = []
  for await (const piece of exportPieces(store, { ...asked, type: 'sol:moon' }))
    pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

async function parquetOf(entities: readonly object[], schema?: WriteOptions['schema']) {
  const bytes = await exported(entities, { format: 'parquet', schema, about: { license: 'CC0-1.0' } })
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const metadata = parquetMetadata(file)
  const types = metadata.schema
    .slice(1)
    .map(({ name, type, converted_type: meaning }) => `${name} ${meaning ?? type}`)
  return { types, metadata, rows: await parquetReadObjects({ file }) }
}

test('a Parquet file has a column per attribute, typed by its schema and values', async () => {
  const schema = {
    properties: {
      named: { type: 'string' },
      radius: { type: 'number' },
      count: { type: 'integer' },
      is: { type: 'boolean' },
      never: { type: ['integer', 'null'] },
    },
  }
  const { types, metadata, rows } = await parquetOf(
    [
      {
        title: 'Io',
        attributes: { named: 'Io', radius: 1821, count: 1, is: true, list: [1, 'é'], mixed: 1 },
      },
      { attributes: { radius: null, count: 2, mixed: 'a', id: 'other', half: 0.5 } },
    ],
    schema,
  )
  assert.deepEqual(types, [
    'id UTF8',
    'title UTF8',
    'summary UTF8',
    'named UTF8',
    'radius DOUBLE',
    'count INT64',
    'is BOOLEAN',
    'never INT64',
    'list JSON',
    'mixed JSON',
    'attributes.id UTF8',
    'half DOUBLE',
  ])
  const none = { summary: null, never: null }
  assert.deepEqual(rows, [
    {
      ...{ ...none, id: 'm0', title: 'Io', named: 'Io', radius: 1821, count: 1n, is: true },
      ...{ list: [1, 'é'], mixed: 1, 'attributes.id': null, half: null },
    },
    {
      ...{ ...none, id: 'm1', title: null, named: null, radius: null, count: 2n, is: null },
      ...{ list: null, mixed: 'a', 'attributes.id': 'other', half: 0.5 },
    },
  ])
  assert.deepEqual(metadata.key_value_metadata, [{ key: 'license', value: 'CC0-1.0' }])
})

test('values that violate their schema become JSON, and unsafe integers become doubles', async () => {
  const { types } = await parquetOf(
    [{ attributes: { count: 'many', large: 2 ** 60 } }, { attributes: { count: 1, large: 1 } }],
    { properties: { count: { type: 'integer' }, large: { type: 'integer' } } },
  )
  assert.deepEqual(types.slice(3), ['count JSON', 'large DOUBLE'])
  const empty = await parquetOf([], { properties: { count: { type: 'integer' } } })
  assert.deepEqual(empty.types, ['id UTF8', 'title UTF8', 'summary UTF8', 'count INT64'])
  assert.deepEqual(empty.rows, [])
})

test('large entities are split into several row groups', async () => {
  const { metadata, rows } = await parquetOf(
    Array.from({ length: 40 }, () => ({ attributes: { text: 'x'.repeat(1_000_000) } })),
  )
  assert.equal(metadata.row_groups.length, 3)
  assert.equal(rows.length, 40)
})

test("each GeoJSON feature has the entity's geometry, a point at its location, or null", async () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  }
  const schema = {
    properties: {
      site: { 'x-display': 'place' },
      geometry: { type: 'object', properties: { type: {}, coordinates: {} } },
    },
  }
  const text = await exported(
    [
      { title: 'A', attributes: { site: { latitude: 10, longitude: 200 } } },
      { attributes: { site: { lat: 1, lon: 2 }, geometry: line } },
      { attributes: { site: 'nowhere', geometry: { type: '</script>', coordinates: 'x' } } },
    ],
    { format: 'geojson', schema, about: { license: 'CC0-1.0', type: 'never' } },
  )
  const { type, license, features } = JSON.parse(text.toString())
  assert.deepEqual([type, license], ['FeatureCollection', 'CC0-1.0'])
  assert.deepEqual(
    features.map(({ geometry }: { geometry: unknown }) => geometry),
    [{ type: 'Point', coordinates: [-160, 10] }, line, null],
  )
  assert.deepEqual(features[0], {
    type: 'Feature',
    id: 'm0',
    geometry: features[0].geometry,
    properties: { title: 'A', attributes: { site: { latitude: 10, longitude: 200 } } },
  })
  assert.deepEqual(JSON.parse((await exported([], { format: 'geojson' })).toString()).features, [])
})

test('GeoJSON uses latitude and longitude attributes if no location attribute has a value', async () => {
  const degrees = { latitudeDeg: { type: 'number' }, longitudeDeg: { type: 'number' } }
  const attributes = { latitudeDeg: -23, longitudeDeg: 292 }
  const place = { latitude: 1, longitude: 2 }
  const schema = { properties: { ...degrees, place: { properties: { latitude: {}, longitude: {} } } } }
  const text = await exported([{ attributes }, { attributes: { ...attributes, place } }], {
    format: 'geojson',
    schema,
  })
  const { features } = JSON.parse(text.toString())
  const points = features.map(({ geometry }: { geometry: { coordinates: number[] } }) => geometry.coordinates)
  assert.deepEqual(points, [
    [-68, -23],
    [2, 1],
  ])
})
