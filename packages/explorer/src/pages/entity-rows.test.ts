import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client'
import { columnsOf } from '@worldwright/extensions/shown'
import { type Asked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { IO, MOON_SCHEMA, moon, openMoons, TITAN } from '../moons.fixture.ts'
import { get, layOut, show, startPage, texts } from '../page.fixture.ts'
import { walkFrom } from '../world/walk.ts'
import { walkOf } from './walk.fixture.ts'

startPage()
const { EntityCards, EntityList } = await import('./entity-rows.tsx')
const { within } = await openMoons()

const propsOf = (entities: readonly Entity[], asked: Partial<Asked> = {}) => ({
  ...walkOf(entities),
  label: 'Moon',
  onRow: () => {},
  asked: { ...NOTHING_ASKED, ...asked },
})

test('a list shows the summary of each entity, or else its distinguishing values', (t) => {
  layOut(t)
  const summed = { ...IO, summary: 'Volcanic <b>.' }
  show(within(h(EntityList, propsOf([summed, TITAN, { ...moon('x'), summary: '' }]))))
  assert.deepEqual(texts('li'), ['Io Volcanic <b>.', 'Titan Radius: 2,574.7 km', 'X'])
  assert.equal(get('ul').className, 'plain-list')
  assert.equal(get('section').getAttribute('aria-label'), 'Moon')
  assert.equal(get('li').getAttribute('aria-posinset'), '1')
  assert.equal(get('li').getAttribute('aria-setsize'), '3')
})

test('a list sorted by an attribute shows its value before the summary', (t) => {
  layOut(t)
  const summed = [TITAN, moon('x')].map((one) => ({ ...one, summary: 'A moon.' }))
  for (const sort of ['title', '']) {
    show(within(h(EntityList, propsOf(summed, { sort }))))
    assert.deepEqual(texts('li'), ['Titan A moon.', 'X A moon.'])
  }
  show(within(h(EntityList, propsOf(summed, { sort: '-radiusKm' }))))
  assert.deepEqual(texts('li'), ['Titan Radius: 2,574.7 km · A moon.', 'X A moon.'])
})

test('a partly loaded list reports the total number of entities', (t) => {
  layOut(t)
  const { walk } = walkOf([IO])
  const walked = { ...walkFrom(undefined), isBegun: true, entities: [IO], total: 122 }
  show(within(h(EntityList, { ...propsOf([]), walk: { ...walk, walked } })))
  assert.equal(get('li').getAttribute('aria-setsize'), '122')
})

test('a list sorted by time shows the time of each entity', (t) => {
  layOut(t)
  show(within(h(EntityList, propsOf([{ ...IO, updatedAt: '2026-01-02T00:00:00Z' }], { sort: '-updatedAt' }))))
  assert.deepEqual(texts('.sort-value'), ['Changed 2 January 2026'])
})

test('a card shows the first eight column values with their units', (t) => {
  layOut(t)
  const attributes = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`aKm${index}`, index]))
  show(within(h(EntityCards, { ...propsOf([TITAN]), columns: columnsOf(MOON_SCHEMA, []) })))
  assert.deepEqual(texts('dt'), ['Radius', 'Kind', 'Orbits'])
  assert.deepEqual(texts('dd').slice(0, 2), ['2,574.7 km', 'icy'])
  show(within(h(EntityCards, { ...propsOf([moon('x', attributes)]), columns: columnsOf({}, [attributes]) })))
  assert.equal(texts('dt').length, 8)
  show(
    within(h(EntityCards, { ...propsOf([moon('x', { kind: null })]), columns: columnsOf(MOON_SCHEMA, []) })),
  )
  assert.deepEqual(texts('dt'), [])
})
