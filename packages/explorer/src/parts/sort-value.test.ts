import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { show, startPage, textOf } from '../page.fixture.ts'

startPage()
const { SortValue, sortColumnOf } = await import('./sort-value.tsx')
const sol = await openFake()
const profile = sol.open.profile

const entity = (attributes: object, more: object = {}) => ({
  type: 'f:thing',
  id: 'x',
  attributes: attributes as Record<string, never>,
  ...more,
})
const PARIS = { key: 'attributes', place: { latitude: 48.86, longitude: 2.35 } }

function shownFor(asked: Parameters<typeof sortColumnOf>[0], of: ReturnType<typeof entity>): string {
  show(sol.within(h(SortValue, { entity: of, asked })))
  return textOf(document.body)
}

test('if the list is sorted by distance, an entity shows its distance in kilometres', () => {
  const asked = { sort: '', near: PARIS }
  assert.equal(shownFor(asked, entity({ latitude: 51.48, longitude: 0 })), '336 km')
  assert.equal(shownFor(asked, entity({ latitude: 48.86, longitude: 2.36 })), '0.73 km')
  assert.equal(shownFor(asked, entity({ latitude: 48.86, longitude: 2.36, body: 'Mars' })), '0.39 km')
  assert.equal(shownFor(asked, entity({})), '')
  assert.equal(shownFor(asked, entity({ latitude: 1, longitude: 2, body: 'Pluto' })), '')
})

test('if the list is sorted by time, an entity shows when it was created or changed', () => {
  const of = entity({}, { createdAt: '2026-01-02T03:04:05Z', updatedAt: '2026-02-03T00:00:00Z' })
  assert.equal(shownFor({ sort: '-createdAt' }, of), 'Created 2 January 2026')
  assert.equal(shownFor({ sort: 'updatedAt' }, of), 'Changed 3 February 2026')
  assert.equal(shownFor({ sort: '-createdAt' }, entity({})), '')
  assert.equal(sortColumnOf({ sort: '-createdAt' }, profile)?.direction, 'descending')
  assert.equal(sortColumnOf({ sort: 'createdAt' }, profile)?.direction, 'ascending')
})

test('sorting by a property or by id adds no column', () => {
  assert.equal(sortColumnOf({ sort: 'radiusKm' }, profile), undefined)
  assert.equal(shownFor({ sort: '' }, entity({})), '')
})
