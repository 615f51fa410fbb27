import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { refusal } from '../fake-world.fixture.ts'
import { openMoons } from '../moons.fixture.ts'
import { get, idle, press, show, shown, startPage, texts, until } from '../page.fixture.ts'

startPage()
const { RefineTypes } = await import('./refine-types.tsx')

const FACETS: Readonly<Record<string, object>> = {
  kind: {
    present: 20,
    buckets: ['icy', 'rocky', 'c', 'd', 'e', 'f', 'g'].map((value, index) => ({ value, count: 9 - index })),
  },
  orbits: {
    present: 20,
    buckets: [
      { value: { type: 'f:planet', id: 'saturn' }, count: 9 },
      { value: { type: 'f:planet', id: 'mars' }, count: 2 },
    ],
  },
  // All entities have the same value.
  retrograde: { present: 20, buckets: [{ value: true, count: 20 }] },
}

const answer = ({ input }: { input: object }) => {
  const { facets } = input as { facets: { property: string }[] }
  return { output: { entities: [], facets: facets.map(({ property }) => FACETS[property] ?? {}) } }
}

const unfold = () => press(get('summary', 'Filter, sort and count these'))
const hrefs = () => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))

test('values are counted only once the section is opened', async () => {
  const { within, asked } = await openMoons({ answers: { 'actions/worldwright:query': answer } })
  show(within(h(RefineTypes, { counts: { 'f:moon': 122 }, text: 'ocean' })))
  await idle()
  assert.deepEqual([asked, texts('a')], [[], []])
})

test('each type links to its list, with the search text and optionally a frequent value', async () => {
  const { within, origin } = await openMoons({ answers: { 'actions/worldwright:query': answer } })
  show(within(h(RefineTypes, { counts: { 'f:planet': 8, 'f:moon': 122 }, text: 'ocean' })))
  unfold()
  await shown('Saturn')
  assert.deepEqual(texts('li > a'), ['Moon 122', 'Planet 8'])
  assert.deepEqual(texts('p.soft'), [
    'Kind: icy 9 · rocky 8 · c 7 · d 6 · e 5 · f 4',
    'Orbits: Saturn 9 · mars 2',
  ])
  const list = `#/w/${encodeURIComponent(origin)}/t/f%3Amoon?text=ocean`
  assert.equal(hrefs()[0], list)
  assert.equal(hrefs()[1], `${list}&is.kind=icy`)
  assert.equal(hrefs()[7], `${list}&is.orbits=f%3Aplanet%2Fsaturn`)
})

test('a property with a single value is not offered', async () => {
  const same = { present: 20, buckets: [{ value: 'icy', count: 20 }] }
  const answers = {
    'actions/worldwright:query': { output: { entities: [], facets: [same, FACETS['orbits']] } },
  }
  const { within } = await openMoons({ answers })
  show(within(h(RefineTypes, { counts: { 'f:moon': 20 }, text: '' })))
  unfold()
  await shown('Orbits: ')
  assert.equal(texts('p.soft').length, 1)
})

test('the five types with the most matches are shown, with type names if titles collide', async () => {
  const { within } = await openMoons({ answers: { 'actions/worldwright:query': answer } })
  const counts = { 'a:x': 1, 'b:x': 2, 'a:y': 3, 'a:z': 4, 'a:v': 5, 'a:w': 6 }
  show(within(h(RefineTypes, { counts, text: '' })))
  unfold()
  await until(() => texts('li').length > 0)
  assert.deepEqual(texts('li > a'), ['W 6', 'V 5', 'Z 4', 'Y 3', 'X b:x 2'])
})

test('the link to the list remains if counting fails', async () => {
  const { within } = await openMoons({
    answers: { 'actions/worldwright:query': refusal(500, 'internal_error') },
  })
  show(within(h(RefineTypes, { counts: { 'f:moon': 122 }, text: '' })))
  unfold()
  await shown('The world has a fault')
  get('a', 'Moon 122')
})
