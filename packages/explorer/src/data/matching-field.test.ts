import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingField } from './matching-field.ts'

test('the attribute that matched is named as its schema says, with what in it matched', () => {
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
