import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldOf } from '@worldwright/extensions/shown'
import { startPage } from '../page.fixture.ts'
import type { ValueKind } from '../question/askable.ts'

startPage()
const { extremeText, rangeText, shareText, valueText } = await import('./value-text.ts')

const askable = (name: string, kind: ValueKind) => ({
  key: name,
  kind,
  isDate: false,
  field: fieldOf(name, {}, {}, 1),
})

test('values are formatted for display', () => {
  for (const [value, kind, expected] of [
    ['true', 'boolean', 'yes'],
    ['false', 'boolean', 'no'],
    ['1234.5678', 'number', '1,234.5678'],
    ['12345', 'number', '12,345'],
    ['', 'number', ''],
    ['many', 'number', 'many'],
    ['1969-07-20', 'instant', '20 July 1969'],
    ['1969-07-20', 'text', '20 July 1969'],
    ['icy', 'text', 'icy'],
  ] as const)
    assert.equal(valueText(value, askable('radiusKm', kind)), expected, `${kind} ${value}`)
  assert.equal(valueText('1977', askable('launchYear', 'number')), '1977')
})

test('a range shows only the bounds that are set, with their unit', () => {
  const range = { is: 'range', key: 'radiusKm' } as const
  const radius = askable('radiusKm', 'number')
  assert.equal(rangeText({ ...range, from: '1', to: '2000' }, radius), '1 – 2,000 km')
  assert.equal(rangeText({ ...range, from: '12345', to: '12345.678' }, radius), '12,345 – 12,345.678 km')
  assert.equal(rangeText({ ...range, from: '1', to: '' }, radius), '≥ 1 km')
  assert.equal(rangeText({ ...range, from: '', to: '5' }, radius), '≤ 5 km')
  assert.equal(rangeText({ ...range, from: '', to: '5', isBelow: true }, radius), '< 5 km')
  assert.equal(rangeText({ ...range, from: '1', to: '5', isBelow: true }, radius), '1 – < 5 km')
})

test('an extreme is rounded, and a whole number is not', () => {
  const radius = askable('radiusKm', 'number')
  assert.deepEqual(
    [1234.5678, 12345, 0.123456, undefined, '1969-07-20'].map((value) => extremeText(value, radius)),
    ['1,235', '12,345', '0.1235', '', '20 July 1969'],
  )
})

test('a share is a percentage, with one significant digit if it is small', () => {
  assert.deepEqual(
    [shareText(26, 100), shareText(3, 1_000), shareText(5, 4), shareText(0, 4), shareText(1, 0)],
    ['26%', '0.3%', '100%', '0%', ''],
  )
})
