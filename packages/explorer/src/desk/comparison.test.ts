import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client'
import { holdsValue, parseExact } from '@worldwright/client/exact'
import { rowsOf } from './comparison.ts'

const SCHEMAS: Record<string, object> = {
  'f:star': { properties: { mass: { type: 'number', title: 'Mass', unit: 'kg' }, kind: { type: 'string' } } },
  'f:ship': { properties: { mass: { type: 'number', title: 'Mass', unit: 't' }, crew: { type: 'integer' } } },
}

const entity = (type: string, attributes: string) =>
  ({ type, id: attributes, attributes: parseExact(attributes, holdsValue) }) as unknown as Entity

/** Returns the rows of a comparison: label, unit, whether they differ, and the greatest amount that bars show. */
function rows(...entities: (Entity | undefined)[]) {
  return rowsOf(entities, (type) => SCHEMAS[type]).map(({ label, cells, isDifferent, most }) => [
    label,
    cells.map((cell) => cell && `${cell[1]} ${cell[0].unit ?? ''}`.trim()),
    isDifferent,
    most,
  ])
}

test('a comparison has the attributes of all types, and absent values differ from present ones', () => {
  const star = entity('f:star', '{"mass": 3, "kind": "dwarf"}')
  const ship = entity('f:ship', '{"mass": 2, "crew": 4}')
  assert.deepEqual(rows(star, ship), [
    ['Mass', ['3 kg', undefined], true, 0],
    ['Kind', ['dwarf', undefined], true, 0],
    ['Mass', [undefined, '2 t'], true, 0],
    ['Crew', [undefined, '4'], true, 0],
  ])
})

test('amounts of one unit have bars, but no negative numbers, years or single values', () => {
  const of = (...texts: string[]) =>
    rows(...texts.map((text) => entity('f:thing', text))).map((row) => row[3])
  assert.deepEqual(of('{"radiusKm": 5}', '{"radiusKm": 9}', '{}'), [9])
  assert.deepEqual(of('{"radiusKm": -5}', '{"radiusKm": 9}'), [0])
  assert.deepEqual(of('{"foundedYear": 1900}', '{"foundedYear": 1950}'), [0])
  assert.deepEqual(of('{"radiusKm": 5}', '{}'), [0])
  assert.deepEqual(of('{"count": 5}', '{"count": "many"}'), [0])
})

test('values are equal in any order of members, and exact numbers differ by their digits', () => {
  const differs = (one: string, other: string) =>
    rows(entity('f:thing', `{"a": ${one}}`), entity('f:thing', `{"a": ${other}}`)).some((row) => row[2])
  assert.equal(differs('{"b": 1, "c": [1, 2]}', '{"c": [1, 2], "b": 1}'), false)
  assert.equal(differs('[1, 2]', '[2, 1]'), true)
  assert.equal(differs('1', '1.0'), false)
  assert.equal(differs('1', '"1"'), true)
  assert.equal(differs('9007199254740993', '9007199254740992'), true)
})

test('an entity that was not read makes no row different', () => {
  const one = entity('f:star', '{"kind": "dwarf"}')
  assert.deepEqual(rows(one, undefined, one), [['Kind', ['dwarf', null, 'dwarf'], false, 0]])
})
