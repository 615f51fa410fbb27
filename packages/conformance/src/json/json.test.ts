import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExact } from '@worldwright/client/exact'
import { isObject, isScalar, sameJson } from './json.ts'

test('sameJson ignores the order of members, but not of array elements', () => {
  assert.ok(sameJson({ a: 1, b: [null, { c: 'x' }] }, { b: [null, { c: 'x' }], a: 1 }))
  assert.ok(sameJson(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')))
  for (const [a, b] of [
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, {}],
    [{}, []],
    [null, {}],
    ['1', 1],
  ] as const)
    assert.ok(!sameJson(a, b), JSON.stringify([a, b]))
})

test('numbers that keep their digits are scalars, equal only to the same digits', () => {
  const [one, other, same] = [...'343'].map((digit) => parseExact(`900719925474099${digit}`))
  assert.deepEqual([isObject(one), isScalar(one)], [false, true])
  assert.ok(sameJson({ id: one }, { id: same }) && !sameJson({ id: one }, { id: other }))
  assert.ok(!sameJson(one, {}) && !sameJson(one, 9007199254740992))
})
