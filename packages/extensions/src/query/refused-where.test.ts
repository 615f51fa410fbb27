import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldFault, JsonValue } from '@worldwright/client/protocol'
import { WorldFault } from '../../../core/src/world/errors.ts'
import { BOX, call, faultsOf, MOON, POINT, p, read, refusal, SATURN, STAR } from './conditions.fixture.ts'
import { readQuestion } from './read-input.ts'

/** Unsupported examples from OGC 21-065r2, with the error message. */
const REFUSED: readonly (readonly [example: string, where: JsonValue, says: RegExp])[] = [
  ['clause6_01', call('avg', p('mass')), /"avg"/],
  ['clause6_02b', call('<', call('avg', p('mass')), 4), /"avg"/],
  ['clause6_02c', call('>', call('-', p('mass'), 150), 0), /"-"/],
  ['clause7_04', call('in', call('casei', p('name')), [call('casei', 'x')]), /"casei"/],
  ['clause7_05', call('=', call('accenti', p('name')), call('accenti', 'x')), /"accenti"/],
  ['clause7_07', call('s_intersects', p('place'), POINT), /"Point"/],
  ['clause7_10', call('s_crosses', p('place'), POINT), /"s_crosses"/],
  ['clause7_12', call('t_intersects', p('seen'), { interval: ['..', '2000-01-01'] }), /"t_intersects"/],
  ['clause7_13', call('t_during', p('seen'), { interval: [] }), /"t_during"/],
  ['clause7_18', call('s_within', p('place'), call('Buffer', p('place'), 10, 'm')), /"s_within"/],
  ['clause7_19', call('>', p('mass'), call('-', p('count'), 1)), /"-"/],
  ['example11', call('like', p('name'), '%Jones%'), /beginnings/],
  ['example16', call('like', p('name'), '%brick'), /beginnings/],
  ['example20', call('t_before', p('found'), { date: '2015-01-01' }), /"t_before"/],
  ['example23', call('s_within', p('place'), { bbox: [0, 0, 1, 1] }), /"s_within"/],
  ['example24', call('s_intersects', p('place'), { type: 'Polygon', coordinates: [] }), /"Polygon"/],
  ['example28', call('like', call('casei', p('name')), call('casei', '%x%')), /"casei"/],
  ['example45', call('s_intersects', p('place'), { bbox: [-128, -1, -99, 180, 90, 100] }), /elevations/],
  ['example46', call('s_equals', POINT, p('place')), /"s_equals"/],
  ['example58', call('t_equals', p('seen'), { date: '1851-04-29' }), /"t_equals"/],
  ['example68', call('=', call('Foo', p('place')), true), /"Foo"/],
  ['example69', call('<>', false, call('Bar', p('place'), 100)), /"Bar"/],
  ['example72', call('>', p('mass'), call('+', p('count'), 10)), /"\+"/],
  ['example79', call('a_containedBy', p('tags'), ['a']), /"a_containedBy"/],
  ['example81', call('a_equals', ['a'], p('tags')), /"a_equals"/],
  ['example82', call('a_overlaps', p('tags'), [false]), /"a_overlaps"/],
  ['example86', call('like', p('name'), call('casei', 'FOO%')), /pattern/],
  ['a property beside a property', call('>', p('mass'), p('count')), /another property/],
  ['true alone', true, /object/],
]

for (const [name, where, says] of REFUSED) {
  test(`refuses ${name} by name`, () => assert.match(refusal(where).message, says))
}

const WRONG: readonly (readonly [where: JsonValue, pointer: string, reason: FieldFault['reason']])[] = [
  [call('=', p('mass'), 'heavy'), '/args/1', 'wrong_type'],
  [call('=', p('mass'), Number.POSITIVE_INFINITY), '/args/1', 'malformed'],
  [call('=', p('name'), '\ud800'), '/args/1', 'malformed'],
  [call('=', p('nothing'), 1), '/args/0/property', 'not_allowed'],
  [call('=', p('secret'), 'x'), '/args/0/property', 'not_allowed'],
  [call('=', p('__proto__'), 1), '/args/0/property', 'not_allowed'],
  [call('=', p(''), 1), '/args/0/property', 'malformed'],
  [call('=', { property: 'mass', other: 1 }, 1), '/args/0', 'malformed'],
  [call('=', p('mass')), '/args', 'malformed'],
  [call('<', p('hasRings'), true), '/args/1', 'wrong_type'],
  [call('<', p('orbits'), SATURN), '/args/1', 'wrong_type'],
  [call('=', p('place'), 1), '/args/1', 'wrong_type'],
  [call('=', p('seen'), { date: '1980-02-30' }), '/args/1/date', 'malformed'],
  [call('=', p('seen'), { timestamp: '1980-02-03T25:00:00Z' }), '/args/1/timestamp', 'malformed'],
  [call('=', p('seen'), { timestamp: '+275760-09-13T00:00:00Z' }), '/args/1/timestamp', 'malformed'],
  [call('=', p('found'), { timestamp: '1980-02-03T05:00:00Z' }), '/args/1', 'wrong_type'],
  [call('=', p('orbits'), { type: 'planet', id: 'x' }), '/args/1', 'malformed'],
  [call('in', p('mass'), []), '/args/1', 'required'],
  [call('in', p('mass'), Array(257).fill(1)), '/args/1', 'too_many'],
  [call('in', p('mass'), [1, 'a']), '/args/1/1', 'wrong_type'],
  [call('between', p('found'), { date: '1980-01-01' }, 5), '/args/2', 'wrong_type'],
  [call('like', p('mass'), '1%'), '/args/0', 'wrong_type'],
  [call('s_intersects', p('name'), BOX), '/args/0', 'wrong_type'],
  [call('s_intersects', p('place'), { bbox: [0, 10, 1, -10] }), '/args/1/bbox', 'malformed'],
  [call('s_intersects', p('place'), { bbox: [0, 0, 181, 1] }), '/args/1/bbox', 'malformed'],
  [call('=', call('distance', p('place'), POINT), 5), '/args', 'not_allowed'],
  [call('<', call('distance', p('place'), POINT), -5), '/args/1', 'wrong_type'],
  [call('and', call('=', p('mass'), 1)), '/args', 'malformed'],
  [{ op: '=', args: [p('mass'), 1], x: 1 }, '/x', 'not_allowed'],
  [{ op: '=' }, '/args', 'required'],
  [{ args: [] }, '/op', 'required'],
  [[], '', 'wrong_type'],
  [null, '', 'wrong_type'],
]

for (const [where, pointer, reason] of WRONG) {
  test(`refuses ${JSON.stringify(where).slice(0, 70)}`, () => {
    const [first] = faultsOf(refusal(where))
    const { message: _, ...fault } = first ?? assert.fail()
    assert.deepEqual(fault, { in: 'body', pointer: `/input/where${pointer}`, reason })
  })
}

test('all faults are reported, and the queryable properties are listed', () => {
  const fault = refusal(call('and', call('=', p('nothing'), 1), call('like', p('mass'), '%x')))
  assert.deepEqual(
    faultsOf(fault).map(({ pointer }) => pointer),
    ['/input/where/args/0/args/0/property', '/input/where/args/1/args/1'],
  )
  const properties = fault.details['properties'] as JsonValue[]
  assert.deepEqual(properties.slice(0, 6), ['type', 'id', 'title', 'createdAt', 'updatedAt', 'mass'])
  assert.ok(properties.some((property) => Array.isArray(property) && property[0] === 'odd.name'))
  assert.ok(properties.includes('attributes.title') && !properties.includes('secret'))
})

test('a query has at most 32 conditions, nested at most eight levels deep', () => {
  const one = call('=', p('mass'), 1)
  assert.ok(read(call('or', ...Array(32).fill(one))))
  assert.match(refusal(call('or', ...Array(33).fill(one))).message, /32 conditions/)
  const deep = (depth: number): JsonValue => (depth === 1 ? one : call('not', deep(depth - 1)))
  assert.ok(read(deep(8)))
  assert.match(refusal(deep(9)).message, /8 deep/)
})

test('an unknown type causes a single fault, which lists the known types', () => {
  const input = { types: ['sol:mon'], where: call('>', p('count'), 1) }
  assert.throws(
    () => readQuestion(input, [STAR, MOON]),
    (error) => {
      assert.ok(error instanceof WorldFault)
      assert.deepEqual(faultsOf(error), [
        {
          in: 'body',
          pointer: '/input/types/0',
          reason: 'not_allowed',
          message: 'this world has no type sol:mon; it has sol:moon, sol:star',
        },
      ])
      return true
    },
  )
})
