import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredFields, fieldOf } from '@worldwright/extensions/shown'
import { type Asked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { askablesSeen, boundValue, type Measure, measuresAsked, measuresOf, valuesAt } from './measures.ts'

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

test('values are read along a path, those in lists one by one', () => {
  const attributes = { names: ['a', 'b'], parts: [{ size: 1 }, { size: [2, 3] }, {}], empty: null }
  const entity = { type: 'f:thing', id: 'x', title: 'X', attributes }
  assert.deepEqual(valuesAt(entity, 'names'), ['a', 'b'])
  assert.deepEqual(valuesAt(entity, 'parts.size'), [1, 2, 3])
  assert.deepEqual(valuesAt(entity, 'title'), ['X'])
  assert.deepEqual([...valuesAt(entity, 'empty'), ...valuesAt(entity, 'none')], [])
})

test('numbers are taken as whole only if the schema says so, and bounds have the form of queries', () => {
  const [seen] = measuresOf(
    askablesSeen(
      [fieldOf('size', undefined, undefined)],
      [{ type: 'f:thing', id: 'x', attributes: { size: 1 } }],
    ),
  )
  assert.equal(seen?.isWhole, false)
  const [mass, year] = measures
  assert.deepEqual([mass?.isWhole, year?.isWhole], [false, true])
  const at = (kind: Measure['kind']) =>
    boundValue(0, { key: '', kind, isWhole: false, field: fieldOf('', {}, {}) })
  assert.deepEqual([at('number'), at('day')], [0, '1970-01-01'])
  assert.deepEqual(at('instant'), { timestamp: '1970-01-01T00:00:00.000Z' })
})
