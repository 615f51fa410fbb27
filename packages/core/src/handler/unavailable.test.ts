import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorResponse } from './error-response.ts'
import { overloaded, unavailable } from './unavailable.ts'

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
