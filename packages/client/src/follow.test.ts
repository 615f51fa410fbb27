import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { catchUp, follow, type Log, type LogPage, type Sink } from './follow.ts'

const EXPIRED = new RangeError('expired')

/** A log of numbers. The offset of a number is its index plus 1. Each read throws the next queued failure, if any. */
class Numbers implements Log<LogPage> {
  readonly all: number[] = []
  readonly failures: unknown[] = []
  /** Values that each connection yields. A connection ends after its last value and breaks at an `Error`. */
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

/** A sink that stores all changes and reports each call as an event. */
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

test('catching up restarts from the beginning if the offset has expired', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  log.all.push(1, 2, 3)
  log.earliest = 2
  Object.assign(sink, { offset: '1', numbers: [0] })
  assert.deepEqual(await Array.fromAsync(catchUp(log, sink, never())), ['restarted', 'at 2', 'at 3'])
  assert.deepEqual(sink.numbers, [1, 2, 3])
})

test('catching up fails if offsets keep expiring', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  log.all.push(1, 2, 3)
  log.earliest = 9
  await assert.rejects(Array.fromAsync(catchUp(log, sink, never())), EXPIRED)
  assert.deepEqual(log.asked, [undefined, '2', undefined, '2', undefined, '2', undefined, '2'])
})

test('an expired offset is an error if the sink cannot restart or is at the beginning', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  log.failures.push(EXPIRED, EXPIRED)
  await assert.rejects(Array.fromAsync(catchUp(log, sink, never())), EXPIRED)
  const plain: Sink<LogPage, string> = { checkpoint: () => '1', apply: () => undefined }
  await assert.rejects(Array.fromAsync(catchUp(log, plain, never())), EXPIRED)
})

test('an abort ends catching up after the current page', async () => {
  const [log, sink] = [new Numbers(), new Kept()]
  const ending = new AbortController()
  log.all.push(1, 2, 3, 4, 5)
  for await (const _ of catchUp(log, sink, ending.signal)) ending.abort()
  assert.deepEqual(sink.numbers, [1, 2])
})

/** Follows a log with a mocked clock. */
function following(t: TestContext, log: Numbers, sink: Kept) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const ending = new AbortController()
  const events = follow(log, sink, { signal: ending.signal, retryMs: 100, maxRetryMs: 300 })
  /** Returns the next event after advancing the clock by `ms`. */
  const next = async (ms = 0) => {
    const event = events.next()
    // Lets the pause begin before the clock is advanced.
    await new Promise(setImmediate)
    t.mock.timers.tick(ms)
    return (await event).value
  }
  return { next, events, ending }
}

test('a notification without a page triggers a read, and a received page is applied directly', async (t) => {
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

test('pauses double up to a maximum and are reset after progress', async (t) => {
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

test('pauses do not grow if the log was read to its end', async (t) => {
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

test('a retry waits for the Retry-After of the failure', async (t) => {
  t.mock.method(Math, 'random', () => 0.5)
  const [log, sink] = [new Numbers(), new Kept()]
  const { next } = following(t, log, sink)
  log.failures.push(Object.assign(new Error('busy'), { retryAfter: 7 }))
  log.connections.push([undefined])
  assert.equal(await next(), 'busy, 7075 ms')
})

test('a long-lived connection without changes resets the backoff', async (t) => {
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

test('following ends if the sink throws or the signal aborts during a pause', async (t) => {
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
