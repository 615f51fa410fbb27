import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { choose, field, show, startPage, texts } from '../page.fixture.ts'

startPage()
const { Select } = await import('./select.tsx')

test('the box offers the choices, shows the current choice and reports a new choice', () => {
  const chosen: string[] = []
  const props = {
    class: 'order',
    label: 'Order',
    choices: [
      ['', 'by id'],
      ['-radiusKm', 'Radius ↓'],
    ] as const,
    chosen: '-radiusKm',
    onChoose: (value: string) => void chosen.push(value),
  }
  show(h(Select<string>, props))
  const box = field<HTMLSelectElement>('Order')
  assert.deepEqual(texts('option'), ['by id', 'Radius ↓'])
  assert.equal(box.value, '-radiusKm')
  assert.equal(box.className, 'field small')
  choose(box, '')
  assert.deepEqual(chosen, [''])
  show(h(Select<string>, { ...props, isLarge: true }))
  assert.equal(field('Order').className, 'field')
})
