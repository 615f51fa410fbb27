import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValueKind } from '@worldwright/core/store'
import { type Filter, NOTHING_ASKED, queryOfAsked, withFilter } from './asked.ts'
import { conditionOf, textOfValue } from './question.ts'
import { viewFrom } from './view.ts'

const askedFrom = (query: URLSearchParams) => viewFrom(query).view.asked ?? NOTHING_ASKED
const askable = (key: string, kind: ValueKind) => ({ key, kind })
const ASKABLES = [
  askable('mass', 'number'),
  askable('isReal', 'boolean'),
  askable('seen', 'instant'),
  askable('star', 'reference'),
  askable('["a.b","c"]', 'text'),
]

test('a question round-trips through an address', () => {
  const asked = {
    text: 'hot & near',
    filters: [
      { is: 'range', key: 'mass', from: '1.5', to: '' },
      { is: 'range', key: 'width', from: '1', to: '2.5', isBelow: true },
      { is: 'none', key: 'seen' },
      { is: 'box', key: 'place', box: [170, -12.5, -170, 0] },
      { is: 'any', key: 'star', values: ['s:star/sun', 's:star/a b&c'] },
      { is: 'any', key: '["a.b","c"]', values: ['..'] },
    ],
    cql: 'mass > 1 AND isReal = TRUE',
    sort: '-mass',
  } as const
  const query = new URLSearchParams(queryOfAsked(asked)).toString()
  assert.deepEqual(askedFrom(new URLSearchParams(query)), asked)
})

test('invalid conditions in an address are ignored', () => {
  assert.deepEqual(askedFrom(new URLSearchParams('in.mass=..&in.x=5&is.=1&other=2')).filters, [])
  for (const box of ['', '1,2,3', '1,2,3,4,5', '1,5,3,4', '1,2,,4', '181,0,0,1', '0,-91,1,1'])
    assert.deepEqual(askedFrom(new URLSearchParams({ 'at.place': box })).filters, [], box)
})

test('a box becomes a CQL2 `s_intersects` condition', () => {
  assert.deepEqual(conditionOf([{ is: 'box', key: 'place', box: [170, -12.5, -170, 0] }], []), {
    op: 's_intersects',
    args: [{ property: 'place' }, { bbox: [170, -12.5, -170, 0] }],
  })
})

test('a range can exclude its end, and a filter can select entities without a value', () => {
  const below: Filter = { is: 'range', key: 'mass', from: '1', to: '2', isBelow: true }
  assert.deepEqual(conditionOf([below, { is: 'none', key: 'star' }], ASKABLES), {
    op: 'and',
    args: [
      { op: '>=', args: [{ property: 'mass' }, 1] },
      { op: '<', args: [{ property: 'mass' }, 2] },
      { op: 'isNull', args: [{ property: 'star' }] },
    ],
  })
})

test('filters become one CQL2 condition whose values are converted to the kinds of their properties', () => {
  const filters: Filter[] = [
    { is: 'range', key: 'mass', from: '1', to: '2' },
    { is: 'any', key: 'isReal', values: ['true'] },
    { is: 'range', key: 'seen', from: '2020-01-31', to: '2021-01-01T00:00:00Z' },
    { is: 'any', key: 'star', values: ['s:star/sun', 's:star/x/y'] },
    { is: 'any', key: '["a.b","c"]', values: ['1'] },
  ]
  assert.deepEqual(conditionOf(filters, ASKABLES, { op: 'isNull', args: [{ property: 'mass' }] }), {
    op: 'and',
    args: [
      { op: 'between', args: [{ property: 'mass' }, 1, 2] },
      { op: '=', args: [{ property: 'isReal' }, true] },
      { op: '>=', args: [{ property: 'seen' }, { date: '2020-01-31' }] },
      { op: '<=', args: [{ property: 'seen' }, { timestamp: '2021-01-01T00:00:00Z' }] },
      {
        op: 'in',
        args: [
          { property: 'star' },
          [
            { type: 's:star', id: 'sun' },
            { type: 's:star', id: 'x/y' },
          ],
        ],
      },
      { op: '=', args: [{ property: ['a.b', 'c'] }, '1'] },
      { op: 'isNull', args: [{ property: 'mass' }] },
    ],
  })
  assert.equal(conditionOf([], ASKABLES), undefined)
})

test('a value that does not fit the kind of its property is sent as text', () => {
  const filters: Filter[] = [{ is: 'range', key: 'mass', from: 'heavy', to: '' }]
  assert.deepEqual(conditionOf(filters, ASKABLES), { op: '>=', args: [{ property: 'mass' }, 'heavy'] })
})

test('a property has at most one filter, and an empty filter is removed', () => {
  const range: Filter = { is: 'range', key: 'mass', from: '1', to: '' }
  assert.deepEqual(withFilter([range], 'mass', { ...range, to: '3' }), [{ ...range, to: '3' }])
  assert.deepEqual(withFilter([range], 'mass', { ...range, from: '' }), [])
  assert.deepEqual(withFilter([range], 'mass', undefined), [])
})

test('facet values are formatted in the same way as filter values', () => {
  assert.deepEqual([1.5, true, 'x', { type: 'a:b', id: 'c' }].map(textOfValue), ['1.5', 'true', 'x', 'a:b/c'])
})
