import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorldError } from '@worldwright/client'
import { type Cause, failureFrom, isAborted } from './failure.ts'

const connectivity = { isOnline: true, isSecure: false }
const causeOf = (code: string, status = 0, isDocument = false) =>
  failureFrom(new WorldError(code, 'said', { status, url: 'http://sol.example/x' }), connectivity, isDocument)
    .cause

test('a failure is classified by its code or, if the code is unknown, by its status', () => {
  const cases: [string, number, Cause][] = [
    ['not_a_world', 200, 'notAWorld'],
    ['unsupported_protocol', 200, 'otherVersion'],
    ['timeout', 0, 'timeout'],
    ['entity_not_found', 404, 'notFound'],
    ['unknown_type', 404, 'unknownType'],
    ['http_404', 404, 'notFound'],
    ['rate_limited', 429, 'busy'],
    ['http_429', 429, 'busy'],
    ['unavailable', 503, 'busy'],
    ['unauthenticated', 401, 'needsToken'],
    ['insecure_endpoint', 0, 'insecure'],
    ['internal_error', 500, 'serverFault'],
    ['http_502', 502, 'serverFault'],
    ['invalid_cursor', 400, 'badCursor'],
    ['invalid_input', 400, 'refused'],
    ['invalid_response', 200, 'strange'],
    ['constructor', 400, 'refused'],
  ]
  for (const [code, status, cause] of cases) assert.equal(causeOf(code, status), cause, code)
})

test('a 404 for the discovery document means that there is no world', () => {
  assert.equal(causeOf('http_404', 404, true), 'notAWorld')
  assert.equal(causeOf('not_found', 404, true), 'notAWorld')
  assert.equal(causeOf('invalid_argument', 0, true), 'badOrigin')
})

test('a discovery document that needs a token is classified as forbidden', () => {
  assert.equal(causeOf('unauthenticated', 401, true), 'forbidden')
})

test('a network error is classified as offline, mixed content or unreachable', () => {
  const error = new WorldError('network_error', 'no', { url: 'http://sol.example/x' })
  assert.equal(failureFrom(error, { isOnline: false, isSecure: true }).cause, 'offline')
  assert.equal(failureFrom(error, { isOnline: true, isSecure: true }).cause, 'mixedContent')
  assert.equal(failureFrom(error, connectivity).cause, 'unreachable')
})

test('unrecognised member names are distinguished from an unreadable answer', () => {
  const error = new WorldError('invalid_response', 'no', { status: 200, details: { members: ['rows'] } })
  assert.equal(failureFrom(error, connectivity).cause, 'unrecognised')
})

test('the requested wait is kept, and any thrown value becomes a failure', () => {
  const busy = new WorldError('rate_limited', 'slow down', { status: 429, retryAfter: 7, requestId: 'r' })
  const { wait, requestId, message } = failureFrom(busy, connectivity)
  assert.deepEqual([wait, requestId, message], [7, 'r', 'slow down'])
  assert.equal(failureFrom(new TypeError('bug'), connectivity).cause, 'ownFault')
  assert.equal(failureFrom('text', connectivity).message, 'text')
  assert.equal(isAborted(new WorldError('aborted', '')), true)
  assert.equal(isAborted(new Error('aborted')), false)
})
