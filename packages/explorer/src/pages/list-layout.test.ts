import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { columnsOf } from '@worldwright/extensions/shown'
import { type Asked, type Layout, NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { IO, MOON_SCHEMA, openMoons } from '../moons.fixture.ts'
import { choose, doing, field, find, get, layOut, show, startPage, texts, until } from '../page.fixture.ts'
import { walkOf } from './walk.fixture.ts'

startPage()
const { orderOf } = await import('./list-order.ts')
const { ListLayout } = await import('./list-layout.tsx')
const { within, askables } = await openMoons()

/** Renders a list in a layout. The queries set by its sort menu are appended to `taken`. */
function showLayout(view: Layout, isSortable = true) {
  const taken: Asked[] = []
  const columns = columnsOf(MOON_SCHEMA, [])
  const nothing = () => {}
  const order = orderOf(NOTHING_ASKED, askables, (one) => void taken.push(one))
  const chart = {
    type: 'f:moon',
    askables,
    asked: NOTHING_ASKED,
    question: undefined,
    entities: [IO],
    total: 1,
    plot: {},
    onMoved: nothing,
    onPlot: nothing,
    onAsked: nothing,
  }
  const props = { view, walk: walkOf([IO]).walk, columns, available: columns, label: 'Moon', chart }
  show(
    within(
      h(ListLayout, { ...props, order: isSortable ? order : undefined, onColumns: nothing, onRow: nothing }),
    ),
  )
  return taken
}

/** Mocks `matchMedia` to report whether the page is narrow. Returns a function that changes the result. */
function narrowness(t: TestContext, isNarrow: boolean) {
  const query = Object.assign(new EventTarget(), { matches: isNarrow })
  t.mock.method(globalThis, 'matchMedia', () => query)
  return (is: boolean) =>
    doing(() => {
      query.matches = is
      query.dispatchEvent(new globalThis.Event('change'))
    })
}

test('a table has a column chooser and a sort menu', (t) => {
  layOut(t)
  const taken = showLayout('table')
  assert.equal(find('table') !== undefined, true)
  assert.deepEqual(texts('.menu summary'), ['Columns'])
  choose(field<HTMLSelectElement>('Order'), '-title')
  assert.equal(taken[0]?.sort, '-title')
})

test('a list and a gallery have a sort menu only if the world can sort', (t) => {
  layOut(t)
  for (const [view, selector] of [
    ['list', 'ul.plain-list'],
    ['gallery', '.gallery'],
  ] as const) {
    showLayout(view)
    get(selector)
    assert.deepEqual([texts('.menu').length, texts('.order').length], [0, 1])
  }
  showLayout('list', false)
  assert.deepEqual(texts('.order'), [])
})

test('a table is shown as cards while the page is narrow', (t) => {
  layOut(t)
  const become = narrowness(t, true)
  showLayout('table')
  assert.equal(find('table'), undefined)
  get('.row-cards')
  become(false)
  get('table')
  assert.equal(find('.row-cards'), undefined)
})

test('a chart replaces the rows and their controls', async () => {
  for (const view of ['histogram', 'scatter', 'timeline', 'map'] as const) {
    showLayout(view)
    assert.equal(find('.scroller, .list-tools'), undefined, view)
    await until(() => find('figure.chart'))
    assert.equal(find('.scroller, .list-tools'), undefined, view)
    show(null)
  }
})
