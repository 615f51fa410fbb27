import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formFields, inputFrom, valuesFrom } from './form-fields.ts'

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
    formFields(schema).map(({ name, control, isRequired }) => [name, control, isRequired]),
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
  assert.deepEqual(inputFrom(values, fields), { input, faults: [] })
  assert.deepEqual(inputFrom({ text: 'x' }, fields), { input: { text: 'x' }, faults: [] })
})

test('an input round-trips through control values', () => {
  const fields = formFields(schema)
  const input = { text: 'x', limit: 0, types: ['a:b'], exact: false, order: 'newest', where: [1] }
  assert.deepEqual(inputFrom(valuesFrom(input, fields), fields).input, input)
})

test('members with invalid or missing values are reported by name', () => {
  const { faults } = inputFrom({ limit: '1.5', where: '{' }, formFields(schema))
  assert.deepEqual(faults, ['text', 'limit', 'where'])
})

test('a schema without properties has no fields', () => {
  for (const strange of [undefined, true, {}, { properties: [] }]) assert.deepEqual(formFields(strange), [])
})
