import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@worldwright/client/protocol'
import { BOX, call, DAY, MOON, POINT, p, read, SATURN, STAR } from './conditions.fixture.ts'

/** Accepted examples from OGC 21-065r2 (cql2/standard/schema/examples), adapted to our properties. */
const READ: readonly (readonly [example: string, where: JsonValue, condition: JsonValue])[] = [
  ['clause6_02a', call('=', p('name'), 'Io'), { op: '=', property: ['name'], value: 'Io' }],
  [
    'clause6_02d',
    call('>=', p('found'), { date: '1980-10-01' }),
    { op: '>=', property: ['found'], value: '1980-10-01' },
  ],
  [
    'clause6_03',
    call('not', call('isNull', p('place'))),
    { op: 'not', condition: { op: 'absent', property: ['place'] } },
  ],
  ['clause7_01', call('like', p('name'), 'Io%'), { op: 'prefix', property: ['name'], prefix: 'Io' }],
  [
    'clause7_02',
    call('between', p('mass'), 1, 2.5),
    { op: 'between', property: ['mass'], low: 1, high: 2.5 },
  ],
  [
    'clause7_03a',
    call('in', p('name'), ['Io', 'Europa']),
    { op: 'in', property: ['name'], values: ['Io', 'Europa'] },
  ],
  [
    'clause7_03b',
    call('not', call('in', p('count'), [1, 2])),
    { op: 'not', condition: { op: 'in', property: ['count'], values: [1, 2] } },
  ],
  [
    'clause7_15',
    call('a_contains', p('tags'), ['a', 'b']),
    { op: 'containsAll', property: ['tags'], values: ['a', 'b'] },
  ],
  [
    'example04',
    call('and', call('<', p('mass'), 0.1), call('=', p('count'), 28)),
    {
      op: 'and',
      conditions: [
        { op: '<', property: ['mass'], value: 0.1 },
        { op: '=', property: ['count'], value: 28 },
      ],
    },
  ],
  [
    'example05a',
    call('or', call('=', p('mass'), 0.1), call('=', p('mass'), 0.2)),
    {
      op: 'or',
      conditions: [
        { op: '=', property: ['mass'], value: 0.1 },
        { op: '=', property: ['mass'], value: 0.2 },
      ],
    },
  ],
  ['example10', call('<=', p('count'), 500), { op: '<=', property: ['count'], value: 500 }],
  ['example14', call('=', p('hasRings'), true), { op: '=', property: ['hasRings'], value: true }],
  [
    'example18',
    call('or', call('not', call('<', p('count'), 5)), call('=', p('hasRings'), true)),
    {
      op: 'or',
      conditions: [
        { op: 'not', condition: { op: '<', property: ['count'], value: 5 } },
        { op: '=', property: ['hasRings'], value: true },
      ],
    },
  ],
  ['example29', call('=', p('id'), 'io'), { op: '=', property: 'id', value: 'io' }],
  [
    'example30',
    call('<>', p('id'), 'io'),
    { op: 'not', condition: { op: '=', property: 'id', value: 'io' } },
  ],
]

/** Our own cases for values, locations and references, beyond the published examples. */
const OURS: readonly (readonly [what: string, where: JsonValue, condition: JsonValue])[] = [
  [
    'an attribute within another',
    call('>', p('orbit.days'), 1),
    { op: '>', property: ['orbit', 'days'], value: 1 },
  ],
  ['a name with a point', call('=', p(['odd.name']), 'x'), { op: '=', property: ['odd.name'], value: 'x' }],
  [
    'an attribute called like a member',
    call('=', p('attributes.title'), 'x'),
    { op: '=', property: ['title'], value: 'x' },
  ],
  ['a value before the property', call('<', 5, p('mass')), { op: '>', property: ['mass'], value: 5 }],
  ['minus zero', call('=', p('mass'), -0), { op: '=', property: ['mass'], value: 0 }],
  [
    'a timestamp',
    call('<', p('seen'), { timestamp: '1980-10-01T00:00:00.5Z' }),
    { op: '<', property: ['seen'], value: { instant: DAY + 500 } },
  ],
  [
    'a timestamp with an offset',
    call('=', p('createdAt'), { timestamp: '1980-10-01T02:00:00+02:00' }),
    { op: '=', property: 'createdAt', value: { instant: DAY } },
  ],
  [
    'a time among texts',
    call('=', p('name'), { timestamp: '1980-10-01T00:00:00Z' }),
    { op: '=', property: ['name'], value: { instant: DAY } },
  ],
  [
    'before a day',
    call('<', p('seen'), { date: '1980-10-01' }),
    { op: '<', property: ['seen'], value: { instant: DAY } },
  ],
  [
    'from a day on',
    call('>=', p('seen'), { date: '1980-10-01' }),
    { op: '>=', property: ['seen'], value: { instant: DAY } },
  ],
  [
    'dates of some types and times of others',
    call('<', p('found'), { date: '1980-10-01' }),
    {
      op: 'or',
      conditions: [
        { op: '<', property: ['found'], value: '1980-10-01' },
        { op: '<', property: ['found'], value: { instant: DAY } },
      ],
    },
  ],
  ['the kind of the value', call('=', p('mass'), 'heavy'), { op: '=', property: ['mass'], value: 'heavy' }],
  [
    'a reference',
    call('=', p('orbits'), SATURN),
    { op: '=', property: ['orbits'], value: { reference: SATURN } },
  ],
  [
    'a reference as a function',
    call('=', p('orbits'), call('entity', 'sol:planet', 'saturn')),
    { op: '=', property: ['orbits'], value: { reference: SATURN } },
  ],
  ['whatever refers', call('refersTo', SATURN), { op: 'refersTo', target: SATURN }],
  [
    'a box over the 180th meridian',
    call('s_intersects', p('place'), BOX),
    { op: 'inBox', property: ['place'], west: 170, south: -10, east: -170, north: 10 },
  ],
  [
    'near',
    call('<=', call('distance', p('place'), POINT), 1000),
    { op: 'within', property: ['place'], center: { longitude: 10, latitude: 20 }, metres: 1000 },
  ],
  [
    'far',
    call('>', call('distance', p('place'), POINT), 1000),
    {
      op: 'not',
      condition: { op: 'within', property: ['place'], center: { longitude: 10, latitude: 20 }, metres: 1000 },
    },
  ],
  [
    'a number before a distance',
    call('>=', 1000, call('distance', p('place'), POINT)),
    { op: 'within', property: ['place'], center: { longitude: 10, latitude: 20 }, metres: 1000 },
  ],
  [
    'a pattern with signs in it',
    call('like', p('name'), '100\\%\\_\\\\%'),
    { op: 'prefix', property: ['name'], prefix: '100%_\\' },
  ],
  ['a pattern without a sign', call('like', p('name'), 'Io'), { op: '=', property: ['name'], value: 'Io' }],
]

for (const [name, where, condition] of [...READ, ...OURS]) {
  test(`reads ${name}`, () => {
    const types = name.includes('of some types') || name.startsWith('the kind') ? [MOON, STAR] : [MOON]
    assert.deepEqual(read(where, types), condition)
  })
}

test('a day ends immediately before the next one begins', () => {
  const within = read(call('=', p('seen'), { date: '1980-10-01' }))
  assert.ok(within?.op === 'between')
  const { instant } = within.high as { instant: number }
  assert.ok(instant < DAY + 86_400_000 && instant > DAY + 86_399_999.9)
  assert.deepEqual(within.low, { instant: DAY })
})
