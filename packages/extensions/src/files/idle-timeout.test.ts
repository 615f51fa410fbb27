import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { withReadTimeout, withWriteTimeout } from './idle-timeout.ts'

test('an answer that is not read for a minute is closed at its source', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let isOpen = true
  const pieces = withWriteTimeout(
    (async function* () {
      try {
        for (let number = 1; ; number += 1) yield number
      } finally {
        isOpen = false
      }
    })(),
  )
  for (let number = 1; number <= 3; number += 1) {
    assert.deepEqual(await pieces.next(), { done: false, value: number })
    t.mock.timers.tick(59_999)
    await turn()
    assert.equal(isOpen, true)
  }
  t.mock.timers.tick(1)
  await turn()
  assert.equal(isOpen, false)
  assert.equal((await pieces.next()).done, true)
})

test('a body that stalls for a minute fails with request_timeout', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let send = (_piece: Uint8Array) => {}
  const body = withReadTimeout(
    (async function* () {
      for (;;) yield await new Promise<Uint8Array>((resolve) => (send = resolve))
    })(),
  )
  const piece = Uint8Array.of(1)
  for (let count = 0; count < 3; count += 1) {
    const next = body.next()
    await turn()
    t.mock.timers.tick(59_999)
    send(piece)
    assert.deepEqual(await next, { done: false, value: piece })
  }
  const next = body.next()
  await turn()
  t.mock.timers.tick(60_000)
  await assert.rejects(next, { code: 'request_timeout', details: { seconds: 60 } })
})
