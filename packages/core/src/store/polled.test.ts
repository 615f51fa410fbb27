import assert from 'node:assert/strict'
import { test } from 'node:test'
import { polled } from './polled.ts'

test('a result is reused until it is too old, and concurrent calls share a read', async (t) => {
  const clock = t.mock.method(performance, 'now', () => 5)
  let reads = 0
  const read = polled(100, async () => ++reads)
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1])
  clock.mock.mockImplementation(() => 104)
  assert.equal(await read(), 1)
  clock.mock.mockImplementation(() => 105)
  assert.deepEqual(await Promise.all([read(), read()]), [2, 2])
})

test('a failure is reused for as long as a result', async (t) => {
  const clock = t.mock.method(performance, 'now', () => 0)
  let reads = 0
  const read = polled(100, async () => {
    reads += 1
    if (reads === 1) throw new Error('no answer')
    return reads
  })
  for (let call = 0; call < 2; call++) await assert.rejects(read(), /no answer/)
  clock.mock.mockImplementation(() => 100)
  assert.equal(await read(), 2)
})
