import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldOf } from '@worldwright/extensions/shown'
import type { Measure } from '../question/measures.ts'
import { axisOf, binned, endsOf } from './bins.ts'

const measure = (kind: Measure['kind'], isWhole = false): Measure => ({
  key: 'x',
  kind,
  isWhole,
  field: fieldOf('x', {}, {}),
})

test('bin edges are round numbers, and the bins cover both extremes', () => {
  const ends = endsOf([1.2, 29.5], measure('number'), false)
  assert.deepEqual([ends[0], ends[1], ends.at(-1)], [1, 2, 30])
  const bins = binned([1.2, 1.9, 29.5], ends)
  assert.deepEqual([bins[0], bins.at(-1)?.count], [{ from: 1, to: 2, count: 2 }, 1])
})

test('a bin of years is at least one year wide', () => {
  assert.deepEqual(endsOf([1990, 1993], measure('year', true), false), [1990, 1991, 1992, 1993, 1994])
})

test('even a wide span of years has few bins', () => {
  const ends = endsOf([-5000, 99_999], measure('year', true), false)
  assert.ok(ends.length > 10 && ends.length < 60, String(ends.length))
  assert.ok((ends[0] ?? 0) <= -5000 && (ends.at(-1) ?? 0) > 99_999)
})

test('logarithmic edges have two significant digits and contain both extremes', () => {
  const ends = endsOf([0.002, 5000], measure('number'), true)
  assert.ok(ends.length > 15 && ends.length < 45, String(ends.length))
  assert.ok((ends[0] ?? 1) <= 0.002 && (ends.at(-1) ?? 0) > 5000)
  for (const end of ends.slice(1, -1)) assert.equal(Number(end.toPrecision(2)), end)
})

test('days are binned by calendar month or year', () => {
  const ends = endsOf([Date.UTC(1969, 6, 20), Date.UTC(1999, 0, 1)], measure('day'), false)
  assert.equal(new Date(ends[0] ?? 0).toISOString().slice(5, 10), '01-01')
  assert.ok((ends.at(-1) ?? 0) > Date.UTC(1999, 0, 1))
})

test('a single value, extreme numbers and extreme dates give finite bins', () => {
  for (const extent of [
    [5, 5],
    [0, 0],
    [0.1, 0.1],
    [-1e308, 1e308],
    [1e308, 1e308],
    [5e-324, 1e-320],
  ] as const) {
    const ends = endsOf(extent, measure('number'), false)
    assert.ok(ends.length >= 2 && ends.length <= 201, `${extent}: ${ends.length}`)
    assert.ok(ends.every(Number.isFinite), String(ends))
    const counted = binned([...extent], ends).reduce((sum, { count }) => sum + count, 0)
    assert.equal(counted, 2, String(extent))
  }
  for (const extent of [
    [-8.64e15, 8.64e15],
    [0, 0],
  ] as const) {
    const ends = endsOf(extent, measure('instant'), false)
    assert.ok(ends.length >= 2 && ends.length <= 202 && ends.every(Number.isFinite), String(ends.length))
  }
  const log = endsOf([5e-324, 1e308], measure('number'), true)
  assert.ok(log.length >= 2 && log.every((end) => end > 0 && Number.isFinite(end)), String(log.length))
})

test('a time axis spans its filter bounds unless the values fill too little of that span', () => {
  const range = (from: string, to: string) => [{ is: 'range', key: 'x', from, to } as const]
  const year = measure('year', true)
  assert.deepEqual(axisOf([1961, 1969], year, range('1960', '1970')), [1960, 1970])
  assert.deepEqual(axisOf([1961, 1961], year, range('1960', '')), [1960, 1961])
  assert.deepEqual(axisOf([1961, 1969], year, range('1', '3000')), [1961, 1969])
  assert.deepEqual(axisOf([1961, 1969], year, []), [1961, 1969])
  assert.deepEqual(axisOf([1961, 1969], year, [{ is: 'any', key: 'x', values: ['1961'] }]), [1961, 1969])
  assert.deepEqual(axisOf([2, 9], measure('number'), range('0', '10')), [2, 9])
  const days: readonly [number, number] = [Date.UTC(1961, 3, 12), Date.UTC(1969, 6, 16)]
  const decade = [Date.UTC(1960, 0, 1), Date.UTC(1969, 11, 31)]
  assert.deepEqual(axisOf(days, measure('day'), range('1960-01-01', '1969-12-31')), decade)
  assert.deepEqual(axisOf(days, measure('day'), range('x', '1e')), days)
})
