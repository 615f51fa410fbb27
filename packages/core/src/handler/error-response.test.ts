import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreFault } from '../store/contract.ts'
import { fieldsFault, WorldFault } from '../world/errors.ts'
import { errorResponse, faultFrom } from './error-response.ts'

test('an error response has JSON, CORS and error code headers, and is not cached', () => {
  const fault = new WorldFault('not_found', 'There is nothing at ξ.', { path: '/ξ' })
  const { status, headers, body } = errorResponse(fault, 'one')
  const text =
    '{"code":"not_found","message":"There is nothing at ξ.","details":{"path":"/ξ"},"requestId":"one"}'
  assert.equal(Buffer.from(body as Uint8Array).toString(), text)
  assert.equal(status, 404)
  assert.deepEqual(headers, {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'application/json',
    'content-length': '99',
    'cache-control': 'no-store',
    'world-error-code': 'not_found',
    'request-id': 'one',
  })
})

test('an error lists at most 20 faults', () => {
  const fields = Array.from({ length: 25 }, (_, index) => ({
    in: 'body' as const,
    pointer: `/${index}`,
    reason: 'malformed' as const,
  }))
  assert.deepEqual(
    fieldsFault('invalid_input', 'Faults.', fields.slice(0, 20)).details['fields'],
    fields.slice(0, 20),
  )
  assert.deepEqual(fieldsFault('invalid_input', 'Faults.', fields).details['fields'], fields.slice(0, 20))
})

test('a store that is unavailable adds its details to the reason', () => {
  const { code, details } = faultFrom(
    new StoreFault('index_rebuilding', 'Refused at http://10.0.0.1.', { details: { failing: true } }),
  )
  assert.equal(code, 'unavailable')
  assert.deepEqual(details, { retryAfterSeconds: 1, reason: 'index_rebuilding', failing: true })
})
