import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Admission } from './admission.ts'
import type { Lane } from './http.ts'

/** Requests whose work takes as long as it says, on a clock that only work moves. */
function clocked(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const admission = new Admission({ now: () => now })
  // What still waits when a test is over is refused.
  t.after(() => {
    now += 1_000
  })
  const log: string[] = []
  const ask = async (name: string, ms: number, lane: Lane = 'list') => {
    try {
      await admission.run(lane, async () => {
        // As a store reads: behind a promise, and then all at once.
        await undefined
        now += ms
        log.push(name)
      })
    } catch (error) {
      assert.equal((error as { code: string }).code, 'unavailable')
      log.push(`${name} refused`)
    }
  }
  const pass = (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
  }
  const elapse = (ms: number) => {
    now += ms
  }
  return { admission, ask, log, pass, elapse, now: () => now }
}

test('as long as there is time, work begins as it comes', async (t) => {
  const { ask, log } = clocked(t)
  await Promise.all([ask('a', 1), ask('b', 1), ask('c', 1)])
  assert.deepEqual(log, ['a', 'b', 'c'])
})

test('a burst is answered in its order, a slice of it in each round of the event loop', async (t) => {
  const { ask, log } = clocked(t)
  let rounds = 0
  let going = true
  const counting = (async () => {
    for (; going; rounds++) await turn()
  })()
  const names = Array.from({ length: 20 }, (_, index) => String(index))
  for (const name of names) {
    ask(name, 5)
    await undefined
    await undefined
  }
  while (log.length < 20) await turn()
  going = false
  await counting
  assert.deepEqual(log, names)
  assert.ok(rounds >= 8, `${rounds} rounds`)
})

test('where a queue stands, those who would wait too long are refused where they come', async (t) => {
  const { admission, now, elapse } = clocked(t)
  const waited: number[] = []
  let refused = 0
  let done = 0
  const work = (since: number) => () => {
    elapse(5)
    done += 1
    if (since > 300) waited.push(now() - 5 - since)
  }
  // Four times as much as can be done, for a second.
  while (now() < 1_000) {
    for (let count = 0; count < 4; count++) {
      try {
        Promise.resolve(admission.run('list', work(now()))).catch(() => (refused += 1))
      } catch (error) {
        assert.equal((error as { code: string }).code, 'unavailable')
        refused += 1
      }
    }
    await turn()
  }
  assert.ok(done >= 195, `${done} done`)
  assert.ok(refused > 500, `${refused} refused`)
  assert.ok(Math.max(...waited) <= 180, `waited ${Math.max(...waited)} ms`)
  for (let count = 0; count < 40 && !admission.isFull('list'); count++)
    Promise.resolve(admission.run('list', work(0))).catch(() => {})
  assert.ok(admission.isBusy() && admission.isFull('list'))
  assert.ok(!admission.isFull('action'))
})

test('a program that asks for 25 pages at a time, again and again, is refused none, however slow the machine', async (t) => {
  const { admission, elapse, now } = clocked(t)
  const walk = async () => {
    while (now() < 10_000) await admission.run('list', async () => elapse(20))
  }
  await Promise.all(Array.from({ length: 25 }, walk))
})

test('who waits alone is not refused because the process was slow', async (t) => {
  const { ask, log } = clocked(t)
  const asked = [ask('first', 5)]
  await undefined
  for (let count = 0; count < 60; count++) asked.push(ask('list', 400))
  asked.push(ask('action', 1, 'action'))
  await Promise.all(asked)
  assert.ok(log.includes('action'), log.join())
})

test('in a lane where nobody can begin, who has waited for long is refused, and then only one may wait', async (t) => {
  const { admission, pass } = clocked(t)
  for (let count = 0; count < 64; count++) admission.run('write', () => new Promise(() => {}))
  const log: string[] = []
  const ask = (name: string) =>
    Promise.resolve()
      .then(() => admission.run('write', () => {}))
      .catch(() => log.push(name))
  ask('a')
  await turn()
  pass(200)
  await turn()
  assert.deepEqual(log, [])
  pass(60)
  await turn()
  await turn()
  assert.deepEqual(log, ['a'])
  ask('b')
  ask('c')
  await turn()
  assert.deepEqual(log, ['a', 'c'])
})

test('a lane with much to do does not keep another one waiting', async (t) => {
  const { ask, log } = clocked(t)
  const asked = [ask('first', 20)]
  await undefined
  for (let count = 0; count < 20; count++) asked.push(ask('list', 5))
  asked.push(ask('get', 1, 'get'))
  await Promise.all(asked)
  assert.ok(log.indexOf('get') <= 2, log.join())
})

test('what is free never waits', async (t) => {
  const { ask, admission } = clocked(t)
  const first = ask('first', 100)
  await undefined
  await undefined
  const waiting = ask('list', 1)
  assert.equal(
    admission.run('free', () => 'discovery'),
    'discovery',
  )
  await Promise.all([first, waiting])
})

test('what is kept may wait, and is never refused', async (t) => {
  const { admission, elapse } = clocked(t)
  let answered = 0
  const asked = Array.from({ length: 2_000 }, () =>
    admission.run('kept', () => {
      elapse(1)
      answered += 1
    }),
  )
  assert.ok(answered <= 5, `${answered} in one round`)
  await Promise.all(asked)
  assert.equal(answered, 2_000)
})

test('bodies of actions that come slowly take the place of nobody', (t) => {
  const { admission } = clocked(t)
  for (let count = 0; count < 5_000; count++) admission.run('action', () => new Promise(() => {}))
  assert.equal(
    admission.run('action', () => 'answered'),
    'answered',
  )
})

test('writes are begun as long as the bytes of their bodies, together, are no more than 4 MiB', async (t) => {
  const { admission } = clocked(t)
  const ends: (() => void)[] = []
  const write = (bytes: number) =>
    void admission.run('write', () => new Promise<void>((resolve) => ends.push(resolve)), bytes)
  for (let count = 0; count < 24; count++) write(256 * 1024)
  await turn()
  await turn()
  assert.equal(ends.length, 16)
  ends[0]?.()
  await turn()
  await turn()
  assert.equal(ends.length, 17)
})

test('of small writes, 64 are under way at most', async (t) => {
  const { admission } = clocked(t)
  let running = 0
  for (let count = 0; count < 80; count++)
    admission.run('write', () => {
      running += 1
      return new Promise(() => {})
    })
  await turn()
  assert.equal(running, 64)
})

test('a lane holds no more than a thousand', async (t) => {
  const { admission } = clocked(t)
  for (let count = 0; count < 64; count++) admission.run('write', () => new Promise(() => {}))
  for (let count = 0; count < 1_000; count++)
    Promise.resolve(admission.run('write', () => 'x')).catch(() => {})
  assert.throws(() => admission.run('write', () => 'x'), { code: 'unavailable' })
})
