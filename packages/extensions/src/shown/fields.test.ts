import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf, declaredFields, fieldOf, presentFields } from './fields.ts'

const schema = {
  type: 'object',
  properties: {
    names: { type: 'array', items: { type: 'string' } },
    orbits: { $ref: '#/$defs/star', description: 'What it goes round' },
    radiusKm: { type: 'number' },
    weight: { type: 'number', title: 'Heaviness', 'x-unit': 'stone' },
    portrait: { type: 'string', contentMediaType: 'image/png' },
    round: { $ref: '#/properties/round' },
  },
  $defs: { star: { type: 'object', properties: { type: { const: 'sol:star' }, id: { type: 'string' } } } },
}

test('a year is known by the name, the title or a hint of the schema, and is never written with digit groups', () => {
  const isYear = (name: string, own: object, value?: number) => {
    const field = fieldOf(name, own, own, value)
    assert.notEqual(field.isYear, field.isGrouped)
    return field.isYear
  }
  assert.ok(isYear('discoveryYear', {}))
  assert.ok(isYear('erschienen', { title: 'Jahr' }, 1853))
  assert.ok(isYear('born', { 'x-display': 'year' }))
  assert.ok(isYear('made', { 'x-unit': 'year' }))
  assert.ok(!isYear('year', {}, 18_530))
  assert.ok(!isYear('year', {}, 1853.5))
  assert.ok(!isYear('year', { maximum: 1e9 }))
  assert.ok(!isYear('radius', {}, 1853))
})

test('fields are in schema order and have the titles and units of the schema', () => {
  const fields = declaredFields(schema)
  assert.deepEqual(
    fields.map(({ name, label, unit }) => [name, label, unit]),
    [
      ['names', 'Names', undefined],
      ['orbits', 'Orbits', undefined],
      ['radiusKm', 'Radius', 'km'],
      ['weight', 'Heaviness', 'stone'],
      ['portrait', 'Portrait', undefined],
      ['round', 'Round', undefined],
    ],
  )
  assert.equal(fields[1]?.description, 'What it goes round')
  assert.equal(fields[4]?.format, 'picture')
})

test('an entity has the non-empty fields of its schema, followed by its other non-empty fields', () => {
  const attributes = JSON.parse('{"extra":1,"radiusKm":2,"names":null,"__proto__":"x"}')
  assert.deepEqual(
    presentFields(attributes, schema).map(([{ name }, value]) => [name, value]),
    [
      ['radiusKm', 2],
      ['extra', 1],
      ['__proto__', 'x'],
    ],
  )
  assert.deepEqual(presentFields('nothing', schema), [])
})

test('blank strings and empty lists and objects are not fields', () => {
  const deep = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`)
  const attributes = {
    a: '',
    b: ' ',
    c: [],
    d: {},
    e: [null, { f: [''] }],
    g: 0,
    h: false,
    i: [null, 'x'],
    deep,
  }
  assert.deepEqual(
    presentFields(attributes, undefined).map(([{ name }]) => name),
    ['g', 'h', 'i', 'deep'],
  )
})

test('table columns put single values, references and lists of texts before other names and lists', () => {
  assert.deepEqual(
    columnsOf(schema, []).map(({ name }) => name),
    ['names', 'orbits', 'radiusKm', 'weight', 'portrait', 'round'],
  )
  const texts = { type: 'array', items: { type: 'string' } }
  const books = {
    properties: { aliases: texts, authors: texts, ratings: { type: 'array' }, year: { type: 'integer' } },
  }
  assert.deepEqual(
    columnsOf(books, []).map(({ name }) => name),
    ['authors', 'year', 'aliases', 'ratings'],
  )
  assert.deepEqual(
    columnsOf(undefined, [{ a: 1 }, { b: 2, a: 3 }]).map(({ name }) => name),
    ['a', 'b'],
  )
})

test('a table always includes the column by which it is sorted', () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
  const wide = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
  }
  const shown = (asked: string[]) => columnsOf(wide, [], new Set(asked)).map(({ name }) => name)
  assert.deepEqual(shown([]), names.slice(0, 14))
  assert.deepEqual(shown(['n3', 'n17', 'none']), [...names.slice(0, 14), 'n17'])
})

test('an invalid schema does not throw', () => {
  for (const strange of [
    null,
    5,
    'x',
    [],
    { properties: [] },
    { properties: { a: null } },
    { properties: { a: true } },
  ]) {
    assert.ok(declaredFields(strange).length <= 1)
  }
})
