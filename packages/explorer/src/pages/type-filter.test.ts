import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { field, find, get, press, show, startPage, texts } from '../page.fixture.ts'

startPage()
const { route } = await import('../navigation/navigation.ts')
const { TypeFilter } = await import('./type-filter.tsx')

/** Renders the type filter of a search. `types` are the selected types. */
async function showFilter(
  entityTypes: readonly string[],
  counts?: Record<string, number>,
  types: readonly string[] = [],
) {
  const { within, origin } = await openFake({ document: { entityTypes } })
  const props = { route: { page: 'search', origin, text: 'ice', types, limit: 100 } as const, counts }
  show(within(h(TypeFilter, props)))
  return origin
}

test('each type shows its number of matches, and types without matches are marked', async () => {
  await showFilter(['a:moon', 'a:comet'], { 'a:moon': 1_200, 'b:star': 2 })
  assert.deepEqual(texts('label'), ['Moon1,200', 'Comet0', 'Star2'])
  const none = [...document.querySelectorAll('label')].map(({ classList }) => classList.contains('none'))
  assert.deepEqual(none, [false, true, false])
  await showFilter(['a:moon', 'a:comet'])
  assert.deepEqual(texts('label'), ['Moon', 'Comet'])
})

test('a type name such as `constructor` does not affect the counts', async () => {
  await showFilter(['a:moon', 'a:constructor'], JSON.parse('{"__proto__":5}'))
  assert.deepEqual(texts('.count'), ['0', '0', '5'])
})

test('selecting or deselecting a type resets the number of results', async () => {
  const origin = await showFilter(['a:moon', 'a:comet'], undefined, ['a:comet'])
  assert.equal(field('Comet').checked, true)
  press(field('Moon'))
  const search = { page: 'search', origin, text: 'ice', limit: undefined }
  assert.deepEqual(route.value, { ...search, types: ['a:comet', 'a:moon'] })
  press(field('Comet'))
  assert.deepEqual(route.value, { ...search, types: [] })
  press(field('Moon'))
  press(get('button', 'Show all types'))
  assert.deepEqual(route.value, { ...search, types: [] })
})

test('a world with one type has a filter only if a type is selected', async () => {
  await showFilter(['a:moon'])
  assert.equal(document.body.innerHTML, '')
  await showFilter([], undefined, ['a:moon'])
  assert.deepEqual(texts('label'), ['Moon'])
})

test('the types with the most matches are shown initially, and all types on request', async () => {
  const types = Array.from({ length: 60 }, (_, index) => `a:t${index}`)
  await showFilter(types, { 'a:t50': 5 }, ['a:t59'])
  assert.equal(texts('label').length, 13)
  assert.equal(field(/^T50/).type, 'checkbox')
  press(get('button', 'All 60 types'))
  assert.equal(texts('label').length, 60)
  assert.equal(find('button', 'All 60 types'), undefined)
})

test('types that share a title are distinguished by their type names', async () => {
  await showFilter(['a:book', 'b:book', 'a:film'])
  assert.deepEqual(texts('.filter-name'), ['Book a:book', 'Book b:book', 'Film'])
})
