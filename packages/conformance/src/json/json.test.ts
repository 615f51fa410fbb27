import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameJson } from './json.ts'

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
