import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKnown, matchesStrongTag, matchesTag, responseFrom } from './conditional-request.ts'

test('If-None-Match compares weakly, and supports lists and the asterisk', () => {
  for (const header of [
    '"a"',
    'W/"a"',
    '"x", W/"a"',
    '*',
    ' * ',
    '"x","a"',
    '"a", "x"',
    'W/"a","x"',
    '"x,y", "a"',
  ]) {
    assert.equal(matchesTag(header, 'W/"a"'), true, header)
    assert.equal(matchesTag(header, '"a"'), true, header)
  }
  for (const header of [
    undefined,
    '',
    '"b"',
    'a',
    'W/"b", "c"',
    '"a',
    '"A"',
    '"xa"',
    '""a""',
    '"*"',
    '"x", *',
  ]) {
    assert.equal(matchesTag(header, 'W/"a"'), false, String(header))
  }
})

test('If-Match compares strongly, so a weak tag does not even match itself', () => {
  for (const header of ['"a"', '"x", "a"', '"a","x"', '*', ' * ']) {
    assert.equal(matchesStrongTag(header, '"a"'), true, header)
  }
  for (const header of ['W/"a"', '"b"', '', 'a', '"x", W/"a"', '"*"']) {
    assert.equal(matchesStrongTag(header, '"a"'), false, header)
  }
  assert.equal(matchesStrongTag('W/"a"', 'W/"a"'), false)
})

const MODIFIED = 'Sun, 01 Mar 2026 09:00:00 GMT'

test('If-Modified-Since is ignored if tags are sent or it is not an HTTP date', () => {
  const known = (fields: Record<string, string>) => isKnown(fields, { etag: '"a"', lastModified: MODIFIED })
  assert.equal(known({ 'if-modified-since': MODIFIED }), true)
  assert.equal(known({ 'if-modified-since': 'Sun, 01 Mar 2026 09:00:01 GMT' }), true)
  assert.equal(known({ 'if-modified-since': 'Sun, 01 Mar 2026 08:59:59 GMT' }), false)
  assert.equal(known({ 'if-modified-since': '2026-03-01T09:00:00Z' }), false)
  assert.equal(known({ 'if-modified-since': MODIFIED, 'if-none-match': '"x"' }), false)
  assert.equal(known({ 'if-modified-since': 'yesterday', 'if-none-match': '"a"' }), true)
  assert.equal(known({}), false)
  assert.equal(isKnown({ 'if-modified-since': MODIFIED }, { etag: '"a"' }), false)
})

test('304 is returned only for reads, with the id of the request', () => {
  const representation = {
    full: { status: 200, headers: { etag: '"a"' } },
    notModified: { status: 304, headers: { etag: '"a"' } },
    etag: '"a"',
  }
  const answerTo = (method: string) => {
    const headers = { 'if-none-match': '"a"', 'request-id': method }
    const { status, requestId } = responseFrom(representation, { method, target: '/', headers })
    return [status, requestId]
  }
  assert.deepEqual(answerTo('GET'), [304, 'GET'])
  assert.deepEqual(answerTo('HEAD'), [304, 'HEAD'])
  for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) assert.deepEqual(answerTo(method), [200, method])
})
