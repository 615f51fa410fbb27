import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client'
import { fieldOf } from '@worldwright/extensions/shown'
import type { Measure } from '../question/measures.ts'
import type { Answer, Group } from '../question/question.ts'
import { mapCells, plotCells, sumOf } from './cells.ts'

/** Returns a function that gives these groups one answer after the other, and records what it is asked. */
function answering(...answers: { groups: readonly Group[]; total?: number; partial?: boolean }[]) {
  const asked: JsonObject[][] = []
  const ask = async (more: JsonObject, ...conditions: JsonObject[]) => {
    asked.push([more, ...conditions])
    const { groups, total = groups.length, partial = false } = answers[asked.length - 1] ?? { groups: [] }
    return { entities: [], facets: [], ignored: [], groups, groupsTotal: total, partial } as unknown as Answer
  }
  return { ask, asked }
}

const group = (key: Group['key'], count: number, ...measures: Group['measures']): Group => ({
  key,
  count,
  measures,
})
const measure = (key: string, kind: Measure['kind'], isWhole = false): Measure => {
  return { key, kind, isWhole, field: fieldOf(key, undefined, undefined) }
}

test('a map is asked for in cells, which are widened until all of them fit in an answer', async () => {
  const { ask, asked } = answering(
    { groups: [group([[0, 0]], 1)], total: 1_200 },
    { groups: [group([[-11.25, 39.375]], 7), group([null], 3)] },
  )
  const found = await mapCells(ask, 'site', 5.625)
  assert.deepEqual(asked, [
    [{ group: [{ property: 'site', cells: 5.625 }], groupLimit: 1000 }],
    [{ group: [{ property: 'site', cells: 11.25 }], groupLimit: 1000 }],
  ])
  // Entities without a location are in no cell.
  assert.deepEqual(found, {
    cells: [{ x: [-11.25, 0], y: [39.375, 50.625], count: 7, mean: undefined, valued: 0 }],
    isPartial: false,
  })
  assert.equal(sumOf(found), 7)
})

test('cells can have the mean of a measure, and say if the world stopped counting', async () => {
  const { ask, asked } = answering({
    groups: [group([[0, 0]], 2, 4.5, 2), group([[1, 0]], 1, null, 0)],
    partial: true,
  })
  const { cells, isPartial } = await mapCells(ask, 'site', 1, 'radiusKm')
  assert.deepEqual(asked[0]?.[0]?.['measures'], [
    { op: 'avg', property: 'radiusKm', kind: 'number' },
    { op: 'count', property: 'radiusKm', kind: 'number' },
  ])
  assert.deepEqual(
    cells.map(({ mean }) => mean),
    [4.5, undefined],
  )
  assert.ok(isPartial)
})

const LINEAR = { x: false, y: false }

test('the cells of a plot are as wide as round steps of its axes', async () => {
  const { ask, asked } = answering({ groups: [group([20, 1950], 3)] })
  const axes = { x: measure('mass', 'number'), y: measure('foundedYear', 'year') }
  const found = await plotCells(ask, axes, { x: [0, 290], y: [1900, 2010] }, LINEAR, undefined)
  const [{ group: keys } = {}] = asked[0] ?? []
  assert.deepEqual(keys, [
    { property: 'mass', width: 10 },
    { property: 'foundedYear', width: 5 },
  ])
  assert.deepEqual(found?.cells, [{ x: [20, 30], y: [1950, 1955], count: 3, mean: undefined, valued: 0 }])
})

test('a logarithmic axis is asked for one power of ten at a time, without values of other powers', async () => {
  const { ask, asked } = answering(
    {
      groups: [group([3, 0], 3, 2, 3), group([4, 0], 2, 7, 2), group([9, 0], 4, null, 0), group([20, 0], 1)],
    },
    { groups: [group([95, 0], 2, 1, 2)] },
  )
  const axes = { x: measure('mass', 'number'), y: measure('size', 'number', true) }
  const found = await plotCells(ask, axes, { x: [1, 99], y: [0, 3] }, { x: true, y: false }, 'size')
  const property = { property: 'mass' }
  assert.deepEqual(asked[0]?.slice(1), [
    { op: '>=', args: [property, 1] },
    { op: '<', args: [property, 10] },
  ])
  assert.deepEqual(
    asked.map(([{ group: keys } = {}]) => keys),
    [
      [
        { property: 'mass', width: 0.5, origin: 1 },
        { property: 'size', width: 1 },
      ],
      [
        { property: 'mass', width: 5, origin: 10 },
        { property: 'size', width: 1 },
      ],
    ],
  )
  assert.deepEqual(
    found?.cells.map(({ x, count, mean }) => [...x, count, mean]),
    [
      // Groups are joined into cells that are about equally wide on the axis.
      [3, 4.5, 5, 4],
      [7, 10, 4, undefined],
      [70, 100, 2, 1],
    ],
  )
})

test('axes with dates, or with too many powers of ten for a few questions, have no cells', async () => {
  const { ask, asked } = answering()
  const [day, size] = [measure('founded', 'day'), measure('size', 'number', true)]
  const years = [Date.UTC(1000, 0), Date.UTC(2000, 0)] as const
  assert.equal(
    await plotCells(ask, { x: day, y: size }, { x: years, y: [0, 9] }, LINEAR, undefined),
    undefined,
  )
  const axes = { x: measure('mass', 'number'), y: size }
  const wide = { x: [1e-9, 1e30], y: [0, 9] } as const
  assert.equal(await plotCells(ask, axes, wide, { x: true, y: false }, undefined), undefined)
  assert.deepEqual(asked, [])
})
