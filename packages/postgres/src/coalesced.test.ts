import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Coalesced } from './coalesced.ts'

test('calls made during a run share the next run', async () => {
  const begun: PromiseWithResolvers<void>[] = []
  const work = new Coalesced(() => {
    const run = Promise.withResolvers<void>()
    begun.push(run)
    return run.promise
  })
  const first = work.run()
  const second = work.run()
  const third = work.run()
  assert.equal(begun.length, 1)
  assert.equal(second, third)
  begun[0]?.reject(new Error('the first one failed'))
  await assert.rejects(first, /the first one failed/)
  const idle = work.idle()
  await new Promise(setImmediate)
  assert.equal(begun.length, 2)
  begun[1]?.resolve()
  await Promise.all([second, idle])
  assert.equal(begun.length, 2)
})
