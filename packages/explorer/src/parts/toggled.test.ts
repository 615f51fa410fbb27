import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toggled } from './toggled.ts'

test('toggling adds an item at the end, or removes a selected item', () => {
  assert.deepEqual(toggled([], 'a'), ['a'])
  assert.deepEqual(toggled(['a', 'b'], 'c'), ['a', 'b', 'c'])
  assert.deepEqual(toggled(['a', 'b'], 'a'), ['b'])
})
