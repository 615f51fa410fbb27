import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from '@worldwright/extensions/views'
import { h } from 'preact'
import { openMoons } from '../moons.fixture.ts'
import { choose, field, find, get, press, show, startPage } from '../page.fixture.ts'
import type { Facet } from '../question/question.ts'

startPage()
const { RangeFilter } = await import('./range-filter.tsx')
const { askable } = await openMoons()

/** Shows the filter of a property. Filters that it sets are appended to `taken`. */
function showFilter(key: string, facet?: Partial<Facet>, filter?: Filter) {
  const taken: Filter[] = []
  const whole = facet && { present: 5, buckets: [], more: false, partial: false, ...facet }
  const props = { type: 'f:moon', askable: askable(key), facet: whole, filter }
  show(h(RangeFilter, { ...props, onFilter: (one) => void taken.push(one) }))
  return taken
}

const RADII: Partial<Facet> = {
  minimum: 0.075,
  maximum: 2634.1,
  buckets: [
    { from: 0, to: 1000, count: 4 },
    { from: 1000, to: 2000, count: 2 },
    { from: 2000, to: 3000, count: 1 },
  ],
}
const inside = () => [...document.querySelectorAll('g')].map((bar) => bar.getAttribute('class') === 'in')

test('the boxes for the bounds are below a histogram of the existing values', () => {
  const taken = showFilter('radiusKm', RADII)
  assert.equal(get('svg').getAttribute('aria-label'), 'Radius: how many there are from 0.075 to 2,634')
  const [from, to] = [field('Radius: from'), field('Radius: to')]
  assert.deepEqual([from.type, from.placeholder, to.placeholder], ['number', '0.075', '2,634'])
  choose(from, '2000')
  choose(to, '')
  assert.deepEqual(taken, [
    { is: 'range', key: 'radiusKm', from: '2000', to: '' },
    { is: 'range', key: 'radiusKm', from: '', to: '' },
  ])
})

test('clicking a bar sets both bounds, and bars within the bounds are marked', () => {
  const taken = showFilter('radiusKm', RADII)
  press(document.querySelectorAll('g')[1] as Element)
  assert.deepEqual(taken, [{ is: 'range', key: 'radiusKm', from: '1000', to: '2000' }])
  assert.deepEqual(inside(), [true, true, true])
  showFilter('radiusKm', RADII, { is: 'range', key: 'radiusKm', from: '1000', to: '' })
  assert.deepEqual(inside(), [false, true, true])
  showFilter('radiusKm', RADII, { is: 'range', key: 'radiusKm', from: '', to: '999' })
  assert.deepEqual(inside(), [true, false, false])
  assert.equal(field('Radius: to').value, '999')
})

test('times are entered as days and compared as strings', () => {
  const buckets = [
    { from: '1600-01-01T00:00:00Z', to: '1700-01-01T00:00:00Z', count: 1 },
    { from: '1700-01-01T00:00:00Z', to: '1800-01-01T00:00:00Z', count: 1 },
  ]
  const filter = { is: 'range', key: 'discovered', from: '1750-05-05T00:00:00Z', to: '' } as const
  showFilter('discovered', { minimum: '1610-01-07T00:00:00Z', buckets }, filter)
  const box = field('Discovered: from')
  assert.deepEqual([box.type, box.value, box.placeholder], ['date', '1750-05-05', '1610-01-07'])
  assert.deepEqual(inside(), [false, true])
})

test('no histogram is shown if counts are missing or there is only one bar', () => {
  showFilter('radiusKm')
  assert.equal(find('svg'), undefined)
  assert.equal(field('Radius: from').placeholder, 'from')
  showFilter('radiusKm', { buckets: [{ from: 1, to: 2, count: 5 }] })
  assert.equal(find('svg'), undefined)
})

test('an excluded end stays until it is changed', () => {
  const taken = showFilter('radiusKm', RADII, {
    is: 'range',
    key: 'radiusKm',
    from: '1',
    to: '2',
    isBelow: true,
  })
  choose(field('Radius: from'), '0')
  choose(field('Radius: to'), '3')
  assert.deepEqual(taken, [
    { is: 'range', key: 'radiusKm', from: '0', to: '2', isBelow: true },
    { is: 'range', key: 'radiusKm', from: '1', to: '3' },
  ])
})
