import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactOf, medianOf, roundedQuotient } from './exact.ts'

const sumOf = (...values: number[]) =>
  roundedQuotient(
    values.reduce((sum, value) => sum + exactOf(value), 0n),
    1n,
  )

test('every double is exact, and sums are rounded once to the even of two', () => {
  for (const value of [0, 1, -1, 0.1, 5e-324, -5e-324, 2.2e-308, 1e300, -1e300, Number.MAX_VALUE, 2 ** 53])
    assert.equal(sumOf(value), value)
  assert.equal(sumOf(1e300, 1, -1e300), 1)
  assert.equal(sumOf(2 ** 53, 1), 2 ** 53)
  assert.equal(sumOf(2 ** 53, 1, 5e-324), 2 ** 53 + 2)
  assert.equal(sumOf(2 ** 53 + 2, 1), 2 ** 53 + 4)
  assert.equal(sumOf(...Array.from({ length: 10 }, () => 0.1)), 1)
  assert.equal(roundedQuotient(exactOf(1), 3n), 1 / 3)
  assert.equal(roundedQuotient(exactOf(5e-324), 2n), 0)
  assert.equal(roundedQuotient(3n * exactOf(5e-324), 2n), 1e-323)
})

test('a median is the middle value, or the mean of the middle two', () => {
  assert.equal(medianOf([[7, 1]]), 7)
  assert.equal(
    medianOf([
      [1, 2],
      [4, 2],
    ]),
    2.5,
  )
  assert.equal(
    medianOf([
      [1, 1],
      [4, 2],
    ]),
    4,
  )
  assert.equal(
    medianOf([
      [-1e300, 1],
      [5e-324, 1],
      [1.7e308, 1],
      [1.75e308, 1],
    ]),
    8.5e307,
  )
})
