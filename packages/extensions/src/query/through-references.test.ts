import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { World } from '@worldwright/core'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import type { Answer } from './asked-world.fixture.ts'
import { query, queryDeclaration } from './query-extension.ts'
import { typesRead } from './read-input.ts'

const referenceTo = (type: JsonObject) => ({ type: 'object', properties: { type, id: { type: 'string' } } })
const typed = (type: string, properties: JsonObject) => ({ type, schema: { type: 'object', properties } })
const TYPES = [
  typed('my:artist', {
    nation: { type: 'string' },
    born: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    teacher: referenceTo({ const: 'my:artist' }),
    home: { type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } } },
  }),
  typed('my:museum', { nation: { type: 'string' }, opened: { type: 'string', format: 'date-time' } }),
  typed('my:work', {
    artist: referenceTo({ enum: ['my:artist'] }),
    seen: { type: 'array', items: referenceTo({ type: 'string' }) },
    by: { type: 'array', items: { type: 'string' }, 'x-references': 'my:artist' },
    owner: { type: 'string', 'x-references': 'my:museum' },
    nested: { type: 'object', properties: { nation: { type: 'integer' } } },
  }),
  typed('my:print', { owner: { type: 'string', 'x-references': 'my:artist' } }),
]
const ARTIST = (id: string) => ({ type: 'my:artist', id })
const ENTITIES = [
  entity('my:artist', 'a1', { nation: 'gr', born: 1900, tags: ['x', 'y'], teacher: ARTIST('a2'), home: { lat: 38, lon: 24 } }),
  entity('my:artist', 'a2', { nation: 'it', born: 1850 }),
  entity('my:museum', 'm1', { nation: 'it', opened: '2001-01-02T00:00:00Z' }),
  entity('my:work', 'w1', { artist: ARTIST('a1'), seen: [ARTIST('a2'), { type: 'my:museum', id: 'm1' }], by: ['a1', 'a2'] }),
  entity('my:work', 'w2', { artist: ARTIST('a2'), owner: 'm1', nested: { nation: 7 } }),
  entity('my:work', 'w3', { artist: ARTIST('a9'), owner: 'm9', seen: [{ type: 'my:museum', id: 'm1' }] }),
  entity('my:work', 'w4', {}),
  entity('my:print', 'p1', { owner: 'a1' }),
] // biome-ignore format: one entity after another

function entity(type: string, id: string, attributes: JsonObject) {
  return { type, id, title: `The ${id}`, attributes }
}

/** Creates a world of works and artists. `works` returns the ids of the works that match a condition, or the faults. */
async function museum() {
  const store = createMemoryStore({ search: memorySearch })
  await store.write(ENTITIES.map((put) => ({ put })))
  const world = createWorld({ id: 'urn:x:art', types: TYPES, store, extensions: [query()] })
  const ask = async (input: JsonObject): Promise<Answer> => {
    const body = pieces(JSON.stringify({ input: { types: ['my:work'], ...input } }))
    const target = '/api/world/v0/actions/worldwright%3Aquery'
    const headers = { 'content-type': 'application/json' }
    const response = await world.handle({ method: 'POST', target, headers, body })
    const json = JSON.parse(Buffer.from(response.body as Uint8Array).toString())
    return response.status === 200 ? json.output : json
  }
  const works = async (op: string, ...args: JsonValue[]) => {
    const answer = await ask({ where: { op, args } })
    return answer.entities?.map(({ id }) => id) ?? faultsOf(answer)
  }
  return { store, ask, works }
}

const faultsOf = ({ details }: Answer) =>
  details.fields.map(({ pointer, message }) => `${pointer}: ${message}`)
const at = (property: JsonValue) => ({ property })

test('conditions continue through references to one type or any type, and through ids', async () => {
  const { works } = await museum()
  assert.deepEqual(await works('=', at('artist.nation'), 'gr'), ['w1'])
  assert.deepEqual(await works('=', at(['artist', 'nation']), 'it'), ['w2'])
  assert.deepEqual(await works('<>', at('artist.nation'), 'gr'), ['w2'])
  assert.deepEqual(await works('isNull', at('artist.nation')), ['w3', 'w4'])
  assert.deepEqual(await works('=', at('seen.nation'), 'it'), ['w1', 'w3'])
  assert.deepEqual(await works('>', at('seen.opened'), { date: '2001-01-01' }), ['w1', 'w3'])
  assert.deepEqual(await works('=', at('seen.type'), 'my:artist'), ['w1'])
  assert.deepEqual(await works('a_contains', at('by.nation'), ['it', 'gr']), ['w1'])
  assert.deepEqual(await works('like', at('owner.title'), 'The m%'), ['w2'])
  assert.deepEqual(await works('=', at('owner'), { op: 'entity', args: ['my:museum', 'm9'] }), ['w3'])
  assert.deepEqual(await works('s_intersects', at('artist.home'), { bbox: [20, 35, 30, 40] }), ['w1'])
  assert.deepEqual(await works('=', at('artist.teacher'), ARTIST('a2')), ['w1'])
  assert.deepEqual(await works('=', at('nested.nation'), 7), ['w2'])
})

test('a text means the reference with that id if only one type is possible', async () => {
  const { works } = await museum()
  assert.deepEqual(await works('=', at('artist'), 'a1'), ['w1'])
  assert.deepEqual(await works('in', at('artist'), ['a2', 'a9', ARTIST('a1')]), ['w1', 'w2', 'w3'])
  assert.deepEqual(await works('=', at('seen'), "m'1"), [
    "/input/where/args/1: seen holds references { type, id }: write seen = entity('prefix:name', 'm''1'), { op: \"entity\", args: [type, id] } in JSON",
  ])
  assert.match(String(await works('<', at('artist'), 'a1')), /values without an order/)
})

test('orders, facets and fields continue through references', async () => {
  const { ask } = await museum()
  const { entities, facets } = await ask({
    sort: ['-artist.born'],
    facets: ['artist.nation', 'seen.nation', { property: 'artist.born', ranges: [{ from: 1900 }] }],
    fields: ['artist.nation', 'by.tags', 'by.nation', 'owner.title', 'seen.nation', 'artist.id'],
  })
  assert.deepEqual(entities, [
    { type: 'my:work', id: 'w1', title: 'The w1', attributes: { artist: { id: 'a1' }, 'artist.nation': 'gr', 'by.tags': ['x', 'y'], 'by.nation': ['gr', 'it'], 'seen.nation': ['it', 'it'] } },
    { type: 'my:work', id: 'w2', title: 'The w2', attributes: { artist: { id: 'a2' }, 'artist.nation': 'it', 'owner.title': 'The m1' } },
    { type: 'my:work', id: 'w3', title: 'The w3', attributes: { artist: { id: 'a9' }, 'seen.nation': ['it'] } },
    { type: 'my:work', id: 'w4', title: 'The w4', attributes: {} },
  ]) // biome-ignore format: one entity after another
  const bucket = (value: string, count: number) => ({ value, count })
  assert.deepEqual(facets, [
    {
      property: 'artist.nation',
      kind: 'text',
      present: 2,
      absent: 2,
      buckets: [bucket('gr', 1), bucket('it', 1)],
    },
    { property: 'seen.nation', kind: 'text', present: 2, absent: 2, buckets: [bucket('it', 2)] },
    { property: 'artist.born', kind: 'number', present: 2, absent: 2, buckets: [{ from: 1900, count: 1 }] },
  ])
})

test('groups and measures continue through references', async () => {
  const { ask } = await museum()
  const { groups, group } = await ask({
    group: ['artist.nation'],
    measures: [
      { op: 'max', property: 'seen.opened' },
      { op: 'avg', property: 'artist.born' },
    ],
    groupSort: ['key'],
  })
  assert.deepEqual(group, [{ property: 'artist.nation', kind: 'text' }])
  assert.deepEqual(groups, [
    { key: ['gr'], count: 1, measures: ['2001-01-02T00:00:00.000Z', 1900] },
    { key: ['it'], count: 1, measures: [null, 1850] },
    { key: [null], count: 2, measures: ['2001-01-02T00:00:00.000Z', null] },
  ])
})

test('an answer follows changes of the referenced entities', async () => {
  const { store, works, ask } = await museum()
  assert.deepEqual(await works('=', at('artist.nation'), 'gr'), ['w1'])
  await store.write([{ put: entity('my:artist', 'a2', { nation: 'gr' }) }, { delete: ARTIST('a1') }])
  assert.deepEqual(await works('=', at('artist.nation'), 'gr'), ['w2'])
  const { entities } = await ask({ fields: ['artist.nation'], limit: 2 })
  assert.deepEqual(
    entities.map(({ attributes }) => attributes['artist.nation']),
    [undefined, 'gr'],
  )
})

test('a path that cannot continue is refused with the properties that are queryable there', async () => {
  const { works, ask } = await museum()
  const refused = async (property: string, types: string[]) => {
    const answer = await ask({ types, where: { op: 'isNull', args: [at(property)] } })
    const { properties } = answer.details as { properties?: JsonValue }
    return [faultsOf(answer).map((fault) => fault.slice(fault.indexOf(' ') + 1)), properties]
  }
  const there = ['type', 'id', 'title', 'createdAt', 'updatedAt', 'nation', 'born', 'tags', 'teacher', 'home']
  assert.deepEqual(await refused('artist.mass', ['my:work']), [
    [
      'the entities that artist refers to (my:artist) have no queryable property mass; details.properties lists theirs',
    ],
    [...there, 'home.lat', 'home.lon'].map((name) => `artist.${name}`),
  ])
  assert.deepEqual(await refused('artist.teacher.nation', ['my:work']), [
    ['a path continues through one reference, here artist, and not through a second one'],
    undefined,
  ])
  assert.deepEqual(await refused('owner.nation', ['my:work', 'my:print']), [
    ['owner holds ids of different types in the queried types: query one type'],
    undefined,
  ])
  assert.match(
    String(await works('isNull', at('nested.artist'))),
    /nested.artist is not a queryable property/,
  )
  assert.match(
    String(faultsOf(await ask({ fields: ['artist.mass'] }))),
    /artist refers to \(my:artist\) have no queryable property mass/,
  )
  assert.match(String(faultsOf(await ask({ include: ['artist.teacher'] }))), /include follows/)
})

test('a query reads the types to which its paths refer, or all if they are unknown', async () => {
  const world = { types: async () => TYPES } as unknown as World
  const read = (input: JsonObject) => typesRead({ types: ['my:work'], ...input }, world)
  const isNull = (property: string) => ({ where: { op: 'isNull', args: [at(property)] } })
  assert.deepEqual(await read(isNull('artist')), ['my:work'])
  assert.deepEqual(await read(isNull('artist.nation')), ['my:artist', 'my:work'])
  assert.deepEqual(await read({ facets: ['owner.nation'] }), ['my:museum', 'my:work'])
  assert.deepEqual(await read({ sort: ['by.born'] }), ['my:artist', 'my:work'])
  assert.deepEqual(await read({ group: ['owner.nation'] }), ['my:museum', 'my:work'])
  assert.deepEqual(await read({ measures: [{ op: 'avg', property: 'artist.born' }] }), [
    'my:artist',
    'my:work',
  ])
  assert.deepEqual(await read({ fields: ['artist.nation'] }), ['my:artist', 'my:work'])
  assert.equal(await read(isNull('seen.nation')), undefined)
  assert.deepEqual(await read(isNull('nowhere')), ['my:work'])
  // The fault lists the properties of artists.
  assert.deepEqual(await read(isNull('artist.mass')), ['my:artist', 'my:work'])
  assert.deepEqual(await read({ fields: ['artist.mass'], limit: 'all' }), ['my:artist', 'my:work'])
  assert.equal(await read(isNull('seen.mass')), undefined)
})

test('discovery lists the types to which a property refers', () => {
  const { types } = queryDeclaration(TYPES) as { types: Record<string, JsonObject[]> }
  assert.deepEqual(types['my:work']?.slice(0, 4), [
    { property: 'artist', kinds: ['reference'], refersTo: ['my:artist'] },
    { property: 'seen', kinds: ['reference'], list: true },
    { property: 'by', kinds: ['text'], list: true, refersTo: ['my:artist'] },
    { property: 'owner', kinds: ['text'], refersTo: ['my:museum'] },
  ])
})
