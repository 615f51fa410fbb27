import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { openMoons } from '../moons.fixture.ts'
import { find, get, press, show, shown, startPage, texts } from '../page.fixture.ts'

startPage()
const { FilterChips } = await import('./filter-chips.tsx')
const { askables, within } = await openMoons()

/** Shows the chips of a question. Questions that result from clicks are appended to `taken`. */
function showChips(asked: Partial<Asked>) {
  const taken: Asked[] = []
  const onAsked = (one: Asked) => void taken.push(one)
  show(within(h(FilterChips, { asked: { ...NOTHING_ASKED, ...asked }, askables, onAsked })))
  return taken
}

const ALL: Partial<Asked> = {
  text: 'ocean',
  sort: '-radiusKm',
  cql: 'radiusKm > 1',
  near: { key: 'site', place: { latitude: 18.65, longitude: -133.8 } },
  filters: [
    { is: 'any', key: 'orbits', values: ['f:planet/saturn', 'f:planet/jupiter'] },
    { is: 'range', key: 'radiusKm', from: '1000', to: '' },
    { is: 'box', key: 'site', box: [170, -20, -170, 20] },
    { is: 'any', key: 'constructor', values: ['<b>\u202e'] },
  ],
}

test('a question without filters has no chips, even with a sort order', () => {
  showChips({ sort: 'radiusKm' })
  assert.equal(document.body.innerHTML, '')
})

test('each condition is a chip, and a reference is shown as its title', async () => {
  showChips(ALL)
  await shown('Saturn or Jupiter')
  assert.deepEqual(texts('.chip'), [
    'Remove the filter: “ocean”',
    'Remove the filter: Orbits = Saturn or Jupiter',
    'Remove the filter: Radius ≥ 1,000 km',
    'Remove the filter: Place 20° S, 170° E – 20° N, 170° W',
    'Remove the filter: Constructor = <b>U+202E',
    'Remove the filter: Radius > 1',
    'Remove the filter: Nearest to 18.65° N, 133.8° W',
  ])
  assert.equal(find('b'), undefined)
})

test('clicking a chip removes only its condition', () => {
  const taken = showChips(ALL)
  const whole = { ...NOTHING_ASKED, ...ALL }
  for (const chip of document.querySelectorAll('.chip')) press(chip)
  assert.deepEqual(taken, [
    { ...whole, text: '' },
    { ...whole, filters: whole.filters.slice(1) },
    { ...whole, filters: whole.filters.toSpliced(1, 1) },
    { ...whole, filters: whole.filters.toSpliced(2, 1) },
    { ...whole, filters: whole.filters.toSpliced(3, 1) },
    { ...whole, cql: '' },
    { ...whole, near: undefined },
  ])
})

test('several conditions on a property are chips of their own, and so is the absence of a value', () => {
  const range = { is: 'range', key: 'radiusKm', to: '' } as const
  const filters = [
    { ...range, from: '1' },
    { ...range, from: '2' },
    { is: 'none', key: 'kind' },
  ] as const
  const taken = showChips({ filters })
  assert.deepEqual(texts('.chip'), [
    'Remove the filter: Radius ≥ 1 km',
    'Remove the filter: Radius ≥ 2 km',
    'Remove the filter: Kind = no value',
  ])
  press(get('.chip', 'Remove the filter: Radius ≥ 2 km'))
  assert.deepEqual(taken[0]?.filters, [filters[0], filters[2]])
})

test('the remove-all button keeps the sort order and is absent for a single filter', () => {
  const taken = showChips(ALL)
  press(get('button', 'Remove all filters'))
  assert.deepEqual(taken, [{ text: '', filters: [], cql: '', sort: '-radiusKm' }])
  showChips({ text: 'ocean' })
  assert.equal(find('button', 'Remove all filters'), undefined)
})
