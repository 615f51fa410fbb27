import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Query } from '../../../core/src/store/contract.ts'
import type { GroupKey, GroupRequest, GroupResult } from '../../../core/src/store/query/groups.ts'
import { askedWorld } from './asked-world.fixture.ts'
import { groupsJson } from './group-json.ts'

const jsonOf = (keys: GroupKey[], ...key: GroupResult['groups'][number]['key']) =>
  groupsJson(
    { keys, measures: [], sort: [], limit: 9 },
    { groups: [{ key, count: 1, measures: [] }], total: 1, ignored: [] },
  )

test('keys are values as in entities, times at which units begin, and south-western corners of cells', () => {
  const cases: [GroupKey, GroupResult['groups'][number]['key'][number], unknown, unknown][] = [
    [
      { by: 'value', property: ['seen'], kind: 'instant' },
      Date.UTC(1655, 0, 16, 10),
      '1655-01-16T10:00:00.000Z',
      { property: 'seen', kind: 'instant' },
    ],
    [
      { by: 'value', property: ['a.b'], kind: 'reference' },
      { type: 'sol:planet', id: 'mars' },
      { type: 'sol:planet', id: 'mars' },
      { property: ['a.b'], kind: 'reference' },
    ],
    [
      { by: 'width', property: ['year'], width: 10, origin: 5 },
      1985,
      1985,
      { property: 'year', kind: 'number', width: 10, origin: 5 },
    ],
    [
      { by: 'unit', property: 'createdAt', kind: 'instant', unit: 'month' },
      Date.UTC(1990, 1, 1),
      '1990-02-01',
      { property: 'createdAt', kind: 'instant', unit: 'month' },
    ],
    [
      { by: 'unit', property: ['born'], kind: 'text', unit: 'hour' },
      Date.UTC(1990, 1, 1, 5),
      '1990-02-01T05:00:00Z',
      { property: 'born', kind: 'text', unit: 'hour' },
    ],
    [
      { by: 'cells', property: 'attributes', degrees: 5 },
      { longitude: -10, latitude: 45 },
      [-10, 45],
      { property: 'attributes', kind: 'place', cells: 5 },
    ],
    [{ by: 'value', property: ['wet'], kind: 'boolean' }, null, null, { property: 'wet', kind: 'boolean' }],
  ]
  for (const [key, value, written, echoed] of cases)
    assert.deepEqual(jsonOf([key], value), {
      group: [echoed],
      measures: [],
      groups: [{ key: [written], count: 1, measures: [] }],
      groupsTotal: 1,
    })
})

test('an answer has the groups of the source, their number, the ignored entities and `moreGroups`', async () => {
  const asked: (GroupRequest | undefined)[] = []
  const { store, ask } = await askedWorld()
  const find = store.find.bind(store)
  const groups: GroupResult = {
    groups: [{ key: [1610, null], count: 3, measures: [0.014, Date.UTC(1610, 0, 7, 12), 2] }],
    total: 5,
    ignored: [0, 1, 0],
    partial: true,
  }
  store.find = async ({ group, ...query }: Query) => {
    asked.push(group)
    return { ...(await find(query)), ...(group && { groups }) }
  }
  const measures = [
    { op: 'avg', property: 'mass' },
    { op: 'min', property: 'seen' },
    { op: 'distinct', property: 'seen' },
  ]
  const group = ['year', { property: 'orbits' }]
  const input = { types: ['sol:moon'], group, measures, groupSort: ['-avg:mass'], groupLimit: 1, limit: 1 }
  const { output } = await ask(input)
  assert.deepEqual(
    [output['total'], output['partial'], output['groupsTotal'], output['moreGroups']],
    [7, true, 5, true],
  )
  assert.deepEqual(output['group'], [
    { property: 'year', kind: 'number' },
    { property: 'orbits', kind: 'reference' },
  ])
  assert.deepEqual(output['measures'], [
    { op: 'avg', property: 'mass', kind: 'number' },
    { op: 'min', property: 'seen', kind: 'instant', ignored: 1 },
    { op: 'distinct', property: 'seen', kind: 'instant' },
  ])
  assert.deepEqual(output['groups'], [
    { key: [1610, null], count: 3, measures: [0.014, '1610-01-07T12:00:00.000Z', 2] },
  ])
  assert.equal(asked[0]?.sort[0]?.by, 'measure')
  // `group` of an answer is valid input, and a cursor does not depend on groups.
  const again = await ask({
    types: ['sol:moon'],
    group: output['group'] as never,
    cursor: output.nextCursor ?? '',
  })
  assert.deepEqual([again.status, asked[1]?.keys], [200, asked[0]?.keys])
  const { output: plain } = await ask({ types: ['sol:moon'] })
  assert.deepEqual([asked[2], plain['groups'], plain['group']], [undefined, undefined, undefined])
})
