import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldOf } from '@worldwright/extensions/shown'
import { conditionOf, groupsAsked, NOTHING_ASKED } from '@worldwright/extensions/views'
import type { Askable, ValueKind } from './askable.ts'
import type { Facet } from './question.ts'
import {
  askedOf,
  type By,
  binsOf,
  byFrom,
  columnFrom,
  filterOf,
  isTimed,
  opsOf,
  orderOf,
  proposedKey,
  rangeOf,
  textOfBy,
} from './summary.ts'

const askable = (key: string, kind: ValueKind, schema: object = {}, isDate = false): Askable => ({
  key,
  kind,
  isDate,
  field: fieldOf(key, schema, schema),
})
const KIND = askable('kind', 'text')
const STAR = askable('star', 'reference')
const MASS = askable('mass', 'number', { type: 'number' })
const MOONS = askable('moons', 'number', { type: 'integer' })
const YEAR = askable('discoveryYear', 'number', { type: 'integer' })
const DAY = askable('launched', 'text', {}, true)
const SEEN = askable('seen', 'instant')
const CODE = askable('postcode', 'number')
const ALL = [KIND, STAR, MASS, MOONS, YEAR, DAY, SEEN, CODE]

const facet = (minimum: number | string, maximum: number | string): Facet => {
  return { present: 9, minimum, maximum, buckets: [], more: false, partial: false }
}
const values = (present: number, ...counts: number[]): Facet => {
  const buckets = counts.map((count, index) => ({ value: `v${index}`, count }))
  return { present, buckets, more: false, partial: false } as Facet
}
const by = (one: Askable, bin = 'value'): By => ({ askable: one, bin })
const binFor = (one: Askable, minimum: number | string, maximum: number | string) =>
  byFrom(one.key, ALL, () => facet(minimum, maximum))?.bin

test('a key of an address names its bin, and round-trips', () => {
  for (const text of ['value:kind', '10:discoveryYear', '0.25:mass', 'quarter:launched', 'hour:seen'])
    assert.equal(textOfBy(byFrom(text, ALL, () => undefined) as By), text)
  for (const text of ['', 'nothing', 'month:kind', '10:kind', 'hour:launched', '-1:mass', 'decade:seen'])
    assert.equal(
      byFrom(text, ALL, () => undefined),
      undefined,
      text,
    )
})

test('the default bin divides the values of a property into a readable number of groups', () => {
  assert.equal(binFor(YEAR, 1990, 2015), 'value')
  assert.equal(binFor(YEAR, 1610, 2020), '10')
  assert.equal(binFor(YEAR, -720, 2017), '100')
  assert.equal(binFor(MASS, 0, 97), '10')
  assert.equal(binFor(MASS, 0.1, 0.3), '0.02')
  assert.equal(binFor(MOONS, 0, 12), 'value')
  assert.equal(binFor(MOONS, 0, 146), '20')
  assert.equal(binFor(SEEN, '2001-01-01T00:00:00Z', '2021-01-01T00:00:00Z'), 'year')
  assert.equal(binFor(SEEN, '2001-01-01T00:00:00Z', '2001-12-01T00:00:00Z'), 'month')
  assert.equal(binFor(SEEN, '2001-01-01T00:00:00Z', '2001-01-08T00:00:00Z'), 'day')
  assert.deepEqual([binFor(DAY, '', ''), binFor(KIND, '', '')], ['year', 'value'])
})

test('the bins offered suit the property, and include the one in use', () => {
  assert.deepEqual(binsOf(by(KIND)), ['value'])
  assert.deepEqual(binsOf(by(YEAR, '25')), ['value', '10', '100', '25'])
  assert.deepEqual(binsOf(by(DAY)), ['year', 'quarter', 'month', 'week', 'day'])
  assert.deepEqual(binsOf(by(SEEN)).at(-1), 'hour')
  assert.deepEqual(binsOf(by(MASS, '0.02')), [
    'value',
    '0.002',
    '0.004',
    '0.01',
    '0.02',
    '0.04',
    '0.1',
    '0.2',
  ])
})

test('the operations suit the property: no sums of years, and no means of labels', () => {
  assert.deepEqual(opsOf(MASS), ['avg', 'median', 'sum', 'min', 'max', 'distinct'])
  assert.deepEqual(opsOf(YEAR), ['min', 'max', 'median', 'avg', 'distinct'])
  assert.deepEqual([CODE, KIND, STAR].flatMap(opsOf), ['distinct', 'distinct', 'distinct'])
  assert.deepEqual(opsOf(DAY), ['min', 'max', 'distinct'])
  assert.deepEqual(columnFrom('avg:mass', ALL), { askable: MASS, op: 'avg', text: 'avg:mass' })
  for (const text of ['avg:kind', 'sum:discoveryYear', 'avg:nothing', 'mass', ''])
    assert.equal(columnFrom(text, ALL), undefined, text)
})

test('the proposed key divides the list best, and is a time if no property divides it', () => {
  const proposed = (facets: Record<string, Facet>) => proposedKey(ALL, new Map(Object.entries(facets)))
  // Nearly all have the same kind, and the stars divide them.
  assert.equal(proposed({ kind: values(100, 98, 2), star: values(100, 40, 30, 20) }), 'star')
  assert.equal(proposed({ kind: values(100, 60, 40), star: values(100, 1, 1, 1) }), 'kind')
  // Values of lists may add up to more than the entities.
  assert.equal(proposed({ kind: values(100, 98, 90), star: values(100, 60, 40) }), 'star')
  assert.equal(proposed({ kind: values(100, 2, 1), star: values(5, 3, 2) }), 'discoveryYear')
  assert.equal(proposedKey([CODE], new Map()), 'postcode')
  assert.equal(proposedKey([], new Map()), undefined)
})

test('bins are in order of their keys, and values in that of the last measure or of the count', () => {
  const columns = ['max:mass', 'avg:mass'].map((text) => columnFrom(text, ALL) as never)
  assert.equal(orderOf(undefined, [by(YEAR, '10')], columns), 'key')
  assert.equal(orderOf(undefined, [by(YEAR)], []), 'key')
  assert.equal(orderOf(undefined, [by(KIND)], []), '-count')
  assert.equal(orderOf(undefined, [by(KIND)], columns), '-avg:mass')
  assert.equal(orderOf(undefined, [by(KIND), by(STAR)], columns), 'key')
  assert.equal(orderOf('max:mass', [by(KIND)], columns), 'max:mass')
  assert.equal(orderOf('-sum:mass', [by(KIND)], columns), '-avg:mass')
})

test('groups and measures are asked for with the kinds of their properties', () => {
  const columns = [columnFrom('avg:mass', ALL) as never]
  assert.deepEqual(groupsAsked([by(YEAR, '10'), by(DAY, 'month')], columns, '-avg:mass'), {
    group: [
      { property: 'discoveryYear', kind: 'number', width: 10 },
      { property: 'launched', kind: 'text', unit: 'month' },
    ],
    measures: [{ op: 'avg', property: 'mass', kind: 'number' }],
    groupSort: ['-avg:mass'],
  })
  assert.deepEqual(groupsAsked([], [], 'key'), {})
  const nested = { ...KIND, key: '["a.b","c"]' }
  assert.deepEqual(groupsAsked([by(nested)], [], 'key')['group'], [{ property: ['a.b', 'c'], kind: 'text' }])
})

test('a group leads to the entities of its bin, whose end is excluded', () => {
  const range = (key: string, from: string, to: string) => ({ is: 'range', key, from, to })
  assert.deepEqual(filterOf(1990, by(YEAR, '10')), range('discoveryYear', '1990', '1999'))
  assert.deepEqual(filterOf(1990, by(YEAR, '2.5')), {
    ...range('discoveryYear', '1990', '1992.5'),
    isBelow: true,
  })
  assert.deepEqual(filterOf(10, by(MASS, '5')), { ...range('mass', '10', '15'), isBelow: true })
  assert.deepEqual(filterOf(0.1, by(MASS, '0.2')), { ...range('mass', '0.1', '0.3'), isBelow: true })
  assert.deepEqual(filterOf('2000-02-01', by(DAY, 'month')), range('launched', '2000-02-01', '2000-02-29'))
  assert.deepEqual(
    filterOf('2001-10-01', by(SEEN, 'quarter')),
    range('seen', '2001-10-01T00:00:00.000Z', '2001-12-31T23:59:59.999Z'),
  )
  assert.deepEqual(
    filterOf('2001-10-01T05:00:00Z', by(SEEN, 'hour')),
    range('seen', '2001-10-01T05:00:00.000Z', '2001-10-01T05:59:59.999Z'),
  )
  assert.deepEqual(rangeOf('2001-12-31', by(DAY, 'week')), [Date.UTC(2001, 11, 31), Date.UTC(2002, 0, 7)])
})

test('a group leads to the entities with its value, or without a value', () => {
  const any = (key: string, value: string) => ({ is: 'any', key, values: [value] })
  assert.deepEqual(filterOf('rocky', by(KIND)), any('kind', 'rocky'))
  assert.deepEqual(filterOf({ type: 's:star', id: 'sun' }, by(STAR)), any('star', 's:star/sun'))
  assert.deepEqual(filterOf(1990, by(YEAR)), any('discoveryYear', '1990'))
  assert.deepEqual(filterOf(null, by(YEAR, '10')), { is: 'none', key: 'discoveryYear' })
  const asked = askedOf({ key: ['rocky', null] }, NOTHING_ASKED, [by(KIND), by(MASS, '5')])
  assert.deepEqual(conditionOf(asked?.filters ?? [], ALL), {
    op: 'and',
    args: [
      { op: '=', args: [{ property: 'kind' }, 'rocky'] },
      { op: 'isNull', args: [{ property: 'mass' }] },
    ],
  })
})

test('a group narrows the filters of its list, and has no link if an address cannot', () => {
  const years = { is: 'range', key: 'discoveryYear', from: '1995', to: '' } as const
  const kinds = { is: 'any', key: 'kind', values: ['rocky', 'icy'] } as const
  const asked = { ...NOTHING_ASKED, text: 'x', filters: [years, kinds] }
  const narrowed = askedOf({ key: [1990, 'icy'] }, asked, [by(YEAR, '10'), by(KIND)])
  assert.equal(narrowed?.text, 'x')
  assert.deepEqual(narrowed?.filters, [
    years,
    { is: 'range', key: 'discoveryYear', from: '1990', to: '1999' },
    { is: 'any', key: 'kind', values: ['icy'] },
  ])
  assert.equal(askedOf({ key: ['gas'] }, asked, [by(KIND)]), undefined)
  assert.equal(askedOf({ key: [''] }, NOTHING_ASKED, [by(KIND)]), undefined)
})

test('years, dates and instants are times', () => {
  assert.deepEqual(ALL.filter(isTimed), [YEAR, DAY, SEEN])
})
