import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Admission, type Asking } from './admission.ts'
import type { Lane } from './http.ts'

const ONE = clientAt('192.0.2.1')

/** Requests whose work takes as long as it says, on a clock that only work moves. */
function clocked(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const admission = new Admission({ now: () => now })
  // What still waits when a test is over is refused.
  t.after(() => {
    now += 10_000
  })
  const log: string[] = []
  const ask = async (name: string, ms: number, lane: Lane = 'list', asking: Asking = ONE) => {
    try {
      await admission.run(lane, asking, async () => {
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

test('between two slices there are two rounds: one that accepts a connection, one that reads its request', async (t) => {
  const { ask } = clocked(t)
  let round = 0
  let going = true
  const counting = (async () => {
    for (; going; round++) await turn()
  })()
  const rounds: number[] = []
  const asked: Promise<unknown>[] = []
  for (let count = 0; count < 10; count++) {
    // Each is a slice of its own.
    asked.push(ask('list', 100).then(() => rounds.push(round)))
    await undefined
    await undefined
  }
  await Promise.all(asked)
  going = false
  await counting
  const between = rounds.slice(1).map((at, index) => at - (rounds[index] ?? 0))
  assert.ok(
    between.slice(1).every((many) => many >= 2),
    between.join(),
  )
})

test('where a queue stands, what keeps to its connections waits, and is refused none', async (t) => {
  const { admission, now, elapse } = clocked(t)
  let done = 0
  const connection = async () => {
    while (now() < 2_000)
      await admission.run('list', ONE, async () => {
        elapse(1)
        done += 1
      })
  }
  await Promise.all(Array.from({ length: 500 }, connection))
  // The rest of its time is that of the last of each connection.
  assert.ok(done >= 2_000, `${done} done`)
})

test('addresses take turns, however much one of them asks for', async (t) => {
  const { ask, log } = clocked(t)
  const asked = [ask('first', 5)]
  await undefined
  for (let count = 0; count < 50; count++) asked.push(ask('much', 5))
  for (const name of ['a', 'b']) asked.push(ask(name, 5, 'list', clientAt('192.0.2.2')))
  await Promise.all(asked)
  assert.ok(log.indexOf('a') <= 3 && log.indexOf('b') <= 5, log.join())
})

test('what nobody waits for any more is not done', async (t) => {
  const { admission, ask, log } = clocked(t)
  const first = ask('first', 20)
  await undefined
  const leaving = new AbortController()
  const left = Promise.resolve(
    admission.run('list', { ...ONE, signal: leaving.signal }, () => log.push('left')),
  )
  leaving.abort()
  await assert.rejects(left, { name: 'AbortError' })
  await first
  assert.deepEqual(log, ['first'])
})

test('a program that asks for 25 pages at a time, again and again, is refused none, however slow the machine', async (t) => {
  const { admission, elapse, now } = clocked(t)
  const walk = async () => {
    while (now() < 10_000) await admission.run('list', ONE, async () => elapse(20))
  }
  await Promise.all(Array.from({ length: 25 }, walk))
})

test('a single waiting request is not refused because the process was slow', async (t) => {
  const { ask, log } = clocked(t)
  const asked = [ask('first', 5)]
  await undefined
  for (let count = 0; count < 60; count++) asked.push(ask('list', 400))
  asked.push(ask('action', 1, 'action'))
  await Promise.all(asked)
  assert.ok(log.includes('action'), log.join())
})

test('in a lane where nothing can begin, a request is refused after five seconds', async (t) => {
  const { admission, pass } = clocked(t)
  for (let count = 0; count < 64; count++) admission.run('write', ONE, () => new Promise(() => {}))
  const log: string[] = []
  Promise.resolve(admission.run('write', ONE, () => {})).catch(({ code }) => log.push(code))
  await untilDrained()
  pass(4_900)
  await untilDrained()
  assert.deepEqual(log, [])
  pass(200)
  await untilDrained()
  assert.deepEqual(log, ['unavailable'])
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
    admission.run('free', ONE, () => 'discovery'),
    'discovery',
  )
  await Promise.all([first, waiting])
})

test('what is kept waits as long as it has to', async (t) => {
  const { admission, elapse } = clocked(t)
  let answered = 0
  const asked = Array.from({ length: 2_000 }, () =>
    admission.run('kept', ONE, () => {
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
  for (let count = 0; count < 5_000; count++) admission.run('action', ONE, () => new Promise(() => {}))
  assert.equal(
    admission.run('action', ONE, () => 'answered'),
    'answered',
  )
})

test('writes are begun as long as the bytes of their bodies, together, are no more than 2 MiB', async (t) => {
  const { admission } = clocked(t)
  const ends: (() => void)[] = []
  const write = (bytes: number) =>
    void admission.run('write', ONE, () => new Promise<void>((resolve) => ends.push(resolve)), bytes)
  for (let count = 0; count < 24; count++) write(256 * 1024)
  await untilDrained()
  assert.equal(ends.length, 8)
  ends[0]?.()
  await untilDrained()
  assert.equal(ends.length, 9)
})

test('of small writes, 64 are under way at most', async (t) => {
  const { admission } = clocked(t)
  let running = 0
  for (let count = 0; count < 80; count++)
    admission.run('write', ONE, () => {
      running += 1
      return new Promise(() => {})
    })
  await untilDrained()
  assert.equal(running, 64)
})

test('a lane holds ten thousand, and beyond them the first of each address', (t) => {
  const { admission } = clocked(t)
  for (let count = 0; count < 64; count++) admission.run('write', ONE, () => new Promise(() => {}))
  for (let count = 0; count < 10_000; count++)
    Promise.resolve(admission.run('write', ONE, () => 'x')).catch(() => {})
  assert.throws(() => admission.run('write', ONE, () => 'x'), { code: 'unavailable' })
  assert.ok(!admission.isFull('write', clientAt('192.0.2.2')))
})

/** Two rounds before a slice, and the one in which its promises settle. */
async function untilDrained(): Promise<void> {
  for (let round = 0; round < 3; round++) await turn()
}

function clientAt(address: string): Asking {
  return { client: { address, connection: 1 } }
}
