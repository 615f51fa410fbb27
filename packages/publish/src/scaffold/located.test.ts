import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { definitionFromText } from '../definition/definition.ts'
import { scaffoldDefinition } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

/** Proposes a definition of a file called `places`. */
async function proposed(t: TestContext, content: string, ending = 'csv') {
  const folder = await mkdtemp(join(tmpdir(), 'located-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, `places.${ending}`)
  await writeFile(file, content)
  const tables = await scaffoldTables({ paths: [file], folder })
  const found = await scaffoldDefinition({ tables, folder, called: 'places', store: createMemoryStore() })
  const [{ rename } = {}] = definitionFromText(found.text, 'world.yaml').sources
  const said = found.assumptions.filter((line) => /location|renamed/.test(line))
  return { schema: found.tables[0]?.type.schema, rename, said, first: found.trial?.first[0]?.attributes }
}

test('columns of latitude and longitude are a location, renamed if readers do not know their names', async (t) => {
  const names = 'Breite,Länge;Latitude,Longitude;geo_lat,geo_lon;decimalLatitude,decimalLongitude'.split(';')
  for (const [north = '', east = ''] of names.map((pair) => pair.split(','))) {
    const found = await proposed(t, `id,${north},${east}\na,52.5163,13.3777\nb,-33.8568,151.2153\n`)
    assert.deepEqual(found.rename, { [north]: 'latitude', [east]: 'longitude' })
    assert.deepEqual(found.said, [
      `The location is ${north} and ${east}.`,
      `${north} is renamed to latitude, so that maps find it.`,
      `${east} is renamed to longitude, so that maps find it.`,
    ])
    assert.deepEqual(found.first, { id: 'a', latitude: 52.5163, longitude: 13.3777 })
    assert.deepEqual(found.schema, {
      type: 'object',
      properties: {
        latitude: { type: 'number', title: north },
        longitude: { type: 'number', title: east },
        id: { type: 'string' },
      },
      required: ['latitude', 'longitude', 'id'],
    })
  }
  const geographic = await proposed(t, 'id,Geogr. Breite,Geogr. Länge\na,52.5,13.4\nb,48.1,11.6\n')
  assert.deepEqual(geographic.rename, { 'Geogr. Breite': 'latitude', 'Geogr. Länge': 'longitude' })
  const known = await proposed(t, 'id,lat,lng\na,5.5,13.25\nb,3.5,1.5\n')
  assert.deepEqual([known.rename, known.said], [undefined, ['The location is lat and lng.']])
  const json = await proposed(t, '[{"Latitude":12.5,"Longitude":13,"n":"a"}]', 'json')
  assert.deepEqual(json.rename, { Latitude: 'latitude', Longitude: 'longitude' })
})

test('widths, two places in a record, and numbers out of range are no location', async (t) => {
  for (const table of [
    'id,Breite,Länge\na,40.5,60.25\nb,30.5,80.75\n',
    'id,Breite (cm),Länge (cm)\na,80,200\nb,40,90\n',
    'id,Breite_m,Länge_m\na,2.55,12.5\nb,2.5,7.25\n',
    'id,lat_pulldown_kg,long_press_kg\na,40.5,20.25\nb,42.5,22.75\n',
    'id,start_lat,start_lng,end_lat,end_lng\na,1.5,2.5,3.5,4.5\nb,1.25,2.25,3.25,4.25\n',
    'id,Latitude,Longitude\na,5820000.5,380000.5\nb,5810000.5,390000.5\n',
    'id,Latitude,Longitude\na,52° N,13° E\nb,53° N,14° E\n',
    'id,Latitude,height\na,1.5,2.5\nb,1.25,2.25\n',
  ]) {
    const { rename, said } = await proposed(t, table)
    assert.deepEqual([rename, said], [undefined, []], table)
  }
})
