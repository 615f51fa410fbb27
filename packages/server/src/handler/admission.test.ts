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
  return { admission, ask, log, pass, now: () => now }
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

test('where a queue stands, the newest goes first and the others are refused', async (t) => {
  const { admission, pass } = clocked(t)
  for (let count = 0; count < 16; count++) admission.run('write', () => new Promise(() => {}))
  const log: string[] = []
  const ends: (() => void)[] = []
  const ask = async (name: string) => {
    try {
      await admission.run('write', () => {
        log.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
    } catch {
      log.push(`${name} refused`)
    }
  }
  // In a burst, they wait for long.
  ask('a')
  pass(200)
  assert.deepEqual(log, [])
  ask('b')
  pass(60)
  await turn()
  await turn()
  assert.deepEqual(log, ['a refused', 'b refused'])
  // From then on for a short time alone.
  ask('c')
  pass(15)
  ask('d')
  await turn()
  assert.deepEqual(log, ['a refused', 'b refused'])
  pass(10)
  await turn()
  await turn()
  assert.deepEqual(log, ['a refused', 'b refused', 'c refused'])
})

test('of those that wait in a queue that stands, the newest begins', async (t) => {
  const { admission, pass } = clocked(t)
  const ends: (() => void)[] = []
  const busy = () => new Promise<void>((resolve) => ends.push(resolve))
  for (let count = 0; count < 16; count++) admission.run('write', busy)
  const begun: string[] = []
  const ask = (name: string) =>
    Promise.resolve(admission.run('write', () => void begun.push(name))).catch(() => {})
  ask('old')
  pass(260)
  for (const name of ['a', 'b', 'c']) ask(name)
  ends[0]?.()
  await turn()
  await turn()
  assert.equal(begun[0], 'c')
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

test('writes are made at most 16 at a time; what waits too long for one is refused', async (t) => {
  const { admission, pass } = clocked(t)
  let running = 0
  const ends: (() => void)[] = []
  const write = () =>
    Promise.resolve(
      admission.run('write', () => {
        running += 1
        return new Promise<string>((resolve) => ends.push(() => resolve('written')))
      }),
    ).catch((error) => error.code)
  const writes = Array.from({ length: 24 }, write)
  await turn()
  assert.equal(running, 16)
  for (const end of ends.splice(0, 4)) end()
  await turn()
  await turn()
  assert.equal(running, 20)
  pass(300)
  await turn()
  await turn()
  for (const end of ends) end()
  const settled = await Promise.all(writes)
  assert.equal(settled.filter((result) => result === 'written').length, 20)
  assert.equal(settled.filter((result) => result === 'unavailable').length, 4)
})

test('a lane holds no more than a thousand', async (t) => {
  const { admission } = clocked(t)
  admission.run('write', () => new Promise(() => {}))
  for (let count = 0; count < 15; count++) admission.run('write', () => new Promise(() => {}))
  for (let count = 0; count < 1_000; count++)
    Promise.resolve(admission.run('write', () => 'x')).catch(() => {})
  assert.throws(() => admission.run('write', () => 'x'), { code: 'unavailable' })
})
