import assert from 'node:assert/strict'
import { test } from 'node:test'
import { presentFields } from '@worldwright/extensions/shown'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { field, find, get, press, show, startPage, textOf, texts } from '../page.fixture.ts'

startPage()
const { Attributes } = await import('./attributes.tsx')
const { within } = await openFake()

const showAttributes = (attributes: object, schema: object = {}) =>
  show(within(h(Attributes, { fields: presentFields(attributes, schema) })))

test('each non-empty attribute is shown with its label', () => {
  showAttributes({ radiusKm: 1560.8, note: '', kind: 'icy', nothing: null })
  assert.deepEqual(texts('dt'), ['Radius', 'Kind'])
  assert.deepEqual(texts('dd'), ['1,560.8 km', 'icy'])
  assert.equal(find('h3'), undefined)
  showAttributes({})
  assert.match(textOf(document.body), /No attributes were recognised/)
})

test('attributes that share a label are distinguished by their names', () => {
  showAttributes({ massKg: 1, massEarths: 2, kind: 'icy' })
  assert.deepEqual(texts('dt'), ['Mass massKg', 'Mass massEarths', 'Kind'])
})

test('many attributes are grouped by meaning', () => {
  showAttributes({ kind: 'icy', colour: 'white', radiusKm: 1, massKg: 2, lat: 3, lon: 4, isbn: '5' })
  assert.deepEqual(texts('h3'), ['What it is', 'Measures', 'Place', 'Ids'])
})

test('schema descriptions are shown on request', () => {
  const schema = { properties: { radiusKm: { type: 'number', description: 'Mean <radius>.' } } }
  showAttributes({ radiusKm: 1, kind: 'icy' }, schema)
  assert.deepEqual(texts('.explained'), [])
  press(field('Explain the fields'))
  assert.deepEqual(texts('.explained'), ['Mean <radius>.'])
  showAttributes({ kind: 'icy' })
  assert.equal(find('input'), undefined)
})

test('long strings, lists and objects take the full width', () => {
  for (const [value, isLong] of [
    ['x'.repeat(61), true],
    ['x'.repeat(60), false],
    [[1, 2, 3], true],
    [[1, 2], false],
    [[{ f: 1 }], true],
    [{ f: 1 }, true],
    [{ type: 'f:thing', id: 'x' }, false],
  ] as const) {
    showAttributes({ a: value })
    assert.equal(get('.attributes > div').className === 'long', isLong, JSON.stringify(value))
  }
})

test('attributes beyond the first eighty are shown on request', () => {
  showAttributes(Object.fromEntries(Array.from({ length: 85 }, (_, index) => [`note${index}`, 'x'])))
  assert.equal(texts('dt').length, 80)
  press(get('button', 'Show 5 more'))
  assert.equal(texts('dt').length, 85)
})
