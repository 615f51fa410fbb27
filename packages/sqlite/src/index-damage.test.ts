import assert from 'node:assert/strict'
import { test } from 'node:test'
import { damageIndexes } from './index-damage.fixture.ts'

const DAMAGED = 60

test('a damaged index returns errors, never wrong answers, is abandoned by writes, and is repaired by a rebuild', () => {
  const { noticed, harmless, ...mistakes } = damageIndexes(DAMAGED, 1)
  assert.deepEqual(mistakes, { wrong: 0, unforeseen: 0, firstUnforeseen: undefined, notMended: 0 })
  assert.ok(noticed > harmless && harmless > 0)
})

test('searches, checks and merges of an index with undetected damage still end', () => {
  const { noticed, unforeseen, firstUnforeseen } = damageIndexes(DAMAGED, 1, true)
  assert.deepEqual({ unforeseen, firstUnforeseen }, { unforeseen: 0, firstUnforeseen: undefined })
  assert.ok(noticed > DAMAGED / 4)
})
