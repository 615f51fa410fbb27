import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import type { Answer } from '../fake-world.fixture.ts'
import { find, get, idle, press, show, shown, startPage, textOf, texts } from '../page.fixture.ts'
import { NAMED, openBridges } from './bridges.fixture.ts'

startPage()
const { route } = await import('../navigation/navigation.ts')
const { AnswerLine } = await import('./answer-line.tsx')

const bridge = (title: string, lengthM?: number) => ({
  type: 'b:bridge',
  id: title.toLowerCase(),
  title,
  attributes: lengthM === undefined ? {} : { lengthM },
})

/** Opens the world, whose queries get `output`, and shows the answer to `text` above `hits`. */
async function opened(text: string, output: object, hits: readonly object[] = []) {
  const queries: unknown[] = []
  const query: Answer = ({ input }) => {
    // A query with text looks a value up.
    if (input['text'] !== undefined) return { output: {} }
    queries.push(input)
    return { output }
  }
  const elde = { output: { entities: NAMED.filter(({ id }) => id === 'elde') } }
  const fake = await openBridges({
    answers: { 'actions/wp:discover': elde, 'actions/worldwright:query': query },
  })
  const found = { entities: hits, total: hits.length } as never
  show(fake.within(h(AnswerLine, { text, output: found })))
  return {
    ...fake,
    queries,
    again: (next: string) => show(fake.within(h(AnswerLine, { text: next, output: found }))),
  }
}

test('a superlative is answered with the first entity and its value, and with those that share it', async () => {
  const entities = [bridge('Ada', 90), bridge('Bo', 90), bridge('Cy', 20)]
  const { queries } = await opened('longest bridge', { entities, total: 3 })
  await shown('Ada')
  assert.deepEqual(texts('.answer > ul > li'), ['Ada 90 m', 'Bo 90 m'])
  assert.equal(textOf(get('.answer p')), 'Bridge · Length ↓3 results')
  const facets = [{ property: 'lengthM', kind: 'number', limit: 1 }]
  assert.deepEqual(queries, [{ types: ['b:bridge'], sort: ['-lengthM'], limit: 12, facets }])
})

test('a superlative is not answered if most entities have no value', async () => {
  const output = (present: number) => ({ entities: [bridge('Ada', 90)], total: 4, facets: [{ present }] })
  const { again } = await opened('longest bridge', output(1))
  await idle()
  assert.equal(find('.answer'), undefined)
  again('longest closed bridge')
  await idle()
  assert.equal(find('.answer'), undefined)
  await opened('longest bridge', output(2))
  await shown('Ada')
})

test('entities without a value are no answer to a superlative', async () => {
  await opened('longest bridge', { entities: [bridge('Ada')], total: 1 })
  await shown('Bridge')
  assert.deepEqual(texts('.answer > ul > li'), [])
})

test('a count is answered with the number, and its conditions are chips that lead to the list', async () => {
  const { queries, origin } = await opened('how many tolled bridges of the Elde', { entities: [], total: 7 })
  await shown('7 results')
  assert.deepEqual(
    queries.map((one) => (one as { limit: number }).limit),
    [0],
  )
  const chips = texts('.chip')
  assert.equal(chips.length, 2)
  assert.match(chips[0] ?? '', /Tolled = yes/)
  assert.match(chips[1] ?? '', /Crosses = /)
  press(get('.chip'))
  const filters = [{ is: 'any', key: 'crosses', values: ['b:river/elde'] }]
  const { page, asked, ...at } = route.value as never as Record<string, unknown>
  assert.deepEqual([page, at['origin'], at['type']], ['list', origin, 'b:bridge'])
  assert.deepEqual((asked as { filters: unknown }).filters, filters)
})

test('groups are answered with the first of them, and the link leads to their summary', async () => {
  const groups = [
    { key: ['open'], count: 5, measures: [] },
    { key: ['closed'], count: 2, measures: [] },
  ]
  const { queries } = await opened('bridges per status', { entities: [], total: 7, groups, groupsTotal: 2 })
  await shown('closed')
  assert.deepEqual(texts('.answer > ul > li'), ['open 5', 'closed 2'])
  assert.match(get<HTMLAnchorElement>('.answer p a').href, /view=summary&by=value%3Astatus/)
  const group = [{ property: 'status', kind: 'text' }]
  assert.deepEqual(queries, [{ types: ['b:bridge'], group, groupSort: ['-count'], limit: 0, groupLimit: 5 }])
})

test('of years, the largest groups are shown, and how many there are', async () => {
  const groups = [1990, 1950].map((year) => ({ key: [year], count: 2, measures: [] }))
  const { queries } = await opened('bridges per year', { entities: [], total: 7, groups, groupsTotal: 30 })
  await shown('1990')
  assert.deepEqual(texts('.answer > ul > li'), ['1990 2', '1950 2', '2 / 30'])
  assert.match(get<HTMLAnchorElement>('.answer p a').href, /order=-count/)
  assert.deepEqual((queries[0] as { groupSort: unknown }).groupSort, ['-count'])
})

test('an attribute of one entity is shown with its value, and the link leads to the entity', async () => {
  const { queries } = await opened('how long is Elde', {})
  await shown('90 km')
  assert.deepEqual(texts('.answer > ul > li'), ['Elde 90 km'])
  assert.equal(textOf(get('.answer p')), 'River · Length')
  assert.match(get<HTMLAnchorElement>('.answer p a').href, /river.*elde/)
  assert.deepEqual(queries, [])
})

test('a question that is not understood is said to be searched as words, with examples', async () => {
  const { again } = await opened('which bridge is the reddest?', {})
  await shown('Not understood')
  assert.match(textOf(get('.note')), /newest bridge|longest bridge|bridge by crosses/)
  again('red bridge house')
  await idle()
  assert.equal(find('.note'), undefined)
})

test('numbers that the world did not count to the end are not shown', async () => {
  await opened('tolled bridges', { entities: [bridge('Ada')], total: 1, partial: true })
  await shown('Tolled = yes')
  assert.equal(textOf(get('.answer')), 'BridgeRemove the filter: Tolled = yes')
})

test('nothing is shown above a hit with the text as its title, or if the question is not understood', async () => {
  const { queries, again } = await opened('Tolled Bridges', {}, [bridge('Tolled bridges')])
  await idle()
  assert.equal(find('.answer'), undefined)
  again('longset bridge')
  await idle()
  assert.equal(find('.answer'), undefined)
  assert.deepEqual(queries, [])
})

test('only a count is answered if nothing matches', async () => {
  const { again } = await opened('tolled bridges', { entities: [], total: 0 })
  await idle()
  assert.equal(find('.answer'), undefined)
  again('how many tolled bridges')
  await shown('0 results')
})

test('an answer disappears as soon as another text is searched for', async () => {
  const { again } = await opened('longest bridge', { entities: [bridge('Ada', 90)], total: 1 })
  await shown('Ada')
  again('longest bridge x')
  assert.equal(find('.answer'), undefined)
})
