import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PositionWatch } from './position-watch.ts'

test('a change announced during a read of an older position is not missed', async () => {
  const reads: ((position: string) => void)[] = []
  const watch = new PositionWatch(() => new Promise<string>((resolve) => reads.push(resolve)))
  const positions = watch.positions(new AbortController().signal)
  const first = positions.next()
  reads.shift()?.('1')
  assert.equal((await first).value, '1')
  const second = positions.next()
  // The generator reads first, but the later read by `look` is answered first.
  const look = watch.look()
  const [slow, fast] = reads.splice(0)
  fast?.('2')
  await look
  slow?.('1')
  while (reads.length === 0) await new Promise((resolve) => setImmediate(resolve))
  reads.shift()?.('2')
  assert.equal((await second).value, '2')
  watch.close()
})
