import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { query } from '@worldwright/extensions/query'
import { memorySearch } from '@worldwright/search/entities'
import { runWith } from '../memory-io.fixture.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    mass: { type: 'number' },
    note: { type: 'string' },
    orbits: { type: 'object', properties: { type: { type: 'string' }, id: { type: 'string' } } },
    place: { type: 'object', properties: { latitude: { type: 'number' }, longitude: { type: 'number' } } },
  },
}

async function sol(): Promise<typeof fetch> {
  const store = createMemoryStore({ search: memorySearch })
  const planets = ['saturn', 'jupiter'].map((id) => ({
    put: { type: 'sol:planet', id, attributes: { mass: 90 } },
  }))
  const moons = Array.from({ length: 250 }, (_, index) => ({
    put: {
      type: 'sol:moon',
      id: `m${String(index).padStart(3, '0')}`,
      title: `Moon ${index}`,
      attributes: {
        mass: index,
        note: '=1+1',
        orbits: { type: 'sol:planet', id: index % 2 ? 'saturn' : 'jupiter' },
        place: { latitude: 10, longitude: index / 2 },
      },
    },
  }))
  await store.write([...planets, ...moons])
  const types = [
    { type: 'sol:moon', schema: SCHEMA },
    { type: 'sol:planet', schema: { properties: { mass: { type: 'number' } } } },
  ]
  const answer = toFetch(
    createWorld({
      id: 'urn:x:sol',
      types,
      store,
      publicUrl: 'https://sol.example',
      extensions: [query()],
    }),
  )
  return async (input, init) => answer(new Request(input, init))
}

test('query prints the requested attributes, the facets, and the next cursor', async () => {
  const fetch = await sol()
  const { code, out, err } = await runWith(
    [
      'query',
      'sol.example',
      'mass >= 100',
      '--type',
      'sol:moon',
      '--sort',
      '-mass',
      '--limit',
      '2',
      '--facet',
      'orbits',
    ],
    { fetch },
  )
  assert.equal(code, 0)
  const lines = out.split('\n')
  assert.match(lines[0] ?? '', /^ID +TITLE +mass$/)
  assert.match(lines[1] ?? '', /^m249 +Moon 249 +249$/)
  assert.match(out, /orbits: 150 entities\nsol:planet jupiter +75 +█{24}\nsol:planet saturn +75 +█{24}\n/)
  const cursor = /150 matches; 2 shown; there are more: --cursor (\S+),/.exec(err)?.[1]
  assert.ok(cursor)
  const next = await runWith(
    [
      'query',
      'sol.example',
      'mass >= 100',
      '--type',
      'sol:moon',
      '--sort',
      '-mass',
      '--limit',
      '1',
      '--cursor',
      cursor,
    ],
    { fetch },
  )
  assert.match(next.out, /m247/)
})

test('query --all --json prints every entity, one per line, followed by the facets', async () => {
  const fetch = await sol()
  const asked = ['query', 'sol.example', "refersTo(entity('sol:planet', 'saturn'))", '--all', '--json']
  const { out } = await runWith([...asked, '--referrers', 'sol:planet/saturn'], { fetch })
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(lines.length, 126)
  assert.deepEqual(lines.at(-1).facets[0].buckets, [{ type: 'sol:moon', property: 'orbits', count: 125 }])
})

test('query --similar requests entities similar to the given one', async () => {
  const fetch = await sol()
  const asked = ['query', 'sol.example', '--similar', 'sol:moon/m007', '--limit', '3']
  const { code, out, err } = await runWith([...asked, '--json'], { fetch })
  assert.deepEqual([code, out.trimEnd().split('\n').length], [0, 3])
  assert.match(err, /249 matches/)
  const missing = await runWith(['query', 'sol.example', '--similar', 'sol:moon/x'], { fetch })
  assert.match(missing.err, /entity_not_found/)
})

test('query --csv and --geojson print the whole result with formulas escaped', async () => {
  const fetch = await sol()
  const asked = ['query', 'sol.example', 'mass < 240', '--type', 'sol:moon', '--fields', 'mass,note,place']
  const csv = await runWith([...asked, '--csv'], { fetch })
  const rows = csv.out.trimEnd().split('\n')
  assert.equal(rows.length, 241)
  assert.match(rows[1] ?? '', /^m000,Moon 0,,0,'=1\+1,/)
  assert.match(csv.err, /240 texts that a spreadsheet would run/)
  const geojson = JSON.parse((await runWith([...asked, '--geojson'], { fetch })).out)
  assert.equal(geojson.features.length, 240)
  assert.deepEqual(geojson.features[2].geometry, { type: 'Point', coordinates: [1, 10] })
  const several = await runWith(['query', 'sol.example', '--csv'], { fetch })
  assert.equal(several.code, 2)
  assert.match(several.err, /give one with --type/)
})

test('query marks the position of an error in a condition', async () => {
  const { code, err } = await runWith(['query', 'sol.example', 'mass > AND x = 1'])
  assert.equal(code, 2)
  assert.equal(
    err,
    'error: At character 8: expected a value, found AND.\nerror:   mass > AND x = 1\nerror:          ^^^\n',
  )
})

test('the error for a property that cannot be queried lists the properties that can', async () => {
  const { code, err } = await runWith(['query', 'sol.example', 'mas > 1', '--type', 'sol:planet'], {
    fetch: await sol(),
  })
  assert.equal(code, 1)
  assert.match(err, /mas is not a queryable property here/)
  assert.match(err, /Queryable properties: type, id, title, createdAt, updatedAt, mass\n/)
})

test('properties of referenced entities have columns, in conditions, orders and fields', async () => {
  const fetch = await sol()
  const asked = ['query', 'sol.example', '--type', 'sol:moon', '--limit', '1']
  const line = /^ID +TITLE +orbits\.mass\nm000 +Moon 0 +90\n$/
  for (const more of [['orbits.mass = 90'], ['--sort', 'orbits.mass'], ['--fields', 'orbits.mass']])
    assert.match((await runWith([...asked, ...more], { fetch })).out, line)
  const dated = await runWith([...asked, '--sort', 'orbits.mass,createdAt'], { fetch })
  assert.match(dated.out, /\nm000 .*Z\n$/)
})
