import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import {
  doing,
  find,
  fire,
  get,
  idle,
  key,
  press,
  show,
  startPage,
  texts,
  type,
  until,
} from '../page.fixture.ts'

startPage()
const { navigate, route } = await import('../navigation/navigation.ts')
const { SearchBox } = await import('./search-box.tsx')

const MOONS = ['Ganymede', 'Gaspra', 'Galatea'].map((title) => ({
  type: 'f:thing',
  id: title.toLowerCase(),
  title,
  attributes: {},
}))

/** Opens the search box in a world whose searches find `entities`. The clock is mocked. */
async function opened(t: TestContext, entities: readonly object[] = MOONS) {
  const fake = await openFake({ answers: { 'actions/wp:discover': { output: { entities, total: 3 } } } })
  const { origin, within } = fake
  let now = 1_000
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => now)
  navigate({ page: 'home', origin })
  show(within(h(SearchBox, { origin })))
  const box = get<HTMLInputElement>('#search')
  /** Types `text` into the box, `ms` milliseconds after the previous key. */
  const typed = (text: string, ms = 1_000) => {
    now += ms
    type(get<HTMLInputElement>('#search'), text)
  }
  const suggested = () => texts('[role=option]')
  return { ...fake, box, typed, suggested, pass: (ms: number) => doing(() => t.mock.timers.tick(ms)) }
}

const active = () => find('[aria-selected=true]')?.id

test('typing suggests the first results and announces how many there are', async (t) => {
  const { box, typed, suggested, asked } = await opened(t)
  assert.equal(box.getAttribute('role'), 'combobox')
  assert.equal(box.getAttribute('aria-label'), 'Search this world')
  assert.equal(box.getAttribute('aria-expanded'), 'false')
  typed('ga')
  await until(() => suggested().length === 3)
  assert.deepEqual(suggested(), ['GanymedeThing', 'GaspraThing', 'GalateaThing'])
  assert.equal(box.getAttribute('aria-expanded'), 'true')
  assert.equal(box.getAttribute('aria-controls'), 'suggestions')
  assert.deepEqual(texts('[role=status]'), ['3 results shown'])
  assert.deepEqual(asked, ['actions/wp:discover {"text":"ga","limit":6}'])
})

test('arrow keys cycle through the box and the suggestions, and Enter opens the active one', async (t) => {
  const { box, typed, suggested, origin } = await opened(t)
  typed('ga')
  await until(() => suggested().length === 3)
  const steps = [
    ['ArrowDown', 'suggestion-0'],
    ['ArrowDown', 'suggestion-1'],
    ['ArrowUp', 'suggestion-0'],
    ['ArrowUp', undefined],
    ['ArrowUp', 'suggestion-2'],
    ['ArrowDown', undefined],
    ['ArrowDown', 'suggestion-0'],
  ] as const
  for (const [name, expected] of steps) {
    assert.equal(key(box, name), false)
    assert.equal(active(), expected)
    assert.equal(box.getAttribute('aria-activedescendant') ?? undefined, expected)
  }
  key(box, 'Enter')
  assert.deepEqual(route.value, { page: 'entity', origin, type: 'f:thing', id: 'ganymede' })
  assert.equal(box.value, '')
  assert.deepEqual(suggested(), [])
})

test('Enter without an active suggestion searches for the typed text', async (t) => {
  const { box, typed, suggested, origin } = await opened(t)
  typed('ga ')
  await until(() => suggested().length === 3)
  key(box, 'Enter')
  const { page, text, types } = { text: '', types: [] as readonly string[], ...route.value }
  assert.deepEqual([page, text, types], ['search', 'ga ', []])
  assert.deepEqual(suggested(), [])
  assert.match(location.href, new RegExp(`${encodeURIComponent(origin)}/search\\?text=ga\\+$`))
})

test('Enter in an empty box does nothing', async (t) => {
  const { box } = await opened(t)
  key(box, 'Enter')
  assert.equal(route.value.page, 'home')
})

test('Escape first closes the suggestions, then clears the text, then leaves the box', async (t) => {
  const { box, typed, suggested } = await opened(t)
  box.focus()
  typed('ga')
  await until(() => suggested().length === 3)
  key(box, 'Escape')
  assert.deepEqual([suggested(), box.value], [[], 'ga'])
  key(box, 'Escape')
  assert.equal(box.value, '')
  assert.ok(document.activeElement === box)
  key(box, 'Escape')
  assert.ok(document.activeElement !== box)
})

test('pressing a suggestion opens it without first moving the focus', async (t) => {
  const { typed, suggested } = await opened(t)
  typed('ga')
  await until(() => suggested().length === 3)
  const second = get('#suggestion-1')
  const pointed = new window.Event('pointerdown', { bubbles: true, cancelable: true })
  assert.equal(fire(second, pointed), false)
  press(second)
  assert.equal(route.value.page === 'entity' && route.value.id, 'gaspra')
})

test('blurring the box closes the suggestions', async (t) => {
  const { box, typed, suggested } = await opened(t)
  typed('ga')
  await until(() => suggested().length === 3)
  fire(box, new window.Event('blur'))
  assert.deepEqual(suggested(), [])
})

test('the clear button empties the box and focuses it', async (t) => {
  const { box, typed } = await opened(t)
  assert.deepEqual(texts('kbd'), ['/'])
  typed('ga')
  assert.deepEqual(texts('kbd'), [])
  press(get('button', 'Clear the search'))
  assert.equal(box.value, '')
  assert.ok(document.activeElement === box)
})

test('keys typed in quick succession cause one search', async (t) => {
  const { typed, asked, pass } = await opened(t)
  typed('g')
  typed('ga', 50)
  typed('gan', 50)
  pass(39)
  await until(() => asked.length > 0)
  await idle()
  assert.deepEqual(asked, ['actions/wp:discover {"text":"g","limit":6}'])
  pass(1)
  await until(() => asked.length === 2)
  assert.deepEqual(asked.slice(1), ['actions/wp:discover {"text":"gan","limit":6}'])
})

test('at most six entities are suggested, and only those with a type and an id', async (t) => {
  const many = Array.from({ length: 9 }, (_, index) => ({ type: 'f:thing', id: `${index}`, attributes: {} }))
  const { typed, suggested } = await opened(t, [{ title: 'No id', attributes: {} }, ...many])
  typed('x')
  await until(() => suggested().length > 0)
  assert.deepEqual(suggested(), ['0Thing', '1Thing', '2Thing', '3Thing', '4Thing', '5Thing'])
})

test('blank text is not searched for', async (t) => {
  const { typed, asked, suggested } = await opened(t)
  typed('  ')
  await idle()
  assert.deepEqual([asked, suggested()], [[], []])
})

test('typing on the search page changes the search and suggests nothing', async (t) => {
  const { box, typed, origin, suggested, asked } = await opened(t)
  doing(() => navigate({ page: 'search', origin, text: 'ga', types: ['f:thing'] }))
  assert.equal(box.value, 'ga')
  const before = history.length
  typed('gan')
  await idle()
  const { text, types } = { text: '', types: [] as readonly string[], ...route.value }
  assert.deepEqual([text, types, history.length - before], ['gan', ['f:thing'], 0])
  assert.deepEqual([suggested(), asked], [[], []])
  key(box, 'Escape')
  assert.equal(box.value, '')
})

test('the box is updated when the search in the address changes', async (t) => {
  const { box, origin } = await opened(t)
  doing(() => navigate({ page: 'search', origin, text: 'one', types: [] }))
  doing(() => navigate({ page: 'search', origin, text: 'two', types: [] }))
  assert.equal(box.value, 'two')
  doing(() => navigate({ page: 'home', origin }))
  assert.equal(box.value, '')
})

test('on the search page, Down and Enter focus the first result of the current search', async (t) => {
  const { typed, origin, within } = await opened(t)
  const result = h('div', { 'data-result': '' }, h('a', { href: '#/', 'data-main': '' }, 'First'))
  show(within([h(SearchBox, { origin, key: 'box' }), result]))
  doing(() => navigate({ page: 'search', origin, text: 'ga', types: [] }))
  for (const name of ['ArrowDown', 'Enter']) {
    get('#search').focus()
    key(get('#search'), name)
    assert.ok(document.activeElement === get('a'), name)
  }
  // The text now differs from the current search.
  typed('gan')
  typed('g', 1)
  get('#search').focus()
  key(get('#search'), 'ArrowDown')
  assert.ok(document.activeElement !== get('a'))
})

test('keys pressed during composition are ignored', async (t) => {
  const { box, typed } = await opened(t)
  typed('ga')
  assert.equal(key(box, 'Enter', { isComposing: true }), true)
  assert.equal(route.value.page, 'home')
  assert.equal(key(box, 'a'), true)
})

test('no suggestions are shown if the search fails', async (t) => {
  const { origin, within, asked } = await openFake({ answers: {} })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  navigate({ page: 'home', origin })
  show(within(h(SearchBox, { origin })))
  type(get<HTMLInputElement>('#search'), 'ga')
  await until(() => asked.length === 1)
  await idle()
  assert.equal(find('[role=option]'), undefined)
})
