import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { WorldResponse } from '@worldwright/core'
import { listen } from '@worldwright/node'
import {
  errorIn,
  open,
  outcome,
  outcomes,
  type RawResponse,
  received,
  requestText,
  responsesIn,
  talk,
} from './raw.fixture.ts'
import { API, DISCOVER, moon, served } from './served.fixture.ts'

const MOON = `${API}/entities/sol%3Amoon/io`
const GET = `GET ${MOON} HTTP/1.1\r\nHost: h\r\n\r\n`
const POST_HEAD = `POST ${DISCOVER} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n`
const POST = `${POST_HEAD}Content-Length: 12\r\n\r\n{"input":{}}`
const CHUNKED = `${POST_HEAD}Transfer-Encoding: chunked\r\n\r\nc\r\n{"input":{}}\r\n0\r\n\r\n`
const LAST = requestText(`GET ${API}/entities/sol%3Amoon`)

test('pipelined requests are answered in order, regardless of packet boundaries', async (t) => {
  const { port } = await served(t)
  const requests = [
    GET,
    POST,
    `HEAD ${MOON} HTTP/1.1\r\nHost: h\r\n\r\n`,
    CHUNKED,
    `GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n`,
  ]
  const all = Array.from({ length: 60 }, (_, index) => requests[(index * 7) % 5] ?? '')
  const methods = all.map((request) => request.slice(0, request.indexOf(' ')))
  const expected = all.map((request) => (request.includes('/nowhere') ? '404 not_found' : '200'))
  const text = all.join('') + LAST
  for (const size of [1, 7, 100, 1_000, text.length]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, (index + 1) * size),
    )
    assert.deepEqual(
      outcomes(await talk(port, ...pieces), methods),
      [...expected, '200'],
      `${size} bytes at a time`,
    )
  }
})

test('a request that cannot be parsed is refused once earlier requests have been answered', async (t) => {
  const { port, events } = await served(t)
  const broken: readonly (readonly [string, string])[] = [
    ['\x00\x01\r\n\r\n', '400 invalid_request'],
    ['FROBNICATE /x HTTP/1.1\r\nHost: h\r\n\r\n', '501 not_implemented'],
    [`GET /x HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, '431 headers_too_large'],
    [`GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: h\r\n\r\n`, '414 uri_too_long'],
    ['CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n', '405 method_not_allowed'],
    [`${POST_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, '400 invalid_request'],
    [`${POST_HEAD}Content-Length: 12\r\nContent-Length: 13\r\n\r\n`, '400 invalid_request'],
    ['GET /x HTTP/1.1\r\n\r\n', '400 invalid_request'],
  ]
  for (const [bytes, code] of broken) {
    for (const before of [[GET], [POST], [POST, GET], [GET, POST, POST]]) {
      const expected = [...before.map(() => '200'), code]
      const name = `${before.length} before ${JSON.stringify(bytes.slice(0, 40))}`
      assert.deepEqual(outcomes(await talk(port, before.join('') + bytes)), expected, name)
    }
  }
  assert.deepEqual(events, [])
})

test('a body that breaks off or stalls after the response only causes the connection to be closed', async (t) => {
  const { port, events } = await served(t, undefined, { listen: { requestTimeoutMs: 80 } })
  const unread = 'POST /nowhere HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n'
  // If all bytes arrive in one packet, the broken body is noticed before the path is looked up.
  assert.equal(outcome(await talk(port, `${unread}zz\r\n`)), '400 invalid_request')
  const socket = await open(port)
  socket.write(unread)
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.write('zz\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n')
  assert.equal(outcome(Buffer.concat([first, await received(socket)])), '404 not_found')
  socket.destroy()
  const stalled = `GET ${MOON} HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc`
  assert.equal(outcome(await talk(port, stalled)), '200')
  assert.deepEqual(events, [])
})

test('no framing trick splits one request or merges two', async (t) => {
  const { port } = await served(t)
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n'
  const framings = [
    `Content-Length: 12\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `Transfer-Encoding: chunked\r\nContent-Length: 12\r\n\r\n0\r\n\r\n${smuggled}`,
    `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`,
    `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    `Transfer-Encoding: chunked\r\n\r\n0\n\n${smuggled}`,
    `Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${smuggled}`,
    `Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${smuggled}`,
    `Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n${smuggled}`,
    `Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n${smuggled}`,
    `Content-Length: +0\r\n\r\n${smuggled}`,
    `Content-Length: 0x0\r\n\r\n${smuggled}`,
    `Content-Length: 0, 0\r\n\r\n${smuggled}`,
    `Content-Length: -1\r\n\r\n${smuggled}`,
    `Content-Length: 99999999999999999999\r\n\r\n${smuggled}`,
    `Content-Length : 0\r\n\r\n${smuggled}`,
    `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ]
  for (const framing of framings) {
    assert.equal(outcome(await talk(port, POST_HEAD + framing)), '400 invalid_request', framing.slice(0, 80))
  }
})

test('nothing more is read from a connection after an upgrade request', async (t) => {
  const { port } = await served(t)
  const fields = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
  for (const request of [GET, POST]) {
    const bytes = await talk(port, request.replace('Host: h\r\n', `Host: h\r\n${fields}`) + GET)
    assert.equal(outcome(bytes), '200')
    assert.equal(responsesIn(bytes)[0]?.headers.get('connection'), 'close')
  }
})

test('a half-closed client gets its answer, or an error for an incomplete request', async (t) => {
  const { port, events } = await served(t)
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [GET, ['200']],
    [POST + GET, ['200', '200']],
    [POST.slice(0, -1), ['400 invalid_request']],
    [CHUNKED.slice(0, -4), ['400 invalid_request']],
    [GET + GET.slice(0, 20), ['200', '400 invalid_request']],
    ['', []],
  ]
  for (const [text, expected] of cases) {
    const socket = await open(port)
    socket.end(text)
    const bytes = await received(socket)
    assert.deepEqual(outcomes(bytes), expected, JSON.stringify(text.slice(-30)))
    if (text.startsWith('POST') && expected[0] !== '200')
      assert.equal(errorIn(responsesIn(bytes)[0] as RawResponse).details?.['reason'], 'incomplete_body')
    socket.destroy()
  }
  assert.deepEqual(events, [])
})

test('clients that disconnect at any point cause no logged error', async (t) => {
  const large = 'x'.repeat(250_000)
  const entities = Array.from({ length: 12 }, (_, index) => ({ ...moon(`m${index}`), summary: large }))
  const { port, events } = await served(t, entities)
  const page = `GET ${API}/entities/sol%3Amoon HTTP/1.1\r\nHost: h\r\n\r\n`
  const beginnings = [page, page.repeat(5), POST.slice(0, -5), CHUNKED.slice(0, -9), GET.slice(0, 30), POST]
  await Promise.all(
    beginnings.flatMap((text) =>
      Array.from({ length: 10 }, async (_, index) => {
        const socket = await open(port)
        socket.write(text)
        // Some clients first receive the start of a response, and half of those reset the connection.
        if (index % 3 === 0 && text.startsWith('GET /api') && text !== GET.slice(0, 30))
          await once(socket, 'data')
        if (index % 2 === 0) socket.resetAndDestroy()
        else socket.destroy()
        await once(socket, 'close')
      }),
    ),
  )
  const [response] = responsesIn(await talk(port, LAST))
  assert.equal(response?.status, 200)
  assert.deepEqual(events, [])
})

test('a client that reads slowly receives all of a large response and does not delay others', async (t) => {
  const entities = Array.from({ length: 12 }, (_, index) => ({
    ...moon(`m${index}`),
    summary: 'x'.repeat(250_000),
  }))
  const { port } = await served(t, entities)
  const slow = await open(port)
  slow.pause()
  slow.write(LAST)
  assert.equal(outcome(await talk(port, requestText(`GET ${API}/entities/sol%3Amoon/m0`))), '200')
  const [response] = responsesIn(await received(slow))
  slow.destroy()
  const { entities: came } = JSON.parse(String(response?.body)) as { entities: unknown[] }
  assert.equal(came.length, 12)
})

test('an HTTP/1.0 connection closes after one response unless keep-alive is requested', async (t) => {
  const { port } = await served(t)
  const old = `GET ${MOON} HTTP/1.0\r\n`
  assert.deepEqual(outcomes(await talk(port, `${old}\r\n${old}\r\n`)), ['200'])
  const kept = await talk(port, `${old}Connection: keep-alive\r\n\r\n${old}\r\n`)
  assert.deepEqual(outcomes(kept), ['200', '200'])
  assert.equal(responsesIn(kept)[0]?.headers.get('connection'), 'keep-alive')
  const cut = await talk(
    port,
    `POST ${DISCOVER} HTTP/1.0\r\nContent-Type: application/json\r\n\r\n{"input":{}}`,
  )
  assert.equal(outcomes(cut)[0], '400 invalid_json')
})

test('a refusal sent before the body has arrived is the only response', async (t) => {
  let answer: (response: WorldResponse) => void = () => {}
  const handler = {
    handle: () =>
      new Promise<WorldResponse>((resolve) => {
        answer = resolve
      }),
  }
  const { port, close } = await listen(handler, { port: 0 })
  t.after(() => close())
  const socket = await open(port)
  socket.write(CHUNKED.replace('c\r\n{', 'zz\r\n{'))
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  answer({ status: 200, headers: { 'content-length': '2' }, body: '{}' })
  const [response] = responsesIn(Buffer.concat([bytes, await received(socket)]))
  socket.destroy()
  assert.ok(response !== undefined)
  assert.equal(errorIn(response).code, 'invalid_request')
})

test('malformed HTTP is refused with the malformed part as the reason', async (t) => {
  const { port } = await served(t)
  for (const [bytes, reason] of [
    ['\x00\x01\r\n\r\n', 'malformed_request_line'],
    ['GET /x HTTP/9\r\n\r\n', 'malformed_request_line'],
    ['GET /x HTTP/1.1\r\nHost: h\r\nX Y: 1\r\n\r\n', 'malformed_header'],
    ['GET /x HTTP/1.1\r\nHost: h\r\nX: \x01\r\n\r\n', 'malformed_header'],
    [`${POST_HEAD}Content-Length: 12\r\nContent-Length: 13\r\n\r\n`, 'malformed_length'],
    [`${POST_HEAD}Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n`, 'malformed_length'],
    [`${POST_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 'malformed_chunk'],
    [`${POST_HEAD}Transfer-Encoding: chunked\r\n\r\n2\n{}`, 'malformed_chunk'],
    [`${POST_HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}{}`, 'malformed_chunk'],
    ['GET /x HTTP/1.1\rX', 'malformed_request_line'],
    ['GET /x HTTP/1.1\r\n\r\n', 'missing_host'],
  ] as const)
    assert.equal(errorIn(responsesIn(await talk(port, bytes))[0] as RawResponse).details?.['reason'], reason)
})
