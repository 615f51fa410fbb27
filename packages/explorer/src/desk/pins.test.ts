import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_ASKED, viewPath } from '@worldwright/extensions/views'
import { h } from 'preact'
import { openMoons } from '../moons.fixture.ts'
import type { RouteTo } from '../navigation/route.ts'
import { find, get, press, show, startPage, textOf, texts, until } from '../page.fixture.ts'

startPage()
const { route } = await import('../navigation/navigation.ts')
const { HomePage } = await import('../pages/home-page.tsx')
const { commandsOf } = await import('./page-commands.ts')
const { PinButton, pinsOf } = await import('./pins.tsx')
const { pinned } = await import('./kept-lists.ts')

type Moons = Awaited<ReturnType<typeof openMoons>>

const LARGE = {
  asked: {
    ...NOTHING_ASKED,
    filters: [
      { is: 'range', key: 'radiusKm', from: '100', to: '' },
      { is: 'any', key: 'orbits', values: ['f:planet/saturn', 'f:planet/gone'] },
    ],
    sort: '-radiusKm',
  },
  view: 'scatter',
} as const
const TITLE = 'Moon: radius at least 100, orbits Saturn or gone, by radius, largest first'

/** Shows the button of a list of moons, and presses it if the list is not pinned. */
async function pin({ origin, within }: Moons, view: Partial<RouteTo<'list'>>) {
  const number = pinsOf(origin).length
  show(within(h(PinButton, { route: { page: 'list', origin, type: 'f:moon', ...view } })))
  assert.equal(get('button', 'Pin').getAttribute('aria-pressed'), 'false')
  press(get('button', 'Pin'))
  await until(() => pinsOf(origin).length > number)
}

test('a list is pinned under its written title, with conditions, order and layout, and without its cursor', async () => {
  const moons = await openMoons()
  await pin(moons, { ...LARGE, cursor: 'c1', before: 50 })
  const path = viewPath('f:moon', LARGE)
  assert.deepEqual(JSON.parse(pinned.of(moons.origin) ?? ''), [{ title: TITLE, path }])
  await until(() => get('button', 'Pin').getAttribute('aria-pressed') === 'true')
  press(get('button', 'Pin'))
  assert.equal(pinned.of(moons.origin), undefined)
})

test('the home page and the commands name the pinned views of their world, and they can be removed', async () => {
  const moons = await openMoons()
  const other = await openMoons()
  await pin(other, {})
  await pin(moons, LARGE)
  await pin(moons, {})
  await pin(moons, { view: 'map' })
  show(moons.within(h(HomePage, null)))
  await until(() => find('h2', 'Pinned views'))
  assert.deepEqual(texts('.recent li a'), [`${TITLE} · Scatter plot`, 'Moon', 'Moon · Map'])
  const mine = commandsOf(moons.open.profile).filter(({ kind }) => kind === 'Pinned views')
  assert.deepEqual(
    mine.map(({ label }) => label),
    [`${TITLE} · Scatter plot`, 'Moon', 'Moon · Map'],
  )
  mine[0]?.run()
  const at = route.value
  assert.deepEqual(at.page === 'list' && [at.type, at.view, at.asked], ['f:moon', 'scatter', LARGE.asked])
  press(get('button', 'Remove: Moon · Map'))
  press(get('button', `Remove: ${TITLE} · Scatter plot`))
  await until(() => texts('.recent li a').length === 1)
  assert.equal(document.activeElement, get('button', 'Remove: Moon'))
  press(get('button', 'Remove: Moon'))
  await until(() => !find('h2', 'Pinned views'))
  assert.equal(pinsOf(other.origin).length, 1)
})

test('nothing is lost to a damaged or refusing storage but the damaged entries', async (t) => {
  const moons = await openMoons()
  const { origin } = moons
  const entries = [7, null, [], { title: 'x' }, { title: 'a', path: '/s/x' }, { title: 'b', path: '/v/' }]
  const outside = { title: 'c', path: '/v/../../https%3A%2F%2Fevil.example' }
  const kept = [...entries, outside, { title: 'Kept <b>', path: '/v/f%3Amoon?sort=radiusKm' }]
  for (const [text, titles] of [
    ['{', []],
    ['{"length":1}', []],
    [JSON.stringify(kept), ['Kept <b>']],
  ] as const) {
    localStorage.setItem(`worldwright.pins.${origin}`, text)
    assert.deepEqual(
      pinsOf(origin).map(({ title }) => title),
      titles,
    )
  }
  t.mock.method(localStorage, 'setItem', () => {
    throw new Error('full')
  })
  await pin(moons, {})
  assert.deepEqual(
    pinsOf(origin).map(({ title }) => title),
    ['Kept <b>', 'Moon'],
  )
  show(moons.within(h(HomePage, null)))
  await until(() => find('h2', 'Pinned views'))
  assert.equal(textOf(get('.recent li')), 'Kept <b>')
})
