import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck } from '@worldwright/entities/types'
import { changes } from '@worldwright/extensions/changes'
import { createToken, operator } from '@worldwright/extensions/operator'
import { query } from '@worldwright/extensions/query'
import { memorySearch } from '@worldwright/search/entities'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import { changesPage } from '../changes.ts'
import { connect, type Entity, type QueryInput, type World } from '../index.ts'
import { Operator } from '../operator/operator.ts'
import type { AnyTypes } from '../types.ts'
import { memoryWorld } from './memory-world.ts'

const text = { type: 'string' }
const reference = { type: 'object', properties: { type: text, id: text }, additionalProperties: false }
const properties = {
  mass: { type: 'number' },
  icy: { type: 'boolean' },
  tags: { type: 'array', items: text },
  seen: { type: 'string', format: 'date-time' },
  orbits: reference,
  deep: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' }, 'a.b': text } } },
}
const TYPES = ['sol:moon', 'sol:star'].map((type) => ({ type, schema: { properties } }))

const anyText = fc.constantFrom('a', 'ab', 'b', 'B', 'é', '', '\u{1f319}')
const anyReference = fc.record({ type: fc.constant('sol:moon'), id: fc.constantFrom('m1', 'm2') })
const anySeen = fc.constantFrom('1990-01-31T12:00:00Z', '1990-01-31T13:00:00+02:00', '1990-01-31T11:59:59.5Z')
const attributes = fc.record(
  {
    mass: fc.integer({ min: 0, max: 3 }),
    icy: fc.boolean(),
    tags: fc.array(anyText, { maxLength: 3 }),
    seen: anySeen,
    orbits: anyReference,
    deep: fc.array(fc.record({ n: fc.integer({ min: 0, max: 3 }), 'a.b': anyText }, { requiredKeys: [] }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
)
const anyEntities = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom('sol:moon', 'sol:star'),
    id: fc.constantFrom('m1', 'm2', 'm10', 'M', '\u{1f319}', 'ﬀ'),
    attributes,
  }),
  { selector: ({ type, id }) => `${type} ${id}`, maxLength: 8 },
)

const OPERATORS = ['=', '<>', '<', '<=', '>', '>=', 'between', 'in'] as const
const VALUES: [unknown, fc.Arbitrary<unknown>][] = [
  ['mass', fc.integer({ min: 0, max: 3 })],
  ['deep.n', fc.integer({ min: 0, max: 3 })],
  ['icy', fc.boolean()],
  ['tags', anyText],
  [['deep', 'a.b'], anyText],
  ['seen', anySeen.map((timestamp) => ({ timestamp }))],
  ['orbits', anyReference],
  ['orbits', anyReference.map(({ type, id }) => ({ op: 'entity', args: [type, id] }))],
  ['id', anyText],
]
const comparison = fc.oneof(
  ...VALUES.map(([property, value]) =>
    fc.tuple(fc.constantFrom(...OPERATORS), fc.tuple(value, value, value)).map(([op, [a, b, c]]) => {
      const rest = op === 'in' ? [[a, b, c]] : op === 'between' ? [a, b] : [a]
      return { op, args: [{ property }, ...rest] }
    }),
  ),
  fc
    .constantFrom('mass', 'tags', 'title', 'orbits')
    .map((property) => ({ op: 'isNull', args: [{ property }] })),
  anyText.map((prefix) => ({ op: 'like', args: [{ property: 'tags' }, `${prefix}%`] })),
)
const { where: anyWhere } = fc.letrec((tie) => ({
  where: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('where'), { minLength: 2, maxLength: 3 }))
      .map(([op, args]) => ({ op, args })),
    tie('where').map((arg) => ({ op: 'not', args: [arg] })),
  ),
}))
const sortKey = fc.constantFrom<unknown>('mass', '-mass', '-tags', 'tags', 'seen', 'icy', '-id', {
  property: ['deep', 'a.b'],
  descending: true,
})
const anyQuery = fc.record(
  {
    types: fc.constantFrom(['sol:moon'], ['sol:moon', 'sol:star'], []),
    where: anyWhere,
    sort: fc.array(sortKey, { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ['limit'] },
)

/** Connects to a served world and to a memory world with the same entities. */
async function both(entities: readonly Entity[]): Promise<Record<'served' | 'memory', World>> {
  const store = createMemoryStore({ search: memorySearch })
  await store.write(entities.map((put) => ({ put })))
  const check = createTypeCheck(TYPES, createValidator)
  const extensions = [query(), changes(), operator({ check })]
  const id = 'urn:example:memory'
  const answer = toFetch(
    createWorld({ id, types: TYPES, store, publicUrl: 'https://sol.example', extensions }),
  )
  const { token } = await createToken(store, { scopes: ['write'] })
  const fetch = (url: string, init: RequestInit) => answer(new Request(url, init))
  const memory = memoryWorld({ entities: [...entities], types: TYPES.map(({ type }) => type) })
  return {
    served: await connect('https://sol.example', { fetch, token, retries: 0 }),
    memory: await connect(memory.origin, { fetch: memory.fetch, token: 'any', retries: 0 }),
  }
}

/** Returns the result of a call, or the code of its error. */
function outcome<T>(call: Promise<T>): Promise<T | string> {
  return call.catch(({ code }) => code)
}

async function pagesOf(world: World, input: QueryInput<AnyTypes>) {
  const pages = []
  for await (const { entities, total, counts, limit } of world.query(input).pages())
    pages.push({ ids: entities.map(({ type, id }) => `${type} ${id}`), total, counts, limit })
  return pages
}

test('a memory world answers random queries as a served world does, or refuses them', async () => {
  const asked = { evaluated: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      anyEntities,
      fc.array(anyQuery, { minLength: 5, maxLength: 5 }),
      async (entities, queries) => {
        const { served, memory } = await both(entities as unknown as Entity[])
        for (const input of queries as unknown[] as QueryInput<AnyTypes>[]) {
          const answer = await outcome(pagesOf(memory, input))
          asked[answer === 'unsupported_by_memory_world' ? 'refused' : 'evaluated'] += 1
          if (answer === 'unsupported_by_memory_world') continue
          assert.deepEqual(answer, await outcome(pagesOf(served, input)), JSON.stringify(input))
        }
      },
    ),
    { numRuns: rounds(50, 400) },
  )
  assert.ok(asked.evaluated > asked.refused, JSON.stringify(asked))
})

/** Removes members that differ between worlds, such as times, revisions and positions. */
function plain(value: unknown): unknown {
  const differing = [
    'createdAt',
    'updatedAt',
    'revision',
    'position',
    'earliest',
    'versions',
    'next',
    'message',
    'url',
    'requestId',
  ]
  return JSON.parse(
    JSON.stringify(value ?? null, (name, member) => (differing.includes(name) ? undefined : member)),
  )
}

/** Performs writes, and returns their outcomes and the changes that they made. */
async function written(world: World) {
  const writer = new Operator(world)
  const io = (radius: number) => ({ title: 'Io', summary: 'A moon', attributes: { mass: radius } })
  const outcomes: unknown[] = []
  const note = async (call: Promise<unknown>) => outcomes.push(plain(await outcome(call)))
  await note(writer.put('sol:moon', 'io', io(1), { ifAbsent: true }))
  const first = await world.get('sol:moon', 'io')
  await note(writer.put('sol:moon', 'io', io(1)))
  await note(writer.put('sol:moon', 'io', io(2), { ifAbsent: true }))
  await note(writer.put('sol:moon', 'io', io(2), { ifRevision: `${first.revision}` }))
  await note(writer.put('sol:moon', 'io', io(3), { ifRevision: `${first.revision}` }))
  await note(writer.patch('sol:moon', 'io', { title: null, attributes: { icy: true, mass: null } }))
  await note(writer.patch('sol:moon', 'none', { title: 'None' }))
  await note(writer.delete('sol:moon', 'none'))
  await note(writer.delete('sol:moon', 'none', { ifRevision: 'x' }))
  await note(writer.put('sol:rock', 'x', { attributes: {} }))
  await note(writer.put('sol:moon', 'x', {} as never))
  await note(writer.put('sol:moon', 'x', { title: 1, attributes: {} } as never))
  const rows = [
    { id: 'a', attributes: {} },
    { id: 'a', attributes: {} },
    { id: 'b' } as never,
    { id: 'io', ...io(1) },
  ]
  await note(writer.bulk('sol:moon', rows))
  await note(writer.bulk('sol:moon', rows, { onInvalid: 'stop' }))
  await note(writer.bulk('sol:moon', [], { replace: true }))
  await note(
    writer.bulk(
      'sol:moon',
      [
        { id: 'c', attributes: {} },
        { id: 'a', attributes: {} },
      ],
      { replace: true },
    ),
  )
  assert.equal((await writer.put('sol:moon', 'io', io(1))).entity.revision, first.revision)
  const page = await changesPage(world, { entities: true })
  const moons = await changesPage(world, { types: ['sol:moon'] })
  await note(changesPage(world, { since: moons.next, types: ['sol:star'] }))
  const later = await changesPage(world, { since: moons.next, types: ['sol:moon'] })
  return plain({ outcomes, page, moons, later, get: await outcome(world.get('sol:moon', 'c')) })
}

test('a memory world accepts the same writes as a served world, with the same changes', async () => {
  const { served, memory } = await both([])
  assert.deepEqual(await written(memory), await written(served))
})

test('discover returns the same totals and counts as a served world', async () => {
  const titles = ['Io', 'Europa', 'Io Europa']
  const { served, memory } = await both(
    titles.map((title, at) => ({ type: 'sol:moon', id: `${at}`, title, attributes: {} })),
  )
  for (const input of [{}, { text: 'europa' }, { text: 'none' }, { types: ['sol:star'] }, { limit: 2 }]) {
    const [expected, actual] = await Promise.all([served, memory].map((world) => world.discover(input)))
    assert.deepEqual(
      [actual?.total, actual?.counts, actual?.truncated],
      [expected?.total, expected?.counts, expected?.truncated],
    )
  }
})
