import assert from 'node:assert/strict'
import { test } from 'node:test'
import { questionFrom } from './question.ts'

const group = (...keys: string[]) => questionFrom(undefined, { group: keys })['group']

test('a key is a property with a width, a unit or degrees after a colon', () => {
  assert.deepEqual(group('year', 'orbit."a.b"'), ['year', { property: ['orbit', 'a.b'] }])
  assert.deepEqual(group('year:10'), [{ property: 'year', width: 10 }])
  assert.deepEqual(group('year:0.5:-3'), [{ property: 'year', width: 0.5, origin: -3 }])
  assert.deepEqual(group('born:month'), [{ property: 'born', unit: 'month' }])
  assert.deepEqual(group('attributes:2.5deg'), [{ property: 'attributes', cells: 2.5 }])
  // A name with a colon goes in quotes.
  assert.deepEqual(group('"schema:year"', '"schema:born":year'), [
    'schema:year',
    { property: 'schema:born', unit: 'year' },
  ])
})

test('any other notation is refused with the notations that work', () => {
  for (const key of ['year:decade', 'year:', 'year:ten', 'place:5 deg', 'year:-10', 'sol:born:1:2:3'])
    assert.throws(() => group(key), /after the colon comes a width \(year:10,.*goes in quotes/, key)
  assert.throws(() => group('year:1.2.3'), /after the colon comes a width/)
  for (const measure of ['rating', 'avg(rating)', ':rating'])
    assert.throws(() => questionFrom(undefined, { measure: [measure] }), /such as avg:rating/)
  assert.throws(() => questionFrom(undefined, { measure: ['avg:a b'] }), /At character 3/)
  assert.throws(
    () => questionFrom(undefined, { group: ['year'], groupSort: '-rating' }),
    /^UsageFault: --group-sort rating: .*such as avg:rating/,
  )
})

test('measures and the order of groups are parsed, and entities are omitted unless a limit is given', () => {
  const asked = {
    measure: ['avg:rating', 'count', 'max:orbit."a.b"'],
    groupSort: '-avg:rating, key',
    groupLimit: 5,
  }
  assert.deepEqual(questionFrom(undefined, asked), {
    measures: [
      { op: 'avg', property: 'rating' },
      { op: 'max', property: ['orbit', 'a.b'] },
    ],
    groupSort: ['-avg:rating', 'key'],
    groupLimit: 5,
    limit: 0,
  })
  const { groupSort, limit } = questionFrom(undefined, { ...asked, groupSort: 'max:orbit."a.b"', limit: 3 })
  assert.deepEqual([groupSort, limit], [['max:["orbit","a.b"]'], 3])
  assert.deepEqual(questionFrom(undefined, { measure: ['count'] }), {})
})
