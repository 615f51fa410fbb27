import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connect } from './connect.ts'
import { type Answer, DOCUMENT, failure, scriptedFetch } from './scripted-fetch.fixture.ts'

const ORIGIN = 'https://sol.example'
const EUROPA = 'https://data.sol.example/w/v3/entities/sol%3Amoon/europa'
const never = () => new Promise(() => {})

/** Makes the jitter choose its minimum, so that retries follow without pauses. */
function withoutPauses(t: TestContext) {
  t.mock.method(Math, 'random', () => 0)
}

/** Waits until all pending promise callbacks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

async function worldOf(options: object, ...answers: Answer[]) {
  const script = scriptedFetch(DOCUMENT, ...answers)
  const world = await connect(ORIGIN, { fetch: script.fetch, ...options })
  return { world, ...script }
}

test('a call ends after its timeout even if fetch ignores its signal', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const { world, sent } = await worldOf({ attemptTimeout: 1e6 }, never, never, never)
  for (const [options, ms] of [
    [{}, 30_000],
    [{ timeout: 50 }, 50],
  ] as const) {
    const call = assert.rejects(world.get('sol:moon', 'europa', options), {
      code: 'timeout',
      status: 0,
      url: EUROPA,
    })
    await settled()
    t.mock.timers.tick(ms - 1)
    await settled()
    assert.equal(sent.at(-1)?.init.signal?.aborted, false)
    t.mock.timers.tick(1)
    await call
    assert.equal(sent.at(-1)?.init.signal?.aborted, true)
  }
  assert.equal(sent.length, 3)
})

test('a silent attempt is aborted and retried', async (t) => {
  withoutPauses(t)
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const { world, sent } = await worldOf({}, never, DOCUMENT, { id: 'europa' })
  const call = world.get('sol:moon', 'europa')
  await settled()
  t.mock.timers.tick(10_000)
  await settled()
  t.mock.timers.tick(0)
  assert.equal((await call).id, 'europa')
  assert.equal(sent.length, 4)
})

test('an attempt is not idle while its body is arriving', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  let body: ReadableStreamDefaultController | undefined
  const start = (controller: ReadableStreamDefaultController) => {
    body = controller
  }
  const slow = () => new Response(new ReadableStream({ start }))
  const { world, sent } = await worldOf({}, slow)
  const call = world.get('sol:moon', 'europa')
  for (const part of ['{"id"', ':"eur', 'opa"}']) {
    await settled()
    t.mock.timers.tick(9000)
    body?.enqueue(new TextEncoder().encode(part))
  }
  body?.close()
  assert.equal((await call).id, 'europa')
  assert.equal(sent.length, 2)
})

test('the only attempt of an unsafe action may use the whole timeout', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const waiting: ((answer: object) => void)[] = []
  const { world } = await worldOf({}, () => new Promise((resolve) => waiting.push(resolve)))
  const call = world.action('sol:launch', {})
  await settled()
  t.mock.timers.tick(29_000)
  waiting[0]?.({ output: 1 })
  assert.deepEqual(await call, { output: 1 })
})

test('a timeout must be greater than 0 and may be Infinity', async (t) => {
  const forever = Number.POSITIVE_INFINITY
  const timers = t.mock.method(globalThis, 'setTimeout')
  const { world } = await worldOf({ timeout: forever, attemptTimeout: forever }, { id: 'europa' })
  await world.get('sol:moon', 'europa')
  // A timer whose delay exceeds this many milliseconds fires immediately.
  assert.ok(timers.mock.calls.every((call) => Number(call.arguments[1]) <= 2147483647))
  for (const timeout of [0, -5, Number.NaN]) {
    await assert.rejects(world.get('sol:moon', 'europa', { timeout }), { code: 'invalid_argument' })
  }
})

test("an aborted call rejects with aborted and the signal's reason as cause", async () => {
  const controller = new AbortController()
  const { world, sent } = await worldOf({}, never)
  const call = world.get('sol:moon', 'europa', { signal: controller.signal })
  await settled()
  const reason = new Error('changed my mind')
  controller.abort(reason)
  await assert.rejects(call, { name: 'WorldError', code: 'aborted', status: 0, cause: reason, url: EUROPA })
  assert.equal(sent[1]?.init.signal?.aborted, true)
})

test('nothing is sent if the signal is already aborted', async () => {
  const { world, sent } = await worldOf({}, { id: 'europa' })
  await assert.rejects(world.get('sol:moon', 'europa', { signal: AbortSignal.abort() }), { code: 'aborted' })
  assert.equal(sent.length, 1)
})

test('nothing is retried after an abort during an attempt or a pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const aborting = new AbortController()
  const early = await worldOf(
    {},
    () => {
      aborting.abort()
      throw new TypeError('x')
    },
    { id: 'europa' },
  )
  await assert.rejects(early.world.get('sol:moon', 'europa', { signal: aborting.signal }), {
    code: 'aborted',
  })
  const pausing = new AbortController()
  const late = await worldOf({}, failure(503, 'unavailable'), { id: 'europa' })
  const call = assert.rejects(late.world.get('sol:moon', 'europa', { signal: pausing.signal }), {
    code: 'aborted',
  })
  await settled()
  pausing.abort()
  await call
  t.mock.timers.tick(60_000)
  await settled()
  assert.equal(early.sent.length, 2)
  assert.equal(late.sent.length, 2)
})

test("a call removes its listener from the caller's signal", async () => {
  const { signal } = new AbortController()
  let listening = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening++
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening--
    remove(...args)
  }
  const { world } = await worldOf({}, { id: 'europa' })
  await world.get('sol:moon', 'europa', { signal })
  assert.equal(listening, 0)
})

test('the original failure is thrown if rereading the discovery document hangs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const { world } = await worldOf({ retries: 0 }, new TypeError('refused'), never)
  const call = assert.rejects(world.get('sol:moon', 'europa'), { code: 'network_error', url: EUROPA })
  await settled()
  t.mock.timers.tick(10_000)
  await call
})
