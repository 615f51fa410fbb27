import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Lane } from '../../../core/src/handler/http.ts'
import type { Asking } from '../../../core/src/handler/request-admission.ts'
import { Admission } from './admission.ts'

const ONE = clientAt('192.0.2.1')

/** Creates requests with a given work time, on a fake clock that only work advances. */
async function clocked({ late = false } = {}) {
  let now = 0
  const admission = new Admission(() => now)
  // The first call starts the measurement.
  admission.run('read', ONE, () => {})
  if (late) now += 100
  const log: string[] = []
  const ask = async (name: string, ms: number, lane: Lane = 'read', asking: Asking = ONE) => {
    try {
      await admission.run(lane, asking, async () => {
        // Like a store read: yields once, then does all the work synchronously.
        await undefined
        now += ms
        log.push(name)
      })
    } catch (error) {
      assert.equal((error as { code: string }).code, 'unavailable')
      log.push(`${name} refused`)
    }
  }
  const elapse = (ms: number) => {
    now += ms
  }
  return { admission, ask, log, elapse }
}

test('work begins immediately while the process is healthy', async () => {
  const { admission } = await clocked()
  let begun = 0
  for (let count = 0; count < 1_000; count++) void admission.run('read', ONE, () => (begun += 1))
  assert.equal(begun, 1_000)
})

test('if the event loop is late, requests queue, and run in order, a slice in each round', async () => {
  const { ask, log } = await clocked({ late: true })
  let rounds = 0
  let going = true
  const counting = (async () => {
    for (; going; rounds++) await turn()
  })()
  const names = Array.from({ length: 20 }, (_, index) => String(index))
  const asked = names.map((name) => ask(name, 5))
  assert.deepEqual(log, [])
  await Promise.all(asked)
  going = false
  await counting
  assert.deepEqual(log, names)
  assert.ok(rounds >= 20, `${rounds} rounds`)
})

test('cheap requests run in the same slice', async () => {
  const { ask } = await clocked({ late: true })
  let rounds = 0
  let going = true
  const counting = (async () => {
    for (; going; rounds++) await turn()
  })()
  await Promise.all(Array.from({ length: 1_000 }, (_, index) => ask(String(index), 0.1, 'search')))
  going = false
  await counting
  assert.ok(rounds < 200, `${rounds} rounds for 100 ms of work`)
})

test('addresses take turns, however much one requests, and so do the connections of an address', async () => {
  const { ask, log } = await clocked({ late: true })
  const asked: Promise<void>[] = []
  for (let count = 0; count < 50; count++) asked.push(ask('much', 5))
  for (const name of ['a', 'b']) asked.push(ask(name, 5, 'read', clientAt('192.0.2.2')))
  asked.push(ask('c', 5, 'read', clientAt('192.0.2.1', 2)))
  await Promise.all(asked)
  assert.ok(log.indexOf('a') <= 3 && log.indexOf('b') <= 5 && log.indexOf('c') <= 8, log.join())
})

test('a busy class does not delay the others', async () => {
  const { ask, log } = await clocked({ late: true })
  const asked = Array.from({ length: 20 }, () => ask('read', 5))
  asked.push(ask('write', 1, 'write'), ask('search', 1, 'search'))
  await Promise.all(asked)
  assert.ok(log.indexOf('write') <= 3 && log.indexOf('search') <= 3, log.join())
})

test('abandoned work is not done', async () => {
  const { admission, ask, log } = await clocked({ late: true })
  const first = ask('first', 20)
  const leaving = new AbortController()
  const left = Promise.resolve(
    admission.run('read', { ...ONE, signal: leaving.signal }, () => log.push('left')),
  )
  leaving.abort()
  await assert.rejects(left, { name: 'AbortError' })
  await first
  assert.deepEqual(log, ['first'])
})

test('beyond ten seconds of queued work, a class refuses requests of the busiest address', async () => {
  const { ask, log } = await clocked({ late: true })
  // Raise the estimate to about 100 ms.
  for (let count = 0; count < 60; count++) await ask('slow', 100)
  log.length = 0
  const asked = Array.from({ length: 150 }, () => ask('much', 100))
  asked.push(ask('little', 100, 'read', clientAt('192.0.2.2')))
  await Promise.all(asked)
  const refused = log.filter((name) => name === 'much refused').length
  assert.ok(refused > 40 && refused < 60, `${refused} refused`)
  assert.ok(log.includes('little'))
})

test('a request that never ends does not block others', async () => {
  const { admission, ask, log } = await clocked({ late: true })
  for (let count = 0; count < 200; count++)
    void admission.run('write', ONE, () => new Promise<void>(() => {}))
  await ask('write', 1, 'write')
  assert.deepEqual(log, ['write'])
})

test('a request in the free lane never waits', async () => {
  const { ask, admission } = await clocked({ late: true })
  const waiting = ask('read', 1)
  assert.equal(
    admission.run('free', ONE, () => 'discovery'),
    'discovery',
  )
  await waiting
})

test('work begins immediately again once the queue is empty and the event loop is on time', async () => {
  const { admission, ask } = await clocked({ late: true })
  await ask('queued', 1)
  // Let the timer fire. The fake clock has stopped, so the timer is on time.
  await new Promise((resume) => setTimeout(resume, 50))
  assert.equal(
    admission.run('read', ONE, () => 'at once'),
    'at once',
  )
})

function clientAt(address: string, connection = 1): Asking {
  return { client: { address, connection } }
}
