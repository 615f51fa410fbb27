import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { openMoons } from '../moons.fixture.ts'
import { startPage } from '../page.fixture.ts'

startPage()
const { orderOf, sortPressed } = await import('./list-order.ts')
const { askables } = await openMoons()

const near = { key: 'site', place: { latitude: 1, longitude: 2 } }

test('a list can be sorted by title and by single values, but not by references or locations', () => {
  const { fields, sort, isNearest } = orderOf({ ...NOTHING_ASKED, sort: '-radiusKm' }, askables, () => {})
  assert.deepEqual(
    fields.map(({ key, label }) => `${key} ${label}`),
    ['title Title', 'radiusKm Radius', 'kind Kind', 'discovered Discovered', 'retrograde Retrograde'],
  )
  assert.deepEqual([sort, isNearest], ['-radiusKm', false])
})

test('choosing a sort order replaces the distance sort and keeps the filters', () => {
  const asked: Asked[] = []
  const order = orderOf({ ...NOTHING_ASKED, text: 'ice', near }, askables, (one) => void asked.push(one))
  assert.deepEqual([order.sort, order.isNearest], ['', true])
  order.onOrder('title')
  assert.deepEqual(asked, [{ text: 'ice', filters: [], cql: '', sort: 'title' }])
})

test('pressing a header cycles through ascending, descending and id order', () => {
  const order = (sort: string) => orderOf({ ...NOTHING_ASKED, sort }, askables, () => {})
  assert.equal(sortPressed('title', order('')), 'title')
  assert.equal(sortPressed('title', order('title')), '-title')
  assert.equal(sortPressed('title', order('-title')), '')
  assert.equal(sortPressed('title', order('-kind')), 'title')
})
