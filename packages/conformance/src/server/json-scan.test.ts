import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanJson } from './json-scan.ts'

test('finds repeated keys at any depth, but only within the same object', () => {
  assert.deepEqual(scanJson('{"a":{"b":1,"b":2},"c":[{"a":1},{"a":2}],"\\u0063":3}').repeated, ['b', 'c'])
  assert.deepEqual(scanJson('{"a":"a","b":["a","a"],"{,":{"a":1}}').repeated, [])
})

test('finds integers outside ±(2^53-1), but not numbers with a fraction or an exponent', () => {
  const text = '[9007199254740991,9007199254740992,-9007199254740992,0.1,1e300,"9007199254740993"]'
  assert.deepEqual(scanJson(text).unsafe, ['9007199254740992', '-9007199254740992'])
})

test('finds lone surrogates and NUL in values and keys', () => {
  assert.deepEqual(scanJson('{"\\ud800":"\\ud83e\\ude90","x":"a\\u0000"}').broken, [
    '"\\ud800"',
    '"a\\u0000"',
  ])
})
