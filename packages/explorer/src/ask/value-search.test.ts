import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openMoons } from '../moons.fixture.ts'
import { get, idle, key, show, startPage, type, until } from '../page.fixture.ts'

startPage()
const { ValueSearch } = await import('./value-search.tsx')

/** Shows the search box for kinds of moons in a world with these values. */
async function showBox(...values: string[]) {
  const buckets = values.map((value) => ({ value, count: 1 }))
  const { within, asked, askable } = await openMoons({
    answers: { 'actions/worldwright:query': { output: { entities: [], facets: [{ buckets }] } } },
  })
  const taken: string[] = []
  const props = {
    type: 'f:moon',
    askable: askable('kind'),
    onValue: (value: string) => void taken.push(value),
  }
  show(within(h(ValueSearch, props)))
  const box = get<HTMLInputElement>('input', 'Kind: another value')
  const suggested = () => [...document.querySelectorAll('option')].map((option) => option.value)
  return { box, asked, taken, suggested }
}

test('values with the typed prefix are suggested from the second character on', async () => {
  const { box, asked, suggested } = await showBox('icy', 'icy and dusty', 'dusty, icy')
  type(box, 'i')
  await idle()
  assert.deepEqual(asked, [])
  type(box, 'ic')
  await until(() => suggested().length > 0)
  // The third value belongs to an entity with several values.
  assert.deepEqual(suggested(), ['icy', 'icy and dusty'])
  assert.deepEqual(asked, [
    'actions/worldwright:query {"types":["f:moon"],"where":{"op":"like","args":[{"property":"kind"},"ic%"]},"facets":[{"property":"kind","kind":"text","limit":24}],"limit":0}',
  ])
})

test('wildcard characters are not sent', async () => {
  const { box, asked } = await showBox('icy')
  type(box, 'i%_c')
  await until(() => asked.length > 0)
  assert.match(asked[0] ?? '', /"ic%"/)
})

test('choosing a suggestion or pressing Enter accepts the value and clears the box', async () => {
  const { box, taken, suggested } = await showBox('icy and dusty', 'icy')
  type(box, 'ic')
  await until(() => suggested().length === 2)
  type(box, 'icy and dusty')
  assert.deepEqual([taken, box.value], [['icy and dusty'], ''])
  type(box, ' new one ')
  key(box, 'Enter')
  assert.deepEqual(taken, ['icy and dusty', 'new one'])
  key(box, 'Enter')
  assert.equal(taken.length, 2)
})

test('a suggestion that is typed letter by letter is accepted only on Enter', async () => {
  const { box, taken, suggested } = await showBox('icy')
  type(box, 'ic')
  await until(() => suggested().length === 1)
  type(box, 'icy')
  assert.deepEqual([taken, box.value], [[], 'icy'])
})

test('at most twelve values are suggested', async () => {
  const { box, suggested } = await showBox(...Array.from({ length: 20 }, (_, index) => `icy ${index}`))
  type(box, 'icy')
  await until(() => suggested().length > 0)
  assert.equal(suggested().length, 12)
})
