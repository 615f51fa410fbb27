import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { get, press, show, startPage, texts } from '../page.fixture.ts'

startPage()
const { Bars } = await import('./bars.tsx')

const BUCKETS = [
  { from: 0, to: 10, count: 400 },
  { from: 10, to: 20, count: 100 },
  { from: 20, to: 30, count: 0 },
  { from: 30, to: 40, count: 1 },
]
const heights = () =>
  [...document.querySelectorAll('rect:not(.room)')].map((bar) =>
    Number(Number(bar.getAttribute('height')).toFixed(6)),
  )

test('bar heights are proportional to the counts, and a bar for one entity is visible', () => {
  show(h(Bars, { buckets: BUCKETS, label: 'Radius from 0 to 40' }))
  assert.deepEqual(heights(), [24, 6, 0, 1])
  assert.equal(get('svg').getAttribute('aria-label'), 'Radius from 0 to 40')
  assert.deepEqual(texts('title'), ['0 – 10: 400', '10 – 20: 100', '20 – 30: 0', '30 – 40: 1'])
  assert.equal(document.querySelectorAll('.in').length, 4)
  show(h(Bars, { buckets: [{ count: 10_000 }, { count: 1 }], label: 'x' }))
  assert.deepEqual(heights(), [24, 1])
})

test('a bar with a count of zero has no height', () => {
  show(h(Bars, { buckets: [{ from: 0, to: 1, count: 0 }], label: 'x' }))
  assert.deepEqual(heights(), [0])
})

test('clicking a bar reports its range, and selected bars are marked', () => {
  const pressed: unknown[] = []
  const isIn = ({ from }: { from?: unknown }) => from === 10
  show(h(Bars, { buckets: BUCKETS, label: 'x', isIn, onBucket: (bucket) => void pressed.push(bucket.from) }))
  const bars = [...document.querySelectorAll('g')]
  assert.deepEqual(
    bars.map((bar) => bar.getAttribute('class')),
    ['', 'in', '', ''],
  )
  press(bars[3] as Element)
  assert.deepEqual(pressed, [30])
})
