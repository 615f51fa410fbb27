import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWorldError, WorldError } from './error.ts'

test('an error has default values for status, details and url', () => {
  const error = new WorldError('invalid_argument', 'No.')
  assert.ok(error instanceof Error)
  assert.equal(error.name, 'WorldError')
  assert.equal(error.message, 'No.')
  assert.deepEqual([error.status, error.code, error.details, error.url], [0, 'invalid_argument', {}, ''])
  assert.equal(error.requestId, undefined)
  assert.equal(error.retryAfter, undefined)
  assert.equal('cause' in error, false)
})

test('toJSON returns plain data without cause or stack', () => {
  const context = {
    status: 429,
    url: 'https://a.example/x',
    requestId: 'r',
    retryAfter: 3,
    cause: new Error('inner'),
  }
  assert.deepEqual(JSON.parse(JSON.stringify(new WorldError('rate_limited', 'Slower.', context))), {
    name: 'WorldError',
    message: 'Slower.',
    status: 429,
    code: 'rate_limited',
    details: {},
    url: 'https://a.example/x',
    requestId: 'r',
    retryAfter: 3,
  })
})

test('isWorldError recognises only WorldErrors, including those from another copy of the package', async () => {
  const copy = (await import(`./error.ts?${'copy'}`)) as typeof import('./error.ts')
  const foreign = new copy.WorldError('timeout', 'Late.')
  assert.equal(foreign instanceof WorldError, false)
  assert.equal(isWorldError(foreign), true)
  assert.equal(isWorldError(new WorldError('timeout', 'Late.')), true)
  for (const other of [
    null,
    undefined,
    'timeout',
    5,
    {},
    new Error('x'),
    { name: 'WorldError', code: 'timeout' },
  ]) {
    assert.equal(isWorldError(other), false)
  }
})

test('the default message contains the code, with spaces for underscores, and the details', () => {
  assert.equal(new WorldError('not_a_world').message, 'not a world')
  const details = { expected: 'urn:a', actual: 'urn:b' }
  const { message } = new WorldError('world_mismatch', undefined, { details })
  assert.equal(message, 'world mismatch {"expected":"urn:a","actual":"urn:b"}')
  assert.equal(new WorldError('x', undefined, { details: { big: 1n } }).message, 'x')
})
