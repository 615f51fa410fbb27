import assert from 'node:assert/strict'
import { test } from 'node:test'
import { damageIndexes } from './index-damage.fixture.ts'

const DAMAGED = 60

test('a damaged index gives errors and never a wrong answer, is given up by writes, and mended by building it again', () => {
  const { noticed, harmless, ...mistakes } = damageIndexes(DAMAGED, 1)
  assert.deepEqual(mistakes, { wrong: 0, unforeseen: 0, firstUnforeseen: undefined, notMended: 0 })
  assert.ok(noticed > harmless && harmless > 0)
})

test('an index whose damage no checksum shows ends every search, check and merge', () => {
  const { noticed, unforeseen, firstUnforeseen } = damageIndexes(DAMAGED, 1, true)
  assert.deepEqual({ unforeseen, firstUnforeseen }, { unforeseen: 0, firstUnforeseen: undefined })
  assert.ok(noticed > DAMAGED / 4)
})
