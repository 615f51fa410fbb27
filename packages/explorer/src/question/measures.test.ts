import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredFields } from '../data/fields.ts'
import { type Asked, NOTHING_ASKED } from './filters.ts'
import { askablesSeen, measuresAsked, measuresOf } from './measures.ts'

const schema = {
  type: 'object',
  properties: { mass: { type: 'number' }, year: { type: 'integer' }, radius: { type: 'number' } },
}
const measures = measuresOf(askablesSeen(declaredFields(schema), []))

function triedFor(asked: Partial<Asked>): string[] {
  return measuresAsked(measures, { ...NOTHING_ASKED, ...asked }).map(({ key }) => key)
}

test('a chart prefers the sort property, then filtered properties, then the first property', () => {
  const range = { is: 'range', key: 'year', from: '1900', to: '' } as const
  assert.deepEqual(triedFor({}), ['mass', 'year', 'radius'])
  assert.deepEqual(triedFor({ filters: [range] }), ['year', 'mass', 'radius'])
  assert.deepEqual(triedFor({ sort: '-radius', filters: [range] }), ['radius', 'year', 'mass'])
  assert.deepEqual(triedFor({ sort: 'title' }), ['mass', 'year', 'radius'])
})
