import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clustersOf } from './clusters.ts'

test('nearby points form one cluster at their centre, and distant points stay separate', () => {
  const clusters = clustersOf(
    [
      { x: 10, y: 10 },
      { x: 30, y: 10 },
      { x: 200, y: 10 },
    ],
    24,
  )
  assert.deepEqual(
    clusters.map(({ x, y, spots }) => [x, y, spots.length]),
    [
      [20, 10, 2],
      [200, 10, 1],
    ],
  )
})

test('each point is in exactly one cluster, even near cell edges and around zero', () => {
  const spots = Array.from({ length: 500 }, (_, index) => ({
    x: ((index * 37) % 211) - 100,
    y: ((index * 53) % 97) - 40,
  }))
  const clusters = clustersOf(spots, 24)
  assert.deepEqual(new Set(clusters.flatMap(({ spots: own }) => own)), new Set(spots))
  assert.equal(
    clusters.reduce((sum, { spots: own }) => sum + own.length, 0),
    500,
  )
  assert.ok(clusters.length < 120, String(clusters.length))
})

test('ten thousand points at the same position form one cluster', () => {
  const [only, other] = clustersOf(
    Array.from({ length: 10_000 }, () => ({ x: 5, y: 5 })),
    24,
  )
  assert.equal(only?.spots.length, 10_000)
  assert.equal(other, undefined)
})
