import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsAgainst } from './json-schema.ts'

const SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: ['string', 'null'], maxLength: 3 },
    count: { type: 'integer', minimum: 0, maximum: 9 },
    tags: { type: 'array', maxItems: 2, items: { enum: ['a', 'b'] } },
    flag: { const: true },
  },
  additionalProperties: false,
}

test('a value that conforms to the schema has no faults', () => {
  assert.deepEqual(faultsAgainst(SCHEMA, { name: 'abc', count: 9, tags: ['a', 'b'], flag: true }, 'x'), [])
  assert.deepEqual(faultsAgainst(SCHEMA, { name: null }, 'x'), [])
})

test('each fault names the path of the value concerned', () => {
  assert.deepEqual(
    faultsAgainst(SCHEMA, { name: 'abcd', count: 1.5, tags: ['a', 'c', 'a'], flag: 1, more: 0 }, 'x'),
    [
      'x.name is longer than 3',
      'x.count is not of the type "integer"',
      'x.tags has more than 2',
      'x.tags[1] is none of the allowed values',
      'x.flag is not true',
      'x.more is not allowed',
    ],
  )
  assert.deepEqual(faultsAgainst(SCHEMA, {}, 'x'), ['x.name is missing'])
})

test('unknown keywords are ignored', () => {
  assert.deepEqual(faultsAgainst({ type: 'string', pattern: '^z$' }, 'a', 'x'), [])
  assert.deepEqual(faultsAgainst(true, 'a', 'x'), [])
})
