import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edgeOf } from './bins.ts'

test('the edges of bins are finite numbers, however wide the bins are', () => {
  assert.deepEqual(
    [-1.5e308, -1e308, -1, 0, 1.5e308].map((value) => edgeOf(value, 0, 1e308)),
    [-Number.MAX_VALUE, -1e308, -1e308, 0, 1e308],
  )
  assert.equal(edgeOf(-Number.MAX_VALUE, 1, 1.2e308), -Number.MAX_VALUE)
})
