import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseResponse } from './parse-response.ts'

function parse(text: string, ended = false, bodyless = false) {
  return parseResponse(Buffer.from(text), ended, bodyless)
}

test('a body with a Content-Length is complete once that many bytes have arrived', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: a\r\nx: b\r\n\r\n'
  assert.equal(parse(`${head}ab`)?.complete, false)
  const parsed = parse(`${head}abc`)
  assert.deepEqual(
    [parsed?.complete, parsed?.reusable, parsed?.response.body.toString()],
    [true, true, 'abc'],
  )
  assert.deepEqual(parsed?.response.fields.slice(1), [
    ['X', 'a'],
    ['x', 'b'],
  ])
})

test('the chunks of a chunked body are joined', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  const parsed = parse(`${head}3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n`)
  assert.deepEqual([parsed?.complete, parsed?.response.body.toString()], [true, 'abcde'])
  assert.equal(parse(`${head}3\r\nabc\r\n`)?.complete, false)
  assert.equal(parse(`${head}zz\r\n`)?.complete, false)
})

test('a body without a length ends when the connection closes', () => {
  const text = 'HTTP/1.1 400 Bad Request\r\n\r\nno'
  assert.equal(parse(text)?.complete, false)
  const ended = parse(text, true)
  assert.deepEqual([ended?.complete, ended?.reusable, ended?.response.body.toString()], [true, false, 'no'])
})

test('interim responses are skipped, and their statuses are recorded', () => {
  const parsed = parse('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')
  assert.deepEqual([parsed?.response.status, parsed?.response.interim], [204, [100]])
})

test('responses to HEAD and responses with status 204 or 304 have no body, even with a Content-Length', () => {
  assert.equal(parse('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', false, true)?.complete, true)
  assert.equal(parse('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n')?.complete, true)
})

test('a connection is not reused after Connection: close or surplus bytes', () => {
  assert.equal(parse('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')?.reusable, false)
  assert.equal(parse('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nmore')?.reusable, false)
})

test('returns undefined for bytes that are not HTTP', () => {
  assert.equal(parse('<html>\r\n\r\n', true), undefined)
  assert.equal(parse('HTTP/1.1 200', true), undefined)
})
