import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { openMoons } from '../moons.fixture.ts'
import { choose, field, show, startPage, texts } from '../page.fixture.ts'

startPage()
const { orderOf } = await import('./list-order.ts')
const { OrderChoice } = await import('./order-choice.tsx')
const { askables } = await openMoons({
  asks: {
    'f:moon': [
      { property: 'radiusKm', kinds: ['number'] },
      { property: `x${'y'.repeat(80)}`, kinds: ['text'] },
    ],
  },
})

function showChoice(asked: Partial<Asked>) {
  const taken: Asked[] = []
  const order = orderOf({ ...NOTHING_ASKED, ...asked }, askables, (one) => void taken.push(one))
  show(h(OrderChoice, { order }))
  return { box: field<HTMLSelectElement>('Order'), taken }
}

test('the menu offers sorting by id, by time, and by each property in both directions', () => {
  const { box, taken } = showChoice({ sort: '-radiusKm' })
  const long = `X${'y'.repeat(59)}`
  assert.deepEqual(texts('option'), [
    'by id',
    'Created: newest first',
    'Changed: newest first',
    'Title ↑',
    'Title ↓',
    'Radius ↑',
    'Radius ↓',
    `${long} ↑`,
    `${long} ↓`,
  ])
  assert.equal(box.value, '-radiusKm')
  choose(box, '-createdAt')
  assert.equal(taken[0]?.sort, '-createdAt')
})

test("the menu lists 'nearest first' only while the list is sorted by distance", () => {
  const { box } = showChoice({ near: { key: 'site', place: { latitude: 1, longitude: 2 } }, sort: 'title' })
  assert.equal(texts('option')[0], 'nearest first')
  assert.equal(box.selectedOptions[0]?.textContent, 'nearest first')
})
