import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from '@worldwright/extensions/views'
import { h } from 'preact'
import { openMoons, refTo } from '../moons.fixture.ts'
import { field, find, get, press, show, shown, startPage, texts } from '../page.fixture.ts'
import type { Bucket, Facet } from '../question/question.ts'

startPage()
const { isGrouping, ValueFilter, ValueName } = await import('./value-filter.tsx')
const { askable, within } = await openMoons()

const facetOf = (present: number, buckets: Bucket[], more = false): Facet => ({
  present,
  buckets,
  more,
  partial: false,
})

function showFilter(key: string, facet?: Facet, values: readonly string[] = []) {
  const taken: Filter[] = []
  const filter = values.length === 0 ? undefined : ({ is: 'any', key, values } as const)
  const onFilter = (one: Filter) => void taken.push(one)
  show(within(h(ValueFilter, { type: 'f:moon', askable: askable(key), facet, filter, onFilter })))
  return taken
}

const KINDS = facetOf(10, [
  { value: 'icy', count: 7 },
  { value: 'rocky', count: 2 },
])

test('each value shows its count and its share of the entities with a value', () => {
  showFilter('kind', KINDS)
  assert.deepEqual(texts('label'), ['icy7 70%', 'rocky2 20%'])
  assert.deepEqual(texts('.hint'), ['Percentages are of those that have a value.'])
  const meters = [...document.querySelectorAll('meter')]
  assert.deepEqual(
    meters.map((meter) => [meter.getAttribute('max'), meter.getAttribute('value')]),
    [
      ['7', '7'],
      ['7', '2'],
    ],
  )
})

test('values are toggled individually, and a selected value stays listed even if it is infrequent', () => {
  const taken = showFilter('kind', KINDS, ['icy', 'dusty'])
  assert.deepEqual(texts('.value-name'), ['icy', 'rocky', 'dusty'])
  assert.deepEqual(
    [...document.querySelectorAll('input')].map((box) => box.checked),
    [true, false, true],
  )
  press(field(/^rocky/))
  press(field(/^icy/))
  assert.deepEqual(taken, [
    { is: 'any', key: 'kind', values: ['icy', 'dusty', 'rocky'] },
    { is: 'any', key: 'kind', values: ['dusty'] },
  ])
})

test('a property without values shows a hint once its counts arrive', () => {
  showFilter('kind', facetOf(0, []))
  assert.deepEqual(texts('.hint'), ['No values'])
  showFilter('kind')
  assert.deepEqual(texts('.hint'), [])
})

test('if there are more values, a text property has a search box and any other property a hint', () => {
  const taken = showFilter('kind', facetOf(10, [{ value: 'icy', count: 7 }], true), ['dusty'])
  const box = get<HTMLInputElement>('input[type=text]', 'Kind: another value')
  for (const value of ['rocky', 'dusty']) {
    box.value = value
    box.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  }
  assert.deepEqual(taken, [{ is: 'any', key: 'kind', values: ['dusty', 'rocky'] }])
  showFilter('orbits', facetOf(10, [{ value: refTo('saturn'), count: 7 }], true))
  assert.equal(find('input[type=text]'), undefined)
  assert.ok(texts('.hint').includes('These are the most frequent.'))
})

test('a reference is shown as the title of its target, and any other value as text', async () => {
  const name = (key: string, value: string) => show(within(h(ValueName, { value, askable: askable(key) })))
  name('orbits', 'f:planet/saturn')
  await shown('Saturn')
  name('orbits', 'no reference')
  await shown('no reference')
  name('retrograde', 'true')
  assert.equal(document.body.textContent, 'yes')
  name('kind', '')
  assert.equal(document.body.textContent, '""')
  name('kind', '<b>\u202e')
  assert.equal(document.body.textContent, '<b>U+202E')
})

test('values form groups if some are shared and the listed values cover enough entities', () => {
  assert.equal(isGrouping(KINDS), true)
  assert.equal(
    isGrouping(
      facetOf(2, [
        { value: 'a', count: 1 },
        { value: 'b', count: 1 },
      ]),
    ),
    false,
  )
  assert.equal(isGrouping(facetOf(1_000, [{ value: 'a', count: 2 }])), false)
  assert.equal(isGrouping(facetOf(100, [{ value: 'a', count: 3 }])), true)
  assert.equal(isGrouping(facetOf(0, [])), false)
})
