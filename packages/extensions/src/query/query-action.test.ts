import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { type Answer, askedWorld } from './asked-world.fixture.ts'

const world = await askedWorld()
const { ask } = world

const idsOf = ({ entities }: Answer) => entities.map(({ id }) => id)
const property = (name: string) => ({ property: name })
const orbits = (id: string) => ({ op: '=', args: [property('orbits'), { type: 'sol:planet', id }] })

async function found(input: JsonObject): Promise<Answer> {
  const { status, output } = await ask(input)
  assert.equal(status, 200, JSON.stringify(output))
  return output
}

test('a query filters, sorts, and counts the whole result', async () => {
  const output = await found({
    types: ['sol:moon'],
    where: { op: '>', args: [property('mass'), 0.01] },
    sort: ['-mass'],
    limit: 2,
  })
  assert.deepEqual(idsOf(output), ['titan', 'callisto'])
  assert.equal(output['total'], 3)
  assert.deepEqual(output['counts'], { 'sol:moon': 3 })
  assert.equal(output['limit'], 2)
})

test('an empty query returns all entities, ordered by type and id', async () => {
  const output = await found({})
  assert.equal(output['total'], 10)
  assert.deepEqual(idsOf(output).slice(0, 2), ['callisto', 'europa'])
  assert.equal(output.nextCursor, undefined)
})

test('cursors return each entity once, including ties and entities without a value', async () => {
  const sample = { op: 'sample', args: [] }
  for (const sort of [['year'], ['-year'], ['-mass'], ['mass', '-id'], ['title'], ['-seen'], [sample], []]) {
    const whole = idsOf(await found({ types: ['sol:moon'], sort }))
    const walked: string[] = []
    let cursor: string | undefined
    do {
      const page: Answer = await found({
        types: ['sol:moon'],
        sort,
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      })
      walked.push(...idsOf(page))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    assert.deepEqual(walked, whole)
    assert.equal(new Set(walked).size, 7)
  }
})

test('a cursor is bound to its query and order', async () => {
  const { nextCursor = '' } = await found({ types: ['sol:moon'], sort: ['year'], limit: 1 })
  for (const input of [
    { sort: ['year'] },
    { types: ['sol:moon'], sort: ['-year'] },
    { types: ['sol:moon'], sort: ['year'], text: 'moon' },
    { types: ['sol:moon'], sort: ['year'], where: orbits('saturn') },
  ]) {
    const { status, output } = await ask({ ...input, cursor: nextCursor })
    assert.deepEqual([status, output.code, output.details.reason], [400, 'invalid_cursor', 'checksum'])
  }
  // A cursor does not depend on the projection.
  const { status } = await ask({
    types: ['sol:moon'],
    sort: ['year'],
    cursor: nextCursor,
    limit: 3,
    fields: ['mass'],
  })
  assert.equal(status, 200)
})

test('text combines with a condition, and the result is ranked by relevance', async () => {
  const output = await found({ text: 'titan moon', where: orbits('saturn') })
  assert.deepEqual(idsOf(output), ['titan'])
  assert.ok((output['matched'] as string[]).includes('titan'))
  assert.deepEqual(idsOf(await found({ text: 'moon', where: orbits('saturn'), sort: ['year'] })), [
    'titan',
    'mimas',
  ])
})

test('timestamps are compared as instants, and `like` matches their text as written', async () => {
  const seen = { property: 'seen' }
  const noon = { op: '=', args: [seen, '1655-01-07T14:00:00+02:00'] }
  assert.deepEqual(idsOf(await found({ where: noon })), ['titan'])
  const year = { op: 'like', args: [seen, '1610-01%'] }
  assert.deepEqual(idsOf(await found({ where: year })), ['callisto', 'europa', 'io'])
  // The entity's own timestamps are not stored as text.
  const created = { op: 'like', args: [{ property: 'createdAt' }, '2%'] }
  assert.equal((await ask({ where: created })).status, 400)
})

test('`similar` combines with conditions, sorting, facets and paging', async () => {
  const similar = { type: 'sol:moon', id: 'titan' }
  const output = await found({ similar, facets: ['year'] })
  assert.deepEqual([idsOf(output)[0], output['total']], ['mimas', 7])
  assert.deepEqual(idsOf(await found({ similar, where: orbits('saturn') })), ['mimas'])
  assert.deepEqual(idsOf(await found({ similar, types: ['sol:moon'], sort: ['-year'], limit: 2 })), [
    'vulcan',
    'triton',
  ])
  const { nextCursor: cursor = '', ...first } = await found({ similar, limit: 3 })
  const rest = await found({ similar, cursor })
  assert.deepEqual([...idsOf(first), ...idsOf(rest)], idsOf(output))
  const other = await ask({ similar: { type: 'sol:moon', id: 'io' }, cursor })
  assert.deepEqual([other.status, other.output.code], [400, 'invalid_cursor'])
})

test('`similar` must name an existing entity and cannot be combined with `text`', async () => {
  const missing = await ask({ similar: { type: 'sol:moon', id: 'nibiru' } })
  assert.deepEqual(
    [missing.status, missing.output.code, missing.output.details],
    [404, 'entity_not_found', { type: 'sol:moon', id: 'nibiru' }],
  )
  for (const [similar, fault] of [
    ['titan', '/input/similar malformed'],
    [{ type: 'sol:moon' }, '/input/similar malformed'],
    [{ type: 'sol:rock', id: 'x' }, '/input/similar/type not_allowed'],
    [{ type: 'sol:moon', id: 'titan', depth: 1 }, '/input/similar/depth not_allowed'],
  ] as const) {
    const { status, output } = await ask({ similar })
    const [first] = output.details.fields
    assert.deepEqual([status, `${first?.pointer} ${first?.reason}`], [400, fault])
  }
  const { output } = await ask({ similar: { type: 'sol:moon', id: 'titan' }, text: 'moon' })
  assert.deepEqual(output.details.fields[0]?.pointer, '/input/similar')
})

test('referrers of an entity are returned and grouped by type and property', async () => {
  const target = { type: 'sol:planet', id: 'saturn' }
  const output = await found({ where: { op: 'refersTo', args: [target] }, facets: [{ referrers: target }] })
  assert.deepEqual(idsOf(output), ['mimas', 'titan'])
  assert.deepEqual(output.facets, [
    {
      referrers: target,
      present: 2,
      absent: 0,
      buckets: [{ type: 'sol:moon', property: 'orbits', count: 2 }],
    },
  ])
})

test('facets count values, references, timestamps and ranges', async () => {
  const { facets } = await found({
    types: ['sol:moon'],
    limit: 0,
    facets: [
      { property: 'year', limit: 1 },
      'orbits',
      { property: 'seen', ranges: [{ to: { date: '1700-01-01' } }, { from: '1700-01-01' }] },
      { property: 'mass', histogram: 2 },
    ],
  })
  assert.deepEqual(facets[0], {
    property: 'year',
    kind: 'number',
    present: 7,
    absent: 0,
    buckets: [{ value: 1610, count: 3 }],
    more: true,
  })
  assert.deepEqual((facets[1]?.['buckets'] as JsonObject[])[0], {
    value: { type: 'sol:planet', id: 'jupiter' },
    count: 3,
  })
  assert.deepEqual(facets[2]?.['buckets'], [
    { to: '1700-01-01T00:00:00.000Z', count: 4 },
    { from: '1700-01-01T00:00:00.000Z', count: 3 },
  ])
  const { minimum, maximum, present, absent, buckets } = facets[3] ?? {}
  assert.deepEqual([minimum, maximum, present, absent], [0.00001, 0.0225, 6, 1])
  assert.deepEqual(
    (buckets as JsonObject[]).map(({ count }) => count),
    [3, 3],
  )
})

test('`fields` selects attributes, and `include` returns each referenced entity once', async () => {
  const output = await found({
    types: ['sol:moon'],
    where: { op: '>=', args: [property('year'), 1789] },
    fields: ['mass'],
    include: ['orbits'],
  })
  assert.deepEqual(output.entities[0], {
    type: 'sol:moon',
    id: 'mimas',
    title: 'Moon mimas',
    attributes: { mass: 0.00001 },
  })
  assert.deepEqual(idsOf({ ...output, entities: output.included as Answer['entities'] }), [
    'saturn',
    'neptune',
  ])
  assert.deepEqual(output['missing'], [{ type: 'sol:planet', id: 'nibiru' }])
})

test('every fault in the input is reported', async () => {
  const { status, output } = await ask({
    types: ['sol:moon', 'sol:rock', 5, 'x'],
    wehre: {},
    where: { op: '=', args: [property('mas'), 1] },
    sort: ['-orbits', 'relevance', { property: 'mass', descending: 'yes' }, { op: 'sample', args: [1] }],
    fields: ['mas'],
    include: ['mass'],
    facets: [{ property: 'mass', histogram: 0 }, 'nothing', { property: 'year', lines: 5 }],
    limit: -1,
    cursor: 7,
  })
  assert.deepEqual([status, output.code], [400, 'invalid_input'])
  assert.deepEqual(
    output.details.fields.map(({ pointer, reason }) => `${pointer} ${reason}`),
    [
      '/input/wehre not_allowed',
      '/input/types/1 not_allowed',
      '/input/types/2 wrong_type',
      '/input/types/3 malformed',
      '/input/where/args/0/property not_allowed',
      '/input/sort/0 wrong_type',
      '/input/sort/1 not_allowed',
      '/input/sort/2/descending wrong_type',
      '/input/sort/3/args wrong_type',
      '/input/fields/0 not_allowed',
      '/input/include/0 wrong_type',
      '/input/facets/0/histogram not_allowed',
      '/input/facets/1 not_allowed',
      '/input/facets/2/lines not_allowed',
      '/input/limit too_small',
      '/input/cursor wrong_type',
    ],
  )
})

test('matchedIn reports the fields that matched the text', async () => {
  const output = await found({ types: ['sol:moon'], text: 'titan', matchedIn: true })
  assert.deepEqual([idsOf(output)[0], output['matchedIn']], ['titan', [['/title']]])
  assert.equal((await found({ text: 'titan' }))['matchedIn'], undefined)
  const { status } = await ask({ text: 'titan', matchedIn: 1 })
  assert.equal(status, 400)
})
