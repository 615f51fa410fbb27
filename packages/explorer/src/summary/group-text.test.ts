import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldOf } from '@worldwright/extensions/shown'
import { startPage } from '../page.fixture.ts'
import type { Askable, ValueKind } from '../question/askable.ts'
import type { Column, Op } from '../question/summary.ts'

startPage()
const { amountText, binName, binText, columnText } = await import('./group-text.ts')

const askable = (key: string, kind: ValueKind, type = 'number', isDate = false): Askable => ({
  key,
  kind,
  isDate,
  field: fieldOf(key, { type }, undefined),
})
const YEAR = askable('discoveryYear', 'number', 'integer')
const RADIUS = askable('radiusKm', 'number')
const DAY = askable('launched', 'text', 'string', true)
const SEEN = askable('seen', 'instant', 'string')
const column = (one: Askable, op: Op): Column => ({ askable: one, op, text: `${op}:${one.key}` })

test('bins are named by their decade, their unit of time or their range', () => {
  const name = (one: Askable, bin: string, value: number | string) =>
    binText(value, { askable: one, bin })?.replace(/\s/g, ' ')
  assert.equal(name(YEAR, '10', 1990), '1990s')
  assert.equal(name(YEAR, '10', 1995), '1995 – 2004')
  assert.equal(name(YEAR, '100', 1800), '1800 – 1899')
  assert.equal(name(RADIUS, '500', 1000), '1,000 – 1,500 km')
  assert.equal(name(DAY, 'year', '1853-01-01'), '1853')
  assert.equal(name(DAY, 'quarter', '2001-01-01'), 'Jan – Mar 2001')
  assert.equal(name(DAY, 'month', '2001-03-01'), 'Mar 2001')
  assert.equal(name(SEEN, 'week', '2001-03-05'), '5 – 11 Mar 2001')
  assert.equal(name(SEEN, 'day', '2001-03-05'), '5 Mar 2001')
  assert.equal(name(SEEN, 'hour', '2001-03-05T05:00:00Z'), '5 Mar 2001, 05:00')
  assert.equal(name(YEAR, 'value', 1853), undefined)
  assert.equal(name(DAY, 'year', 'nonsense'), 'NaN')
})

test('the kinds of bins are words of the language', () => {
  assert.equal(binName({ askable: YEAR, bin: '10' }, '10'), '10 years')
  assert.equal(binName({ askable: RADIUS, bin: '500' }, '500'), '500 km')
  assert.deepEqual(
    ['value', 'quarter', 'week'].map((bin) => binName({ askable: SEEN, bin }, bin)),
    ['single values', 'quarter', 'week'],
  )
})

test('whole numbers are shown in full, others with four digits, and years without grouping', () => {
  assert.equal(amountText(4780653, column(RADIUS, 'sum')), '4,780,653')
  assert.equal(amountText(2574.73, column(RADIUS, 'avg')), '2,575')
  assert.equal(amountText(420.4142857, column(RADIUS, 'avg')), '420.4')
  assert.equal(amountText(0.000123456, column(RADIUS, 'avg')), '0.0001235')
  assert.equal(amountText(1853, column(YEAR, 'min')), '1853')
  assert.equal(amountText(1853.6, column(YEAR, 'avg')), '1854')
  assert.equal(amountText(1853, column(YEAR, 'distinct')), '1,853')
  assert.equal(amountText('2001-03-05', column(DAY, 'max')), '5 March 2001')
  assert.equal(amountText(null, column(RADIUS, 'avg')), '–')
})

test('a measure has the unit of its property, but the number of different values has none', () => {
  assert.equal(columnText(column(RADIUS, 'avg')), 'Radius (km): mean')
  assert.equal(columnText(column(RADIUS, 'distinct')), 'Radius: different values')
  assert.equal(columnText(undefined), 'How many')
})
