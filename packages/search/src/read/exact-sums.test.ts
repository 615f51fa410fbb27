import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nearestDouble, wholeOf } from '../reference/exact-rational.fixture.ts'
import { Deadline } from './deadline.ts'
import { ExactSums } from './exact-sums.ts'
import { Room } from './room.ts'

const room = (doubles = 1e6) => new Room(new Deadline(60_000), doubles)
const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const decimal = fc.integer({ min: -1e9, max: 1e9 }).map((whole) => whole / 1000)

function quotient(values: readonly number[], divisor: number): number {
  const sums = new ExactSums(3, room())
  for (const value of values) {
    sums.add(1, value)
    sums.add(2, -value)
  }
  const result = sums.quotient(1, divisor)
  // The neighbours of a group are not its own.
  assert.deepEqual([sums.quotient(0, 1), sums.quotient(2, divisor)], [0, 0 - result])
  return result
}

test('a sum divided by a number is the nearest double, in every order', () => {
  const values = fc.oneof(
    fc.array(finite, { minLength: 1, maxLength: 40 }),
    fc.array(decimal, { minLength: 1, maxLength: 200 }),
    fc.array(fc.constantFrom(1, 2 ** 53, -(2 ** 53), 0.5, 2 ** -1074, 3 * 2 ** -1074, 1 + 2 ** -52), {
      minLength: 1,
    }),
  )
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 9 }), (values, divisor) => {
      const whole = values.reduce((sum, value) => sum + wholeOf(value), 0n)
      const expected =
        nearestDouble(whole, BigInt(divisor)) ?? Math.sign(Number(whole)) * Number.POSITIVE_INFINITY
      assert.equal(quotient(values, divisor), expected)
      assert.equal(quotient(values.toReversed(), divisor), expected)
      assert.equal(quotient(values.toSorted(), divisor), expected)
    }),
    { numRuns: 600, seed: 1 },
  )
})

test('sums whose usual result is wrong are exact', () => {
  assert.equal(quotient([1e100, 1, -1e100], 1), 1)
  assert.equal(
    quotient(
      Array.from({ length: 10 }, () => 0.1),
      1,
    ),
    1,
  )
  assert.equal(quotient([0.1, 0.2, 0.3], 1), 0.6)
  assert.equal(quotient([Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE], 1), Number.MAX_VALUE)
  assert.equal(quotient([Number.MAX_VALUE, Number.MAX_VALUE], 2), Number.MAX_VALUE)
  assert.equal(quotient([Number.MAX_VALUE, Number.MAX_VALUE], 1), Number.POSITIVE_INFINITY)
  // Values with bits in the two lowest limbs.
  assert.equal(quotient([2.2e-308, 5e-324], 1), 2.2e-308 + 5e-324)
  assert.equal(quotient([5e-324], 2), 0)
  assert.equal(quotient([5e-324, 5e-324, 5e-324], 2), 1e-323)
  // Halfway between two doubles: the even one, unless something smaller decides.
  assert.equal(quotient([2 ** 53, 1], 1), 2 ** 53)
  assert.equal(quotient([2 ** 53, 1, 2 ** -1074], 1), 2 ** 53 + 2)
  assert.ok(Object.is(quotient([-0, -0], 1), 0))
  // Many values fill the cells: 99,999 times the largest whole number and a small one.
  const many = [...Array.from({ length: 99_999 }, () => 2 ** 53 - 1), 77]
  assert.equal(quotient(many, 1), Number(99_999n * (2n ** 53n - 1n) + 77n))
  assert.equal(quotient([...many, -(2 ** 66)], 1), Number(99_999n * (2n ** 53n - 1n) + 77n - 2n ** 66n))
})

test('a sum that needs more room than there is leaves values out, and says so', () => {
  const small = room(2)
  const sums = new ExactSums(3, small)
  sums.add(0, 5)
  assert.equal(small.isCut, false)
  sums.add(0, 1e300)
  assert.deepEqual([sums.quotient(0, 1), small.isCut], [5, true])
})
