import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../store/memory.ts'
import { errorResponse } from './error-response.ts'
import { createWorld } from './handler.ts'
import type { LogEvent } from './options.ts'
import { overloaded, unavailable } from './unavailable.ts'
import { DESCRIPTION } from './world.fixture.ts'

test('an unavailable fault states the retry delay in its header and its details', () => {
  const cause = new Error('disk')
  const fault = unavailable('Try again.', 7, { details: { reason: 'busy' }, cause })
  assert.equal(fault.cause, cause)
  const { status, headers, body } = errorResponse(fault, 'one')
  assert.deepEqual([status, headers['retry-after'], headers['world-error-code']], [503, '7', 'unavailable'])
  assert.deepEqual(JSON.parse(Buffer.from(body as Uint8Array).toString()), {
    code: 'unavailable',
    message: 'Try again.',
    details: { retryAfterSeconds: 7, reason: 'busy' },
    requestId: 'one',
  })
})

test('a client that exceeds its rate limit gets 429', () => {
  const { status, headers } = errorResponse(unavailable('Go on.', 3, { code: 'rate_limited' }), 'one')
  assert.deepEqual([status, headers['retry-after']], [429, '3'])
})

test('an overloaded server varies Retry-After from one to five seconds', () => {
  const seconds = new Set(Array.from({ length: 500 }, () => overloaded().headers['retry-after']))
  assert.deepEqual([...seconds].sort(), ['1', '2', '3', '4', '5'])
})

test('a refusal that says its whole reason is not logged as a failure, unlike one with a cause', async () => {
  const events: LogEvent[] = []
  const refused = [{}, { cause: new Error('disk') }, { details: {} }]
  const route = (more: object, at: number) => ({
    path: `/refused/${at}`,
    methods: {
      GET: () => Promise.reject(unavailable('Ask again.', 1, { details: { reason: 'preparing' }, ...more })),
    },
  })
  const { handle } = createWorld({
    ...DESCRIPTION,
    store: createMemoryStore(),
    log: (event) => events.push(event),
    extensions: [() => ({ name: 'sol:refusals', routes: refused.map(route) })],
  })
  for (const at of refused.keys()) {
    const { status } = await handle({ method: 'GET', target: `/refused/${at}`, headers: {} })
    assert.equal(status, 503)
  }
  assert.deepEqual(
    events.map(({ target, error }) => [target, (error as Error).message]),
    [
      ['/refused/1', 'disk'],
      ['/refused/2', 'Ask again.'],
    ],
  )
})
