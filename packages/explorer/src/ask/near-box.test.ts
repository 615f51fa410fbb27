import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Place } from '@worldwright/extensions/shown'
import { h } from 'preact'
import { choose, field, find, get, show, startPage, textOf } from '../page.fixture.ts'

startPage()
const { NearBox } = await import('./near-box.tsx')

test('the box accepts a point in degrees and reports an invalid point', () => {
  const taken: (Place | undefined)[] = []
  const box = (place?: Place) => show(h(NearBox, { place, onPlace: (point) => void taken.push(point) }))
  box()
  const input = field('Nearest to: latitude, longitude')
  assert.equal(input.value, '')
  choose(input, 'nowhere')
  assert.equal(textOf(get('[role=alert]')), 'Two numbers of degrees, such as 48.86, 2.35')
  assert.equal(input.getAttribute('aria-describedby'), get('[role=alert]').id)
  choose(input, '91, 0')
  assert.deepEqual(taken, [])
  choose(input, '42.4° S, 70.5° E')
  assert.deepEqual(taken, [{ latitude: -42.4, longitude: 70.5 }])
  assert.equal(find('[role=alert]'), undefined)
  box({ latitude: -42.4, longitude: 70.5 })
  assert.equal(input.value, '-42.4,70.5')
  choose(input, 'nowhere')
  get('[role=alert]')
  box({ latitude: 1, longitude: 2 })
  assert.equal(find('[role=alert]'), undefined)
  choose(input, '  ')
  assert.deepEqual(taken.slice(1), [undefined])
})
