import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createValidator } from './validator.ts'

const MOON = {
  type: 'object',
  required: ['radiusKm'],
  properties: {
    radiusKm: { type: 'number', exclusiveMinimum: 0 },
    rings: { type: 'integer' },
    seen: { type: 'string', format: 'date' },
    'x/y': { type: 'array', items: { type: 'string', maxLength: 3 }, uniqueItems: true },
  },
  additionalProperties: false,
}

test('what keeps to the schema has no faults', () => {
  assert.deepEqual(createValidator(MOON)({ radiusKm: 1560.8 }), { faults: [], warnings: [] })
})

test('every fault has its pointer and one of the reasons of the protocol', () => {
  const { faults } = createValidator(MOON)({ rings: 1.5, 'x/y': ['a', 'a', 'long'], extra: 1, radiusKm: 0 })
  assert.deepEqual(faults.map(({ pointer, reason }) => `${pointer} ${reason}`).toSorted(), [
    '/extra not_allowed',
    '/radiusKm too_small',
    '/rings not_integer',
    '/x~1y repeated',
    '/x~1y/2 too_long',
  ])
  assert.deepEqual(createValidator(MOON)({}).faults, [
    { pointer: '/radiusKm', reason: 'required', message: 'is missing' },
  ])
})

test('a format annotates: what it does not describe is a warning', () => {
  const { faults, warnings } = createValidator(MOON)({ radiusKm: 1, seen: 'yesterday' })
  assert.deepEqual(faults, [])
  assert.deepEqual(
    warnings.map(({ pointer, reason }) => [pointer, reason]),
    [['/seen', 'malformed']],
  )
})

test('inherited members are no members', () => {
  assert.equal(createValidator({ required: ['constructor'] })({}).faults.length, 1)
  assert.equal(createValidator({ required: ['__proto__'] })(JSON.parse('{"__proto__":1}')).faults.length, 0)
})

test('at most twenty faults are listed', () => {
  const value = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 1]))
  assert.equal(createValidator({ additionalProperties: false })(value).faults.length, 20)
})

test('a schema that is none, and one that leads elsewhere, are refused', () => {
  assert.throws(() => createValidator({ type: 'strnig' }), { name: 'SchemaFault', pointer: '/type' })
  assert.throws(() => createValidator({ $ref: 'https://elsewhere.example/schema' }), { name: 'SchemaFault' })
  assert.throws(() => createValidator({ $ref: '#/$defs/none' }), { name: 'SchemaFault' })
})
