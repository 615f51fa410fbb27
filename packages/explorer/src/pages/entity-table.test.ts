import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client'
import { columnsOf } from '@worldwright/extensions/shown'
import { type Asked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { IO, MIMAS, MOON_SCHEMA, moon, openMoons, TITAN } from '../moons.fixture.ts'
import { fire, get, layOut, press, show, startPage, texts, until } from '../page.fixture.ts'
import { walkFrom } from '../world/walk.ts'
import type { Walk } from './use-walk.ts'
import { walkOf } from './walk.fixture.ts'

startPage()
const { orderOf } = await import('./list-order.ts')
const { EntityTable } = await import('./entity-table.tsx')
const { askables, within } = await openMoons()

/** Renders a table of moons. `asked` lists the queries set by its headers, and `rows` the rows that it reported. */
function showTable(entities: readonly Entity[], asked: Partial<Asked> = {}, more: Partial<Walk> = {}) {
  const taken: Asked[] = []
  const rows: number[] = []
  const question = { ...NOTHING_ASKED, ...asked }
  const { walk, ...record } = walkOf(entities, more)
  const props = {
    walk,
    label: 'Moon',
    columns: columnsOf(MOON_SCHEMA, []),
    order: orderOf(question, askables, (one) => void taken.push(one)),
    asked: question,
    onRow: (row: number) => void rows.push(row),
  }
  show(within(h(EntityTable, props)))
  return { ...record, taken, rows }
}

const bodyRows = () => texts('tbody tr:not(.spacer)')
const many = (count: number) => Array.from({ length: count }, (_, index) => moon(`m${index}`))

test('each entity has a row with its name and the columns of the schema', async (t) => {
  layOut(t)
  showTable([TITAN, IO])
  assert.deepEqual(texts('thead th'), [
    'Title↑',
    'Radius km↑',
    'Kind↑',
    'Orbits',
    'Discovered↑',
    'Retrograde↑',
    'Site',
  ])
  await until(() =>
    bodyRows()
      .join()
      .match(/Saturn.*Jupiter/),
  )
  assert.deepEqual(bodyRows(), ['Titan2,574.7icySaturn', 'Io1,821.6rockyJupiter'])
  assert.equal(get('section').getAttribute('aria-label'), 'Moon')
  assert.equal(get('table').getAttribute('aria-rowcount'), '3')
  assert.equal(get('tbody tr').getAttribute('aria-rowindex'), '2')
  assert.equal(get('td').className, 'right')
})

test('columns with a numeric type or a unit are right-aligned', (t) => {
  layOut(t)
  const schema = {
    properties: {
      a: { type: 'integer' },
      b: { type: 'number' },
      c: { unit: 'km' },
      d: { type: 'array' },
      e: {},
    },
  }
  const { walk } = walkOf([moon('x', { a: 12_345_678, d: ['a text longer than the widest column'] })])
  const props = {
    walk,
    label: 'Moon',
    columns: columnsOf(schema, []),
    asked: NOTHING_ASKED,
    order: undefined,
  }
  show(within(h(EntityTable, { ...props, onRow: () => {} })))
  assert.deepEqual(texts('thead th'), ['Title', 'A', 'B', 'C km', 'E', 'D'])
  const right = [...document.querySelectorAll('thead th')].map(({ className }) => className === 'right')
  assert.deepEqual(right, [false, true, true, true, false, false])
  const widths = [...document.querySelectorAll('col')].map(({ style }) => style.width)
  assert.deepEqual(widths, ['17ch', '13ch', '10ch', '10ch', '10ch', '28ch'], 'by the lengths of the values')
})

test('pressing a header sorts by its column and marks the direction', (t) => {
  layOut(t)
  const { taken } = showTable([TITAN], { sort: 'radiusKm', text: 'ice' })
  const header = get('th', /^Radius/)
  assert.equal(header.getAttribute('aria-sort'), 'ascending')
  press(header.querySelector('button') as Element)
  press(get('th', /^Title/).querySelector('button') as Element)
  assert.deepEqual(
    taken.map(({ sort, text }) => [sort, text]),
    [
      ['-radiusKm', 'ice'],
      ['title', 'ice'],
    ],
  )
  showTable([TITAN], { sort: '-radiusKm' })
  assert.equal(get('th', /^Radius/).getAttribute('aria-sort'), 'descending')
  assert.match(texts('th')[1] ?? '', /↓$/)
})

test('headers have no buttons if the world cannot sort', (t) => {
  layOut(t)
  const { walk } = walkOf([TITAN])
  const props = { walk, label: 'Moon', columns: columnsOf(MOON_SCHEMA, []), asked: NOTHING_ASKED }
  show(within(h(EntityTable, { ...props, order: undefined, onRow: () => {} })))
  assert.deepEqual(texts('thead button'), [])
  assert.deepEqual(texts('thead th').slice(0, 2), ['Title', 'Radius km'])
})

test('sorting by distance or time adds a column', (t) => {
  layOut(t)
  const placed = moon('here', { site: { latitude: 0, longitude: 1 } })
  showTable([placed], { near: { key: 'site', place: { latitude: 0, longitude: 0 } } })
  assert.equal(texts('thead th')[1], 'Distance km')
  assert.equal(get('thead .right').getAttribute('aria-sort'), 'ascending')
  assert.equal(texts('td.sort-value')[0], '111')
  showTable([{ ...MIMAS, createdAt: '2026-01-02T00:00:00Z' }], { sort: '-createdAt' })
  assert.equal(texts('thead th')[1], 'Created')
  assert.equal(texts('td.sort-value')[0], '2 January 2026')
})

test('only visible rows are rendered, between spacers', (t) => {
  layOut(t)
  const { rows, offsets } = showTable(many(1_000))
  const rendered = bodyRows().length
  assert.ok(rendered > 12 && rendered < 40, String(rendered))
  const box = get('section')
  box.scrollTop = 19_000
  fire(box, new window.Event('scroll'))
  assert.deepEqual([rows.at(-1), offsets.at(-1)], [500, 19_000])
  assert.ok(bodyRows().some((text) => text.startsWith('M500')))
  const spacers = [...document.querySelectorAll<HTMLElement>('.spacer td')].map(({ style }) => style.height)
  assert.equal(spacers.length, 2)
})

test('more rows are requested near the end unless the list is stale or has failed', (t) => {
  layOut(t)
  const scrolled = (more: Partial<Walk>) => {
    const { calls } = showTable(many(100), {}, more)
    const box = get('section')
    box.scrollTop = 3_000
    fire(box, new window.Event('scroll'))
    show(null)
    return calls
  }
  assert.deepEqual(scrolled({}), ['more'])
  assert.deepEqual(scrolled({ isStale: true }), [])
  const failure = { cause: 'busy' } as NonNullable<Walk['failure']>
  assert.deepEqual(scrolled({ failure }), [])
})

test('the visible rows stay in place when rows are added above them', (t) => {
  layOut(t)
  const before = (rows: number) => ({ ...walkFrom('c', rows), isBegun: true })
  showTable(many(50), {}, { walked: { ...before(150), entities: many(50) } })
  const box = get('section')
  box.scrollTop = 10
  showTable(many(150), {}, { walked: { ...before(50), entities: many(150) } })
  assert.equal(box.scrollTop, 10 + 100 * 38)
})

test('showing a different list restores the scroll position of that list', (t) => {
  layOut(t)
  showTable(many(50))
  const box = get('section')
  box.scrollTop = 500
  showTable(many(50), {}, { entry: 'other', offset: 120 })
  assert.equal(box.scrollTop, 120)
})
