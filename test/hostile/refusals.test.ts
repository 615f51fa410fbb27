import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { errorIn, open, outcome, outcomes, received, requestText, responsesIn, talk } from './raw.fixture.ts'
import { API, DISCOVER, served } from './served.fixture.ts'

const JSON_TYPE = 'Content-Type: application/json'
const BODY = '{"input":{}}'
const MOON = `${API}/entities/sol%3Amoon/io`

/** Resources of Level 1 and the methods they allow. */
const ROUTES = [
  ['/.well-known/world.json', 'GET, HEAD, OPTIONS'],
  [`${API}/entities/sol%3Amoon`, 'GET, HEAD, OPTIONS'],
  [MOON, 'GET, HEAD, OPTIONS'],
  [DISCOVER, 'POST, OPTIONS'],
] as const

/** Returns the text of a discover request with these header fields and this body. */
function post(fields: readonly string[], body = BODY, line = `POST ${DISCOVER}`): string {
  return requestText(line, [`Content-Length: ${Buffer.byteLength(body)}`, ...fields], body)
}

test('an unsupported method gets 405 with the allowed methods', async (t) => {
  const { port, events } = await served(t)
  let refused = 0
  for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
    for (const [path, allow] of ROUTES) {
      const [response] = responsesIn(await talk(port, requestText(`${method} ${path}`)), [method])
      assert.ok(response !== undefined, method)
      if (allow.split(', ').includes(method)) {
        assert.ok(response.status !== 405, `${method} ${path}`)
        continue
      }
      refused += 1
      assert.equal(response.status, 405, `${method} ${path}`)
      assert.equal(response.headers.get('allow'), allow)
      if (method === 'HEAD') continue
      const { code, details } = errorIn(response)
      assert.equal(code, 'method_not_allowed')
      assert.deepEqual(details, { method, allowed: allow.split(', ') })
    }
  }
  assert.ok(refused > 100, String(refused))
  for (const method of ['FROBNICATE', 'get', 'X', "A!#$%&'*+.^_`|~-9"]) {
    assert.equal(outcome(await talk(port, requestText(`${method} ${MOON}`))), '501 not_implemented', method)
  }
  assert.deepEqual(events, [])
})

test('a body gets 415 unless it is application/json in UTF-8 without a content coding', async (t) => {
  const { port } = await served(t)
  const refused = [
    [],
    ['Content-Type:'],
    ['Content-Type: text/plain'],
    ['Content-Type: application/jsonp'],
    ['Content-Type: application/json-patch+json'],
    ['Content-Type: text/json'],
    ['Content-Type: application/x-www-form-urlencoded'],
    ['Content-Type: application/json, text/plain'],
    ['Content-Type: text/plain; application/json'],
    [JSON_TYPE, JSON_TYPE],
    ['Content-Type: application/json; charset=utf-16'],
    ['Content-Type: application/json; charset="iso-8859-1"'],
    ['Content-Type: application/json;CHARSET = latin1'],
    [JSON_TYPE, 'Content-Encoding: gzip'],
    [JSON_TYPE, 'Content-Encoding: identity, br'],
    [JSON_TYPE, 'Content-Encoding: identity', 'Content-Encoding: gzip'],
  ]
  for (const fields of refused) {
    const [response] = responsesIn(await talk(port, post(fields)))
    assert.ok(response !== undefined)
    assert.equal(errorIn(response).code, 'unsupported_media_type', fields.join(' + '))
    assert.deepEqual(errorIn(response).details, { supported: ['application/json'] })
  }
  const taken = [
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json ; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; profile="x"',
  ]
  for (const type of taken)
    assert.equal(outcome(await talk(port, post([`Content-Type: ${type}`]))), '200', type)
})

test('an Accept header that excludes JSON gets 406 on every route', async (t) => {
  const { port } = await served(t)
  const refused = [
    'text/html',
    'application/json;q=0',
    'application/json; q=0.000, */*',
    '*/*;q=0',
    'application/*;q=0, text/*',
    'application/xml, text/html;q=0.9',
    'json',
  ]
  const taken = [
    '',
    '*/*',
    'application/*',
    'APPLICATION/JSON',
    'text/html, */*;q=0.1',
    'application/json;q=0.001',
    ' , application/json',
  ]
  for (const [path, allow] of ROUTES) {
    for (const accept of [...refused, ...taken]) {
      const fields = [`Accept: ${accept}`, JSON_TYPE]
      const request = allow.startsWith('POST') ? post(fields) : requestText(`GET ${path}`, fields)
      const expected = refused.includes(accept) ? '406 not_acceptable' : '200'
      assert.equal(outcome(await talk(port, request)), expected, `${path}: ${accept}`)
    }
  }
  // Repeated fields are combined into one list.
  assert.equal(
    outcome(await talk(port, requestText(`GET ${MOON}`, ['Accept: text/html', 'Accept: */*']))),
    '200',
  )
})

test('an oversized part is 413, 414 or 431, however it is sent', async (t) => {
  const { port, events } = await served(t)
  const ask = async (...pieces: string[]) => outcome(await talk(port, ...pieces))
  const declared = `Content-Length: 65537`
  assert.equal(await ask(requestText(`POST ${DISCOVER}`, [JSON_TYPE, declared])), '413 payload_too_large')
  const huge = 'Content-Length: 9007199254740993'
  assert.equal(await ask(requestText(`POST ${DISCOVER}`, [JSON_TYPE, huge])), '413 payload_too_large')
  const chunk = `1000\r\n${' '.repeat(4_096)}\r\n`
  const chunked = requestText(`POST ${DISCOVER}`, [JSON_TYPE, 'Transfer-Encoding: chunked'])
  assert.equal(await ask(chunked, ...Array.from({ length: 17 }, () => chunk)), '413 payload_too_large')
  assert.equal(await ask(post([JSON_TYPE], BODY.padEnd(65_536))), '200')
  // A body of moderate size is read to its end although it is refused, and the connection stays open.
  const refused = `POST ${DISCOVER} HTTP/1.1\r\nHost: h\r\n${JSON_TYPE}\r\nContent-Length: 90000\r\n\r\n${'x'.repeat(90_000)}`
  const both = await talk(port, refused, requestText(`GET ${MOON}`))
  assert.deepEqual(outcomes(both), ['413 payload_too_large', '200'])

  const target = (length: number) => `/${'a'.repeat(length - 1)}`
  assert.equal(await ask(requestText(`GET ${target(8_192)}`)), '404 not_found')
  for (const length of [8_193, 12_000, 17_000, 60_000, 300_000]) {
    assert.equal(await ask(requestText(`GET ${target(length)}`)), '414 uri_too_long', String(length))
  }
  assert.equal(await ask(requestText(`GET ${MOON}?${'x'.repeat(9_000)}`)), '414 uri_too_long')

  for (const field of [
    `X: ${'x'.repeat(17_000)}`,
    `${'x'.repeat(17_000)}: x`,
    `Cookie: ${'x=y; '.repeat(60_000)}`,
  ]) {
    assert.equal(await ask(requestText(`GET ${MOON}`, [field])), '431 headers_too_large')
  }
  const many = Array.from({ length: 5_000 }, (_, index) => `X-${index}: y`)
  assert.equal(await ask(requestText(`GET ${MOON}`, many)), '431 headers_too_large')
  assert.deepEqual(events, [])
})

test('a request that is not HTTP/1.1 or does not have exactly one host is refused as invalid_request', async (t) => {
  const { port, events } = await served(t)
  const requests = [
    `GET ${MOON} HTTP/2.0\r\nHost: h\r\nConnection: close\r\n\r\n`,
    `GET ${MOON} HTTP/0.9\r\nHost: h\r\nConnection: close\r\n\r\n`,
    `GET ${MOON} HTTP/1.2\r\nHost: h\r\n\r\n`,
    `GET ${MOON}\r\n\r\n`,
    `GET ${MOON} HTTP/1.1\nHost: h\n\n`,
    `GET ${MOON} x HTTP/1.1\r\nHost: h\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    `GET moon HTTP/1.1\r\nHost: h\r\n\r\n`,
    `GET ${MOON} HTTP/1.1\r\nHost: h\r\n folded: x\r\n\r\n`,
    `GET ${MOON} HTTP/1.1\r\nHost : h\r\n\r\n`,
    `GET ${MOON} HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n`,
    `GET ${MOON} HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n`,
    `GET ${MOON} HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n`,
    `GET ${MOON} HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n`,
    `GET ${MOON} HTTP/1.1\r\n\r\n`,
    ...['a b', 'a/b', 'u@h', 'h?x', 'h#x', 'a,b', 'a\\b', '<h>', '"h"', '{h}', '\xc3\xa9'].map(
      (host) => `GET ${MOON} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ),
  ]
  for (const request of requests) {
    assert.equal(outcome(await talk(port, request)), '400 invalid_request', JSON.stringify(request))
  }
  for (const host of ['', 'h', 'h:1', '[::1]:80', 'sol.example', 'xn--4ca']) {
    const request = `GET ${MOON} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    assert.equal(outcome(await talk(port, request)), '200', host)
  }
  assert.deepEqual(events, [])
})

test('100-continue is the only supported expectation, and an HTTP/1.0 client gets no interim response', async (t) => {
  const { port } = await served(t)
  for (const expected of ['tea', '200-ok', '100']) {
    const request = requestText(`GET ${MOON}`, [`Expect: ${expected}`])
    assert.equal(outcome(await talk(port, request)), '417 expectation_failed', expected)
  }
  const old = `POST ${DISCOVER} HTTP/1.0\r\n${JSON_TYPE}\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n${BODY}`
  const bytes = await talk(port, old)
  assert.match(bytes.toString(), /^HTTP\/1\.1 200 /)
  // If a body would not be read anyway, the client is not asked to send it.
  const unread = requestText('POST /nowhere', ['Expect: 100-continue', 'Content-Length: 12'])
  assert.match((await talk(port, unread)).toString(), /^HTTP\/1\.1 404 /)
})

test('an endless request sent byte by byte is 408, in its header or its body', async (t) => {
  const { port, events } = await served(t, undefined, { listen: { requestTimeoutMs: 150 } })
  const starts = [
    `GET ${MOON} HTTP/1.1\r\nHost: h\r\nX-Slow: `,
    `POST ${DISCOVER} HTTP/1.1\r\nHost: h\r\n${JSON_TYPE}\r\nContent-Length: 60000\r\n\r\n{"input":{"text":"`,
    `POST ${DISCOVER} HTTP/1.1\r\nHost: h\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n`,
  ]
  const slow = starts.flatMap((start) => Array.from({ length: 8 }, () => start))
  const outcomes = await Promise.all(
    slow.map(async (start) => {
      const socket = await open(port)
      socket.write(start)
      const drip = setInterval(() => socket.write('x'), 10)
      const bytes = await received(socket)
      clearInterval(drip)
      socket.destroy()
      return outcome(bytes)
    }),
  )
  assert.deepEqual(new Set(outcomes), new Set(['408 request_timeout']))
  assert.equal(outcome(await talk(port, requestText(`GET ${MOON}`))), '200')
  assert.deepEqual(events, [])
})
