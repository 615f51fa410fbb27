import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAsked, NOTHING_ASKED, queryOfAsked } from './asked.ts'
import { nearSort, pointTyped } from './near.ts'
import { viewFrom } from './view.ts'

const askedFrom = (query: URLSearchParams) => viewFrom(query).view.asked ?? NOTHING_ASKED

test('a point is parsed from two numbers with optional degree signs and compass letters', () => {
  const paris = { latitude: 48.86, longitude: 2.35 }
  for (const text of ['48.86,2.35', ' 48.86 2.35 ', '48.86° N, 2.35° E', '48.86;2.35', '48.86N 2.35E'])
    assert.deepEqual(pointTyped(text), paris, text)
  assert.deepEqual(pointTyped('33.9 S, 18.4 W'), { latitude: -33.9, longitude: -18.4 })
  for (const text of ['', '48.86', '91,0', '0,181', 'Paris', '1,2,3', '48.86,2.35x', '1e3,2'])
    assert.equal(pointTyped(text), undefined, text)
})

test('the address contains the point, and an invalid point in an address is ignored', () => {
  const near = { key: 'attributes', place: { latitude: -33.9, longitude: 18.4 } }
  const query = queryOfAsked({ ...NOTHING_ASKED, near })
  assert.deepEqual(
    query.filter(([, value]) => value !== ''),
    [['near.attributes', '-33.9,18.4']],
  )
  assert.deepEqual(askedFrom(new URLSearchParams(query)).near, near)
  assert.ok(isAsked({ ...NOTHING_ASKED, near }))
  assert.equal(askedFrom(new URLSearchParams({ 'near.attributes': '1,2,3' })).near, undefined)
})

test('the sort key has the longitude before the latitude', () => {
  assert.deepEqual(nearSort({ key: 'place', place: { latitude: 1, longitude: 2 } }), {
    op: 'distance',
    args: [{ property: 'place' }, { type: 'Point', coordinates: [2, 1] }],
  })
})
