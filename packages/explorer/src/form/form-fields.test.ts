import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonOf, parseExact } from '@worldwright/client/exact'
import { type FormValues, formFields, inputFrom, valuesFrom } from './form-fields.ts'

const schema = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: ['string', 'null'], maxLength: 512, description: 'Words' },
    limit: { type: 'integer', minimum: 0, default: 20 },
    types: { type: 'array', items: { type: 'string' } },
    exact: { type: 'boolean' },
    order: { enum: ['best', 'newest', null] },
    where: { type: 'object' },
  },
}

test('each member has the control that its schema calls for', () => {
  assert.deepEqual(
    formFields(schema).map(({ key, control, isRequired }) => [key, control, isRequired]),
    [
      ['text', 'text', true],
      ['limit', 'number', false],
      ['types', 'words', false],
      ['exact', 'truth', false],
      ['order', 'choice', false],
      ['where', 'json', false],
    ],
  )
})

test('the input contains the values of all controls that are not empty', () => {
  const fields = formFields(schema)
  const values = {
    text: 'ice',
    limit: '5',
    types: ' a:b \n\nc:d',
    exact: 'true',
    order: '"best"',
    where: '{"a":1}',
  }
  const input = { text: 'ice', limit: 5, types: ['a:b', 'c:d'], exact: true, order: 'best', where: { a: 1 } }
  assert.deepEqual(inputFrom(values, fields), { input, faults: {} })
  assert.deepEqual(inputFrom({ text: 'x' }, fields), { input: { text: 'x' }, faults: {} })
})

test('a number keeps its text, also in spellings that JSON does not have', () => {
  const fields = formFields({ properties: { n: { type: 'number' } } })
  const json = (n: string) => JSON.stringify(inputFrom({ n }, fields).input)
  assert.deepEqual(['+12345678901234567891', '-.12345678901234567891', ' 5 ', '0x10', '1e400'].map(json), [
    '{"n":12345678901234567891}',
    '{"n":-0.12345678901234567891}',
    '{"n":5}',
    '{}',
    '{"n":1e400}',
  ])
})

test('an input round-trips through control values', () => {
  const fields = formFields(schema)
  const input = { text: 'x', limit: 0, types: ['a:b'], exact: false, order: 'newest', where: [1] }
  assert.deepEqual(inputFrom(valuesFrom(input, fields), fields).input, input)
})

test('members with invalid or missing values are reported by key, with the reason', () => {
  const { faults } = inputFrom({ limit: '1.5', where: '{' }, formFields(schema))
  assert.deepEqual(faults, { text: 'required', limit: 'integer', where: 'json' })
})

test('a pattern is a hint only if there are no words about the text', () => {
  const text = { type: 'string', pattern: '^a' }
  const patterns = formFields({
    properties: { a: text, b: { ...text, title: 'B' }, c: { ...text, description: 'C' } },
  })
  assert.deepEqual(
    patterns.map(({ pattern }) => pattern),
    ['^a', undefined, undefined],
  )
})

test('a schema without properties has no fields', () => {
  for (const strange of [undefined, true, {}, { properties: [] }]) assert.deepEqual(formFields(strange), [])
})

const MOON = {
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
    massKg: { type: 'number', exclusiveMinimum: 0, maximum: 9 },
    found: { type: 'string', format: 'date' },
    notes: { type: 'string', contentMediaType: 'text/markdown' },
    orbits: { $ref: '#/$defs/planet' },
    sisters: { type: 'array', items: { $ref: '#/$defs/planet' } },
    size: {
      type: 'object',
      title: 'Size',
      required: ['km'],
      properties: {
        km: { type: 'number' },
        'a/b': { type: 'object', properties: { c: { type: 'boolean' } } },
      },
    },
  },
  $defs: { planet: { properties: { type: { const: 'sol:planet' }, id: { type: 'string' } } } },
}

test('members of objects have fields of their own, references name their types, and values decide the control', () => {
  const told = (value?: unknown) =>
    formFields(MOON, value).map(({ key, label, control }) => [key, label, control])
  assert.deepEqual(told(), [
    ['name', 'Name', 'text'],
    ['massKg', 'Mass', 'number'],
    ['found', 'Found', 'date'],
    ['notes', 'Notes', 'lines'],
    ['orbits', 'Orbits', 'reference'],
    ['sisters', 'Sisters', 'references'],
    ['size/km', 'Size: Km', 'number'],
    ['size/a~1b/c', 'Size: A/b: C', 'truth'],
  ])
  assert.deepEqual(formFields(MOON)[4]?.types, ['sol:planet'])
  const one = { type: 'sol:planet', id: 'mars' }
  const odd = {
    name: 'a\nb',
    massKg: 'x',
    found: 'May',
    orbits: [one],
    sisters: one,
    size: 5,
    more: { a: 1 },
  }
  assert.deepEqual(
    told(odd).map(([key, , control]) => `${key} ${control}`),
    [
      'name lines',
      'massKg json',
      'found text',
      'notes lines',
      'orbits json',
      'sisters json',
      'size json',
      'more json',
    ],
  )
})

test('an edit changes its member alone, and all other values keep their text', () => {
  const text = '{"size":{"km":1.0,"x":12345678901234567003},"more":[9007199254740993,null],"name":"io"}'
  const value = parseExact(text) as never
  const fields = formFields(MOON, value)
  const start = valuesFrom(value, fields)
  const edited = (values: FormValues) => inputFrom({ ...start, ...values }, fields, start, value)
  assert.equal(edited({}).input, value)
  assert.equal(start['size/x'], '12345678901234567003')
  const { input, faults } = edited({ massKg: '1.50', 'size/a~1b/c': 'true', 'size/km': '' })
  assert.deepEqual(faults, {})
  assert.equal(
    JSON.stringify(input),
    '{"size":{"x":12345678901234567003,"a/b":{"c":true}},"more":[9007199254740993,null],"name":"io","massKg":1.50}',
  )
  assert.equal(jsonOf(value), text)
  assert.deepEqual(edited({ orbits: '' }).input, value)
})

test('each constraint of a schema has its own fault', () => {
  const fields = formFields(MOON)
  const faultIn = (key: string, text: string) => inputFrom({ [key]: text }, fields).faults[key]
  assert.deepEqual(
    [
      ['name', 'a'],
      ['name', 'abcde'],
      ['name', 'AB'],
      ['name', 'ab'],
      ['massKg', '0'],
      ['massKg', '10'],
      ['massKg', 'x'],
    ].map(([key = '', text = '']) => faultIn(key, text)),
    ['length', 'length', undefined, undefined, 'range', 'range', 'number'],
  )
  const one = '{"type":"sol:planet","id":"mars"}'
  assert.deepEqual(
    ['satu', `[${one}]\nsatu`, `[${one}]`].map((text) => faultIn('orbits', text)),
    ['reference', 'reference', undefined],
  )
  assert.deepEqual(inputFrom({ sisters: `[${one}]`, orbits: `[${one}]` }, fields).input, {
    orbits: JSON.parse(one),
    sisters: [JSON.parse(one)],
  })
})
