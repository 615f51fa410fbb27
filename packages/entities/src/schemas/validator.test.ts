import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
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

test('a value that satisfies the schema has no faults', () => {
  assert.deepEqual(createValidator(MOON)({ radiusKm: 1560.8 }), { faults: [], warnings: [] })
})

test('each fault has a pointer and one of the reasons that the protocol defines', () => {
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

test('a format mismatch is a warning', () => {
  const { faults, warnings } = createValidator(MOON)({ radiusKm: 1, seen: 'yesterday' })
  assert.deepEqual(faults, [])
  assert.deepEqual(
    warnings.map(({ pointer, reason }) => [pointer, reason]),
    [['/seen', 'malformed']],
  )
})

test('ignores inherited members', () => {
  assert.equal(createValidator({ required: ['constructor'] })({}).faults.length, 1)
  assert.equal(createValidator({ required: ['__proto__'] })(JSON.parse('{"__proto__":1}')).faults.length, 0)
})

test('lists at most twenty faults', () => {
  const value = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 1]))
  assert.equal(createValidator({ additionalProperties: false })(value).faults.length, 20)
})

test('refuses an invalid schema and a schema with unresolved references', () => {
  assert.throws(() => createValidator({ type: 'strnig' }), { name: 'SchemaFault', pointer: '/type' })
  assert.throws(() => createValidator({ $ref: 'https://elsewhere.example/schema' }), { name: 'SchemaFault' })
  assert.throws(() => createValidator({ $ref: '#/$defs/none' }), { name: 'SchemaFault' })
})

/** Schemas, each with a value that would block a validator without a time limit. */
const BLOCKING: readonly (readonly [schema: JsonObject, value: JsonValue])[] = [
  [{ pattern: 'a{2000}b' }, 'a'.repeat(250_000)],
  [{ items: { oneOf: branches(200) } }, Array.from({ length: 60_000 }, () => ({}))],
  [{ items: { enum: branches(2_000) } }, Array.from({ length: 60_000 }, () => ({ required: 1 }))],
  [{ pattern: '^(?=a*a*a*b)' }, 'a'.repeat(50_000)],
  [{ patternProperties: { '^(?=(a|a)*$)': true } }, { [`${'a'.repeat(60)}!`]: 1 }],
  [{ anyOf: [{ items: { $ref: '#' }, type: 'array' }, { items: { $ref: '#' } }], type: 'array' }, nested(40)],
]

for (const [schema, value] of BLOCKING) {
  test(`no value blocks: ${JSON.stringify(schema).slice(0, 80)}`, () => {
    assert.deepEqual(createValidator(schema, 20)(value).faults, [
      { pointer: '', reason: 'not_allowed', message: 'takes too long to hold against the schema' },
    ])
  })
}

test('a value that waits for the processor is not rejected', () => {
  const waits = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
    return 1
  }
  const value = Object.defineProperty({}, 'a', { enumerable: true, get: waits })
  const validate = createValidator({ properties: { a: { anyOf: [{ type: 'integer' }] } } }, 40)
  assert.deepEqual(validate(value as JsonValue), { faults: [], warnings: [] })
})

function branches(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, at) => ({ required: [`r${at}`] }))
}

function nested(depth: number): JsonValue {
  return depth === 0 ? 1 : [nested(depth - 1)]
}

test('an ambiguous pattern takes time linear in the length of the text', () => {
  const names = createValidator({ patternProperties: { '^(a|a)*$': false } })
  const words = createValidator({ pattern: '^(a+)+$' })
  const before = process.threadCpuUsage()
  assert.deepEqual(names({ [`${'a'.repeat(60)}!`]: 1 }).faults, [])
  for (let times = 0; times < 50; times++)
    assert.deepEqual(
      words(`${'a'.repeat(60)}!`).faults.map(({ reason }) => reason),
      ['malformed'],
    )
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 400_000, `${user + system} µs`)
})

test('running a schema under the time limit does not change its verdicts', () => {
  const validate = createValidator({ anyOf: [{ pattern: '^(?=[a-z])([a-z]+-)+[0-9]+$' }] })
  assert.deepEqual(validate('one-two-3').faults, [])
  assert.deepEqual(
    validate('one two').faults.map(({ reason }) => reason),
    ['malformed', 'not_allowed'],
  )
})

test('uniqueItems compares items by JSON equality in a single pass', () => {
  const validate = createValidator({ uniqueItems: true })
  for (const same of [
    [1, 1.0],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [null, null],
    [0, -0],
  ])
    assert.deepEqual(
      validate(same).faults.map(({ reason }) => reason),
      ['repeated'],
    )
  for (const different of [
    [1, '1'],
    [[1], [[1]]],
    [null, false, 0, ''],
    [{ a: 1 }, { a: '1' }],
  ])
    assert.deepEqual(validate(different).faults, [])
  let reads = 0
  const items = Array.from({ length: 3_000 }, (_, index) => ({
    get index() {
      reads += 1
      return index
    },
  }))
  assert.deepEqual(validate(items).faults, [])
  // Comparing all pairs would read millions of items.
  assert.equal(reads, items.length)
})
