import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '@worldwright/client'
import { createValidator, SchemaFault } from '@worldwright/entities/schemas'
import { SCHEMA_CASES } from './json-schema-cases.ts'
import { ROOT } from './source-files.ts'

test('the validator follows JSON Schema 2020-12 for every keyword', () => {
  const wrong: string[] = []
  let judged = 0
  for (const { keyword, row, schema, valid, invalid } of SCHEMA_CASES) {
    const validate = createValidator(schema as JsonObject | boolean)
    const isValid = (value: unknown) => validate(value as JsonValue).faults.length === 0
    judged += valid.length + invalid.length
    for (const value of valid)
      if (!isValid(value)) wrong.push(`${keyword}: ${row}: ${JSON.stringify(value)} is refused`)
    for (const value of invalid)
      if (isValid(value)) wrong.push(`${keyword}: ${row}: ${JSON.stringify(value)} is accepted`)
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual([SCHEMA_CASES.length, judged], [171, 723])
})

/** Schemas that are invalid, or that the validator would not apply as the standard says. */
const REFUSED: readonly JsonObject[] = [
  { $dynamicRef: '#a' },
  { $dynamicAnchor: 'a' },
  { items: { properties: { a: { allOf: [{ $dynamicRef: '#' }] } } } },
  { enum: [] },
  { properties: JSON.parse('{"__proto__":{"type":"string"}}') },
  { $defs: { a: { properties: JSON.parse('{"__proto__":true}') } } },
  { contains: {}, unevaluatedItems: false },
  { items: {}, unevaluatedItems: false },
  { allOf: [{ contains: { const: 1 } }], unevaluatedItems: false },
  { allOf: [{ items: true }], unevaluatedItems: false },
  { if: {}, unevaluatedItems: false },
  { if: { required: ['a'] }, else: {}, unevaluatedProperties: false },
  { $ref: 'https://sol.example/other' },
  { $ref: 'other.json#/a' },
  { $ref: '#/$defs/none' },
  { $ref: '#none' },
  { $schema: 'https://sol.example/own-dialect' },
  { $schema: 'http://json-schema.org/draft-07/schema#' },
  { id: 'https://sol.example/schema' },
  { type: 'integr' },
  { type: [] },
  { minimum: '1' },
  { minLength: -1 },
  { multipleOf: 0 },
  { required: 'a' },
  { required: ['a', 'a'] },
  { properties: [] },
  { items: [{}] },
  { allOf: [] },
  { pattern: '(' },
  { patternProperties: { '[': {} } },
]

test('the validator refuses invalid schemas and schemas that it would apply wrongly', () => {
  for (const schema of REFUSED)
    assert.throws(() => createValidator(schema), SchemaFault, JSON.stringify(schema))
})

test('the reference lists every refused keyword', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/json-schema.md'), 'utf8')
  for (const name of [
    '$dynamicRef',
    '__proto__',
    'enum',
    'unevaluatedItems',
    '$vocabulary',
    'contains',
    '$id',
    'id',
  ])
    assert.ok(page.includes(`\`${name}\``), name)
})
