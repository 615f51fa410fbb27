import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesOf } from './lanes.ts'

test('overlapping names get separate rows, and rows are reused', () => {
  const lanes = lanesOf(
    [
      { x: 10, letters: 10 },
      { x: 20, letters: 10 },
      { x: 300, letters: 10 },
    ],
    1000,
  )
  assert.deepEqual(
    lanes.map(({ row }) => row),
    [0, 1, 0],
  )
})

test('a name near the end precedes its point', () => {
  assert.deepEqual(lanesOf([{ x: 980, letters: 10 }], 1000), [{ index: 0, row: 0, isBefore: true }])
  assert.deepEqual(lanesOf([{ x: 50, letters: 100 }], 100), [{ index: 0, row: 0, isBefore: false }])
})
