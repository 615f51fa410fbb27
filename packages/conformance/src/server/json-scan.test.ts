import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanJson } from './json-scan.ts'

test('repeated keys are found at any depth, and only within one object', () => {
  assert.deepEqual(scanJson('{"a":{"b":1,"b":2},"c":[{"a":1},{"a":2}],"\\u0063":3}').repeated, ['b', 'c'])
  assert.deepEqual(scanJson('{"a":"a","b":["a","a"],"{,":{"a":1}}').repeated, [])
})

test('integers beyond 2^53-1 are found, fractions and exponents are not', () => {
  const text = '[9007199254740991,9007199254740992,-9007199254740992,0.1,1e300,"9007199254740993"]'
  assert.deepEqual(scanJson(text).unsafe, ['9007199254740992', '-9007199254740992'])
})

test('lone surrogates and NUL are found in values and keys', () => {
  assert.deepEqual(scanJson('{"\\ud800":"\\ud83e\\ude90","x":"a\\u0000"}').broken, [
    '"\\ud800"',
    '"a\\u0000"',
  ])
})
