import assert from 'node:assert/strict'
import { test } from 'node:test'
import { presentFields } from '@worldwright/extensions/shown'
import { groupsOf } from './groups.ts'

const grouped = (attributes: object) =>
  groupsOf(presentFields(attributes, undefined)).map(({ meaning, fields }) => [
    meaning,
    ...fields.map(([{ name }]) => name),
  ])

test('attributes are grouped by meaning', () => {
  const ref = { type: 'sol:planet', id: 'saturn' }
  assert.deepEqual(
    grouped({
      isbn13: '1',
      moons: [ref],
      massKg: 5,
      launchDate: '1977-09-05',
      kind: 'probe',
      latitude: 1,
      radiusKm: 2,
      endYear: 1990,
      orbits: ref,
      longitude: 2,
      work_id: 7,
    }),
    [
      ['what', 'kind'],
      ['measures', 'massKg', 'radiusKm'],
      ['times', 'launchDate', 'endYear'],
      ['relations', 'moons', 'orbits'],
      ['place', 'latitude', 'longitude'],
      ['ids', 'isbn13', 'work_id'],
    ],
  )
})

test('values of the same measure in two units are side by side', () => {
  assert.deepEqual(
    grouped({ massKg: 5, radiusKm: 2, massEarths: 1, radiusEarths: 3, periodDays: 4, a: 'x' }),
    [
      ['what', 'a'],
      ['measures', 'massKg', 'massEarths', 'radiusKm', 'radiusEarths', 'periodDays'],
    ],
  )
})

test('alternative names form a group of their own even if there are few attributes', () => {
  assert.deepEqual(grouped({ aliases: ['Red Planet'], massKg: 5, kind: 'planet' }), [
    ['what', 'massKg', 'kind'],
    ['names', 'aliases'],
  ])
})

test('a few attributes form one group, and ids stay last', () => {
  assert.deepEqual(grouped({ isbn: '1', massKg: 5, kind: 'x', foundedYear: 1990 }), [
    ['what', 'massKg', 'kind', 'foundedYear'],
    ['ids', 'isbn'],
  ])
  assert.deepEqual(
    grouped({ a: 'x', b: 'y', c: 'z', massKg: 5, radiusKm: 2, foundedYear: 1990, postcode: 3 }),
    [
      ['what', 'a', 'b', 'c', 'foundedYear'],
      ['measures', 'massKg', 'radiusKm'],
      ['ids', 'postcode'],
    ],
  )
  assert.deepEqual(grouped({}), [])
})
