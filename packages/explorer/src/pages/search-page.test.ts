import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { type Answer, openFake, refusal, SILENCE } from '../fake-world.fixture.ts'
import { moon, openMoons } from '../moons.fixture.ts'
import type { RouteTo } from '../navigation/route.ts'
import {
  doing,
  field,
  find,
  get,
  idle,
  key,
  press,
  show,
  shown,
  startPage,
  textOf,
  texts,
  until,
} from '../page.fixture.ts'

startPage()
const { navigate, route } = await import('../navigation/navigation.ts')
const { SearchPage } = await import('./search-page.tsx')

function Page() {
  const at = route.value
  return [
    h('input', { id: 'search', key: 'box' }),
    at.page === 'search' && h(SearchPage, { route: at, key: 'page' }),
  ]
}

const HITS = ['io', 'titan', 'mimas'].map((id) => ({ ...moon(id), type: 'f:thing' }))

/** Opens a search in a world with two types. `output` is the output of the search or a function that returns it. */
async function opened(
  output: Answer,
  at: Partial<RouteTo<'search'>> = {},
  document: object = { entityTypes: ['f:thing', 'f:other'] },
) {
  const answer = (question: never) => {
    const given = typeof output === 'function' ? output(question) : output
    return given instanceof Response || given instanceof Promise ? given : { output: given }
  }
  const fake = await openFake({ document, answers: { 'actions/wp:discover': answer as Answer } })
  navigate({ page: 'search', origin: fake.origin, text: '', types: [], ...at })
  show(fake.within(h(Page, null)))
  return fake
}

const heading = () => textOf(get('h1'))
const titles = () => texts('.hit h2 a')

test('the number of results, their types and the marked matches are shown', async () => {
  const output = { entities: HITS, total: 3, counts: { 'f:thing': 3 }, matched: ['mim'] }
  const { asked } = await opened(output, { text: 'mimas' })
  await until(() => titles().length === 3)
  assert.equal(heading(), '3 results for “mimas”')
  assert.deepEqual(titles(), ['Io', 'Titan', 'Mimas'])
  assert.deepEqual(texts('mark'), ['Mimas'])
  assert.deepEqual(texts('.hit .type-mark'), ['Thing', 'Thing', 'Thing'])
  assert.deepEqual(texts('.filter label'), ['Thing3', 'Other0'])
  assert.deepEqual(asked, ['actions/wp:discover {"text":"mimas","limit":20}'])
})

test('the heading depends on the total and the text', async () => {
  for (const [output, text, expected] of [
    [{ entities: HITS.slice(1, 2), total: 1 }, '', 'One result'],
    [{ entities: HITS.slice(1, 2), total: 1 }, 'x', 'One result for “x”'],
    [{ entities: HITS, total: 3, totalIsLowerBound: true }, 'x', 'at least 3 results for “x”'],
    [{ entities: HITS, total: 'many' }, 'x', '3 results shown'],
    [{ entities: [], total: 0 }, 'x', 'Nothing matches “x”'],
    [{ entities: [] }, '', 'There is nothing here yet'],
    [{ entities: [], total: 0 }, '<b>', 'Nothing matches “<b>”'],
  ] as const) {
    await opened(output, { text })
    await shown(expected)
    assert.equal(heading(), expected)
    assert.equal(find('h1 b'), undefined)
    show(null)
  }
})

test('if nothing is found, other words and other types are suggested', async () => {
  const output = ({ input }: { input: object }) =>
    'types' in input
      ? { entities: [], total: 0, counts: {} }
      : { entities: [], total: 7, counts: { 'f:other': 7 } }
  await opened(output as Answer, { text: 'ice', types: ['f:thing'] })
  await shown('Try fewer or other words')
  assert.match(textOf(get('.nothing')), /Without the filter by type there are 7\. Show all types$/)
  press(get('.nothing button'))
  assert.deepEqual(route.value.page === 'search' && route.value.types, [])
})

test('the filter shows the counts of all types even if some types are selected', async () => {
  const output = ({ input }: { input: object }) =>
    'types' in input
      ? { entities: HITS, total: 3, counts: { 'f:thing': 3 } }
      : { entities: [], total: 10, counts: { 'f:thing': 3, 'f:other': 7 } }
  const { asked } = await opened(output as Answer, { text: 'ice', types: ['f:thing'] })
  await until(() => titles().length === 3)
  assert.deepEqual(texts('.filter label'), ['Thing3', 'Other7'])
  assert.equal(field('Thing3').checked, true)
  assert.deepEqual(asked.toSorted(), [
    'actions/wp:discover {"text":"ice","limit":0}',
    'actions/wp:discover {"text":"ice","types":["f:thing"],"limit":20}',
  ])
})

test('further results are shown in place until the world returns no more', async () => {
  const all = Array.from({ length: 120 }, (_, index) => ({ ...moon(`m${index}`), type: 'f:thing' }))
  const output = ({ input }: { input: { limit?: number; cursor?: string } }) => {
    const from = Number(input.cursor ?? 0)
    const to = from + (input.limit ?? 0)
    return { entities: all.slice(from, to), total: 120, ...(to < 120 && { nextCursor: `${to}` }) }
  }
  await opened(output as Answer, { text: 'm' })
  await until(() => titles().length === 20)
  assert.equal(textOf(get('.more')), 'The best 20 of 120Show more')
  const before = history.length
  press(get('button', 'Show more'))
  await until(() => titles().length === 100)
  assert.match(location.href, /limit=100$/)
  assert.equal(history.length, before)
  press(get('button', 'Show more'))
  await until(() => titles().length === 120)
  assert.equal(find('.more'), undefined)
  show(null)
  await opened({ entities: HITS, total: 500, limit: 3 }, { text: 'm' })
  await shown('The best 3 of 500')
  assert.equal(find('button', 'Show more'), undefined)
  assert.match(textOf(get('.more')), /more are not shown/)
})

test('a result shows the matching attribute if its title does not match', async () => {
  const aliases = { ...moon('earth', { aliases: ['Terra', 'Tellus'] }), type: 'f:thing' }
  await opened({ entities: [aliases], total: 1, matched: ['tellus'] }, { text: 'tellus' })
  await shown('Also matching:')
  assert.equal(textOf(get('.also')), 'Also matching: Aliases: Tellus')
  assert.deepEqual(texts('.also mark'), ['Tellus'])
})

test('the matching fields reported by the world are used', async () => {
  const actions = [{ name: 'wp:discover', inputSchema: { properties: { text: {}, matchedIn: {} } } }]
  const earth = { ...moon('earth', { a: 'tellus one', b: { c: 'tellus two' } }), type: 'f:thing' }
  const output = { entities: [earth], total: 1, matched: ['tellus'], matchedIn: [['/attributes/b/c']] }
  const { asked } = await opened(output, { text: 'tellus' }, { actions })
  await shown('Also matching:')
  assert.equal(textOf(get('.also')), 'Also matching: B: tellus two')
  assert.deepEqual(asked, ['actions/wp:discover {"text":"tellus","matchedIn":true,"limit":20}'])
})

test('a result shows its summary around the match, or else distinguishing values', async () => {
  const long = `${'word '.repeat(60)}ocean below`
  const summed = { ...moon('europa'), type: 'f:thing', summary: long }
  const plain = { ...moon('io', { radiusKm: 5 }), type: 'f:thing', summary: 5 }
  await opened({ entities: [summed, plain], total: 2, matched: ['ocean'] }, { text: 'ocean' })
  await until(() => titles().length === 2)
  assert.match(texts('.hit p.clamp')[0] ?? '', /^… .*ocean below$/)
  assert.deepEqual(texts('.hit p.clamp mark'), ['ocean'])
  assert.equal(texts('.hit p.clamp')[1], 'Radius: 5 km')
})

test('entities without an id or a type are shown without links', async () => {
  await opened({ entities: [{ title: 'Odd one', attributes: {} }, { title: 'Odd two' }], total: 2 })
  await shown('Odd one')
  assert.deepEqual(titles(), [])
  assert.equal(texts('.hit').length, 2)
})

test('a partial search is reported', async () => {
  await opened({ entities: HITS, total: 3, partial: true })
  await shown('The search ended early')
})

test('old results stay until new ones arrive, and late responses are dropped', async () => {
  const answers = new Map<string, (output: object) => void>()
  const output = ({ input }: { input: { text?: string } }) =>
    new Promise((resolve) => answers.set(input.text ?? '', (given) => resolve({ output: given })))
  const { origin } = await opened(output as Answer, { text: 'a' })
  await until(() => answers.has('a'))
  answers.get('a')?.({ entities: HITS, total: 3 })
  await until(() => titles().length === 3)
  const go = (text: string) => doing(() => navigate({ page: 'search', origin, text, types: [] }, 'replace'))
  go('ab')
  await until(() => answers.has('ab'))
  go('abc')
  await until(() => answers.has('abc'))
  assert.deepEqual([titles().length, heading()], [3, '3 results for “a”'])
  assert.equal(get('.hits').className, 'hits stale')
  assert.equal(get('.search-page').getAttribute('aria-busy'), 'true')
  answers.get('abc')?.({ entities: HITS.slice(0, 1), total: 1 })
  await shown('One result for “abc”')
  answers.get('ab')?.({ entities: [], total: 0 })
  await idle()
  assert.equal(heading(), 'One result for “abc”')
})

test('if a search fails, the reason is shown and the search can be retried', async () => {
  let tries = 0
  await opened((() =>
    ++tries === 1 ? refusal(500, 'internal_error') : { entities: HITS, total: 3 }) as Answer)
  await shown('The world has a fault')
  assert.equal(heading(), 'Search')
  press(get('button', 'Try again'))
  await until(() => titles().length === 3)
})

test('the first search can be stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await opened(SILENCE)
  doing(() => t.mock.timers.tick(3_000))
  press(get('button', 'Stop waiting'))
  await idle()
  assert.equal(textOf(get('p[role=status]')), 'Stopped.')
  press(get('button', 'Try again'))
  assert.equal(textOf(get('p[role=status]')), 'Loading…')
})

test('arrow keys move between results, and Up on the first result or Escape returns to the box', async () => {
  await opened({ entities: HITS, total: 3 }, { text: 'x' })
  await until(() => titles().length === 3)
  const links = [...document.querySelectorAll<HTMLElement>('.hit a')]
  links[0]?.focus()
  const focused = () => document.activeElement?.textContent || document.activeElement?.id
  for (const [name, expected] of [
    ['ArrowDown', 'Titan'],
    ['End', 'Mimas'],
    ['ArrowDown', 'Mimas'],
    ['ArrowUp', 'Titan'],
    ['Home', 'Io'],
    ['ArrowUp', 'search'],
  ]) {
    const left = key(document.activeElement as Element, String(name))
    assert.deepEqual([focused(), left], [expected, false], name)
  }
  links[1]?.focus()
  key(links[1] as Element, 'Escape')
  assert.equal(focused(), 'search')
  links[1]?.focus()
  for (const held of ['altKey', 'ctrlKey', 'metaKey'])
    assert.equal(key(links[1] as Element, 'ArrowDown', { [held]: true }), true, held)
  assert.equal(key(links[1] as Element, 'x'), true)
  assert.equal(focused(), 'Titan')
})

test('in a world that supports queries, a search links to the lists of its types', async () => {
  const answers = { 'actions/wp:discover': { output: { entities: HITS, total: 3, counts: { 'f:moon': 3 } } } }
  const { within, origin } = await openMoons({ answers })
  navigate({ page: 'search', origin, text: 'ice', types: [] })
  show(within(h(Page, null)))
  await until(() => titles().length === 3)
  assert.equal(
    get('a', 'Filter, sort and count these').getAttribute('href'),
    `#/w/${encodeURIComponent(origin)}/t/f%3Amoon?text=ice`,
  )
  show(null)
  const counts = { 'f:moon': 2, 'f:planet': 1 }
  const two = await openMoons({
    answers: { 'actions/wp:discover': { output: { entities: HITS, total: 3, counts } } },
  })
  navigate({ page: 'search', origin: two.origin, text: 'ice', types: ['f:moon', 'f:planet'] })
  show(two.within(h(Page, null)))
  await until(() => find('details.refine'))
  assert.equal(find('a', 'Filter, sort and count these'), undefined)
})
