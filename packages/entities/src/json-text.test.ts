import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from './json-text.ts'

function faultOf(text: string) {
  const parsed = parseJson(text)
  return 'fault' in parsed ? parsed.fault : assert.fail(`no fault in ${text}`)
}

test('parses valid JSON', () => {
  const text = '{"a":[1,-2.5e3,"x:\\"{",{"b":null}],"c:d":{"\\\\":"\\\\\\""}}'
  assert.deepEqual(parseJson(text), { value: JSON.parse(text) })
})

test('reports a repeated key with its pointer', () => {
  assert.deepEqual(
    ['{"a":1,"a":2}', '[{"x/y":[{"b":1},{"c":1,"\\u0063":2}]}]', '{"__proto__":1,"__proto__":{}}'].map(
      (text) => {
        const { pointer, reason } = faultOf(text)
        return { pointer, reason }
      },
    ),
    [
      { pointer: '/a', reason: 'repeated' },
      { pointer: '/0/x~1y/1/c', reason: 'repeated' },
      { pointer: '/__proto__', reason: 'repeated' },
    ],
  )
})

test('accepts the same key in different objects', () => {
  const text = '[{"a":{"a":1}},{"a":[{"a":2}]}]'
  assert.deepEqual(parseJson(text), { value: JSON.parse(text) })
})

test('keeps the key __proto__ as an own property', () => {
  const parsed = parseJson('{"__proto__":{"x":1}}')
  assert.ok('value' in parsed)
  assert.deepEqual(Object.entries(parsed.value as object), [['__proto__', { x: 1 }]])
})

test('reports positive and negative integers that would lose digits', () => {
  for (const text of ['9007199254740992', '[-9007199254740993]', '{"a":1234567890123456789012}']) {
    assert.equal(faultOf(text).reason, 'not_allowed', text)
  }
  assert.deepEqual(parseJson('[9007199254740991,-9007199254740991,"9007199254740993",1.989e30]'), {
    value: [9007199254740991, -9007199254740991, '9007199254740993', 1.989e30],
  })
})

test('reports decimals that lose digits, and keeps those that a double identifies', () => {
  for (const text of [
    '0.1000000000000000055',
    '[-9007199254740993.5]',
    '1.00000000000000000001e5',
    `0.${'1'.repeat(101)}`,
  ])
    assert.match(faultOf(text).message, /more digits than a number keeps; write it as a string/, text)
  const kept = [
    '0.30000000000000004',
    // Doubles in 17 digits, as printf writes them, and in all their digits.
    '0.10000000000000001',
    '64.146600000000007',
    '0.1000000000000000055511151231257827021181583404541015625',
    '1.50000000000000000000',
    '1.7976931348623157e308',
    '2.2250738585072014e-308',
    '123456789012345675e-2',
  ]
  assert.deepEqual(parseJson(`[${kept.join()}]`), { value: kept.map(Number) })
})

test('reports numbers that underflow to 0 or overflow', () => {
  for (const text of [
    '1e-400',
    '[-1E-400]',
    '{"a":0.0012e-999}',
    '1e400',
    '[-1e309]',
    `0.${'0'.repeat(400)}1`,
  ]) {
    assert.equal(faultOf(text).reason, 'not_allowed', text)
  }
  assert.deepEqual(parseJson('[0e-400,0.0e500,5e-324,1.7e308]'), { value: [0, 0, 5e-324, 1.7e308] })
})

test('reports syntax errors and excessive nesting without throwing', () => {
  assert.equal(faultOf('{"a":}').reason, 'malformed')
  assert.equal(faultOf('').reason, 'malformed')
  assert.equal(faultOf('['.repeat(200_000) + ']'.repeat(200_000)).reason, 'too_many')
})
