import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingField, textField } from './matching-field.ts'

test('the matching attribute has its schema label and the matching text', () => {
  const schema = { properties: { by: { type: 'array', title: 'Discovered by' }, note: { type: 'string' } } }
  const attributes = { radiusKm: 11, note: 'Grooved by craters.', by: ['A. Hall', 'H. Draper'] }
  const found = (...matched: string[]) => matchingField(attributes, schema, matched)
  assert.deepEqual(found('draper'), { label: 'Discovered by', text: 'H. Draper' })
  assert.deepEqual(found('crater'), { label: 'Note', text: 'Grooved by craters.' })
  assert.deepEqual(found('hall', 'crater')?.label, 'Discovered by')
  assert.deepEqual(
    [found('moon'), found(), matchingField(undefined, {}, ['hall'])],
    [undefined, undefined, undefined],
  )
})

test('a matching field named by the world is used if its value can be shown', () => {
  const schema = { properties: { by: { type: 'array', title: 'Discovered by' } } }
  const entity = { type: 'a:b', id: '1', attributes: { by: ['A. Hall', 'H. Draper'], 'a/b': { year: 1877 } } }
  const found = (...pointers: unknown[]) => textField(entity as never, schema, pointers)
  assert.deepEqual(found('/title', '/attributes/by/1'), { label: 'Discovered by', text: 'H. Draper' })
  assert.deepEqual(found('/attributes/a~1b/year')?.text, '1877')
  for (const hostile of [
    '/attributes',
    '/attributes/by',
    '/attributes/by/9',
    '/attributes/__proto__',
    7,
    null,
  ])
    assert.equal(found(hostile), undefined)
})
