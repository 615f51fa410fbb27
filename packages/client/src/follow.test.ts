import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { catchUp, follow, type Log, type LogPage, type Sink } from './follow.ts'

const EXPIRED = new RangeError('expired')

/** A log of numbers: each is a change, and its offset the number of changes up to it. Failures come before any answer. */
class Numbers implements Log<LogPage> {
  readonly all: number[] = []
  readonly failures: unknown[] = []
  /** Rounds of each connection: undefined, or a page. A connection ends after the last one; an error breaks it. */
  readonly connections: (LogPage | undefined | Error)[][] = []
  readonly asked: (string | undefined)[] = []
  /** Offsets below this one have expired. */
  earliest = 0

  read(after: string | undefined): LogPage {
    this.asked.push(after)
    const failure = this.failures.shift()
    if (failure) throw failure
    if (after !== undefined && Number(after) < this.earliest) throw EXPIRED
    const from = Number(after ?? 0)
    const changes = this.all.slice(from, from + 2)
    const next = from + changes.length
    return { changes, next: String(next), more: next < this.all.length }
  }

  async *live(): AsyncGenerator<LogPage | undefined> {
    for (const round of this.connections.shift() ?? []) {
      if (round instanceof Error) throw round
      yield round
    }
  }

  isExpired(error: unknown): boolean {
    return error === EXPIRED
  }
}

/** Keeps what it is given, and reports it. */
class Kept implements Sink<LogPage, string> {
  numbers: unknown[] = []
  offset: string | undefined

  checkpoint(): string | undefined {
    return this.offset
  }

  apply({ changes, next }: LogPage): string[] {
    this.numbers.push(...changes)
    this.offset = next
    return [`at ${next}`]
  }

  restart(): string[] {
    this.numbers = []
    this.offset = undefined
    return ['restarted']
  }

  lost(error: unknown, retryMs: number): string[] {
    return [`${(error as Error).message}, ${retryMs} ms`]
  }
}

const never = () => new AbortController().signal

test('catching up applies every page from the checkpoint to the end', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  log.all.push(1, 2, 3, 4, 5)
  sink.offset = '1'
  assert.deepEqual(await Array.fromAsync(catchUp(log, sink, never())), ['at 3', 'at 5'])
  assert.deepEqual(sink.numbers, [2, 3, 4, 5])
})

test('an expired offset restarts from the beginning', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  log.all.push(1, 2, 3)
  log.earliest = 2
  Object.assign(sink, { offset: '1', numbers: [0] })
  assert.deepEqual(await Array.fromAsync(catchUp(log, sink, never())), ['restarted', 'at 2', 'at 3'])
  assert.deepEqual(sink.numbers, [1, 2, 3])
})

test('a log that keeps expiring while it is read from the beginning fails', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  log.all.push(1, 2, 3)
  log.earliest = 9
  await assert.rejects(Array.fromAsync(catchUp(log, sink, never())), EXPIRED)
  assert.deepEqual(log.asked, [undefined, '2', undefined, '2', undefined, '2', undefined, '2'])
})

test('expiry is a failure if the sink cannot restart, and at the beginning', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  log.failures.push(EXPIRED, EXPIRED)
  await assert.rejects(Array.fromAsync(catchUp(log, sink, never())), EXPIRED)
  const plain: Sink<LogPage, string> = { checkpoint: () => '1', apply: () => undefined }
  await assert.rejects(Array.fromAsync(catchUp(log, plain, never())), EXPIRED)
})

test('an abort ends catching up after the page being applied', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  const ending = new AbortController()
  log.all.push(1, 2, 3, 4, 5)
  for await (const _ of catchUp(log, sink, ending.signal)) ending.abort()
  assert.deepEqual(sink.numbers, [1, 2])
})

/** Follows with pauses of a mocked clock. */
function following(t: TestContext, log: Numbers, sink: Kept) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const ending = new AbortController()
  const events = follow(log, sink, { signal: ending.signal, retryMs: 100, maxRetryMs: 300 })
  /** Returns the next event, once the clock has moved by `ms`. */
  const next = async (ms = 0) => {
    const event = events.next()
    // The pause begins before the clock is moved.
    await new Promise(setImmediate)
    t.mock.timers.tick(ms)
    return (await event).value
  }
  return { next, events, ending }
}

test('each round reads what is new, and a page that arrives with it is applied directly', async (t) => {
  const [log, sink] = [new Numbers(), new Kept()]
  const { next } = following(t, log, sink)
  log.all.push(1)
  log.connections.push([undefined, { changes: [2], next: '2', more: false }, undefined])
  assert.equal(await next(), 'at 1')
  assert.equal(await next(), 'at 2')
  log.all.push(2, 3)
  assert.equal(await next(), 'at 3')
  assert.deepEqual(log.asked, [undefined, '2'])
  assert.deepEqual(sink.numbers, [1, 2, 3])
})

test('pauses double up to a maximum, are at least half their nominal length, and reset after progress', async (t) => {
  t.mock.method(Math, 'random', () => 0)
  const [log, sink] = [new Numbers(), new Kept()]
  const { next } = following(t, log, sink)
  for (let count = 0; count < 4; count++) log.connections.push([new Error('cut')])
  const waits = [await next(), await next(50), await next(100), await next(150)]
  assert.deepEqual(waits, ['cut, 50 ms', 'cut, 100 ms', 'cut, 150 ms', 'cut, 150 ms'])
  log.all.push(1)
  log.connections.push([undefined, new Error('cut')])
  assert.deepEqual([await next(150), await next()], ['at 1', 'cut, 50 ms'])
})

test('pauses do not grow after a log was read to its end, even without new changes', async (t) => {
  t.mock.method(Math, 'random', () => 0)
  const [log, sink] = [new Numbers(), new Kept()]
  const { next } = following(t, log, sink)
  log.all.push(1)
  for (let count = 0; count < 3; count++) log.connections.push([undefined, new Error('cut')])
  const said = [await next(), await next(), await next(50), await next(50)]
  assert.deepEqual(said.slice(0, 2), ['at 1', 'cut, 50 ms'])
  // The log is read again, and returns a page without changes.
  assert.deepEqual(said.slice(2), ['at 1', 'cut, 50 ms'])
})

test('no retry comes before the Retry-After of a failure', async (t) => {
  t.mock.method(Math, 'random', () => 0.5)
  const [log, sink] = [new Numbers(), new Kept()]
  const { next } = following(t, log, sink)
  log.failures.push(Object.assign(new Error('busy'), { retryAfter: 7 }))
  log.connections.push([undefined])
  assert.equal(await next(), 'busy, 7075 ms')
})

test('a connection that lasted is not a failure, even without changes', async (t) => {
  t.mock.method(Math, 'random', () => 0)
  const [log, sink] = [new Numbers(), new Kept()]
  const { next } = following(t, log, sink)
  log.connections.push([new Error('cut')], [new Error('cut')])
  assert.deepEqual([await next(), await next(50)], ['cut, 50 ms', 'cut, 100 ms'])
  t.mock.method(log, 'live', async function* () {
    t.mock.timers.tick(10_000)
    yield* []
    throw new Error('cut')
  })
  assert.equal(await next(100), 'cut, 50 ms')
})

test('an error thrown by the sink ends the following, and so does an abort during a pause', async (t) => {
  const [log, sink] = [new Numbers(), new Kept()]
  const { events, next, ending } = following(t, log, sink)
  log.connections.push([new Error('cut')])
  await next()
  const ended = events.next()
  ending.abort()
  assert.deepEqual(await ended, { value: undefined, done: true })
  sink.lost = (error) => {
    throw error
  }
  log.connections.push([new Error('wrong')])
  await assert.rejects(follow(log, sink, { signal: never() }).next(), { message: 'wrong' })
})
