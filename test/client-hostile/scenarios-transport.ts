/** Hostile worlds with endless bodies, decompression bombs, slow drips or broken framing. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { answer, behind, endless, type Reply } from './hostile-world.ts'
import type { Scenario } from './scenarios.ts'

const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const raw =
  (head: string, then?: Reply): Reply =>
  (socket, request, place) => {
    socket.write(head)
    then?.(socket, request, place)
  }
// The HTTP parser of Node.js allocates an object per chunk. For a body in one-byte chunks, even a `fetch` that discards
// each part produces about 90 MiB of garbage.
const PARSER_BYTES = 128 * 2 ** 20
// For the first 16 MiB of a fast body, even a `fetch` that discards each part takes about 45 MiB.
const FETCH_BYTES = 72 * 2 ** 20
// Either limit may be reached first. On a slow machine, it is the timeout.
const TOO_LARGE = ['response_too_large', 'timeout']
const ended: Reply = (socket) => void socket.end()
const ok = (headers = '') => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}\r\n`

// Created before any world listens, because compressing blocks the event loop.
const bombs = bombsOf(Buffer.alloc(2 ** 26, ' '))

/** Returns all scenarios with a hostile connection. */
export function transport(): Scenario[] {
  return [...large().map((scenario): Scenario => ({ ...scenario, large: true })), ...slow(), ...broken()]
}

function large(): Scenario[] {
  const space = `4000\r\n${' '.repeat(0x4000)}\r\n`
  const zero = `4000\r\n${'0,'.repeat(0x2000)}\r\n`
  const both = (name: string, reply: Reply, expect: Scenario['expect'] = TOO_LARGE): Scenario[] => [
    { name: `discovery is ${name}`, op: 'connect', reply, expect },
    { name: `an entity is ${name}`, op: 'get', reply: behind(reply), expect, mostBytes: FETCH_BYTES },
  ]
  return [
    ...both(
      'spaces without end',
      raw(ok(CHUNKED), (socket) => endless(socket, space)),
    ),
    ...both(
      'numbers without end',
      raw(`${ok(CHUNKED)}1\r\n[\r\n`, (socket) => endless(socket, zero)),
    ),
    ...both(
      'without end and without framing',
      raw(ok(), (socket) => endless(socket, ' '.repeat(0x4000))),
    ),
    ...both(
      'single bytes without end',
      raw(ok(CHUNKED), (socket) => endless(socket, '1\r\n \r\n'.repeat(2000))),
    ).map((scenario) => ({ ...scenario, mostBytes: PARSER_BYTES })),
    {
      name: 'single bytes without end through the guard',
      op: 'get',
      guard: true,
      reply: behind(raw(ok(CHUNKED), (socket) => endless(socket, '1\r\n \r\n'.repeat(2000)))),
      expect: TOO_LARGE,
      mostBytes: PARSER_BYTES,
    },
    {
      name: 'an error said to have 2^60 bytes',
      op: 'get',
      reply: behind(raw('HTTP/1.1 500 X\r\nContent-Length: 1152921504606846976\r\n\r\n{')),
      expect: 'response_too_large',
    },
    ...(['gzip', 'br', 'deflate'] as const).flatMap((coding) =>
      both(`a bomb in ${coding}`, (socket) =>
        answer(socket, 200, bombs[coding], { 'Content-Encoding': coding }),
      ),
    ),
    ...both(
      'a bomb in a bomb',
      (socket) => answer(socket, 200, bombs.twice, { 'Content-Encoding': 'gzip, gzip' }),
      [...TOO_LARGE, 'not_a_world', 'invalid_response', 'network_error'],
    ),
    ...both(
      'said to have 2^60 bytes',
      raw(ok('Content-Length: 1152921504606846976\r\n'), (socket) => endless(socket, ' '.repeat(0x4000))),
      ['response_too_large', 'network_error'],
    ),
    {
      name: 'an error without end',
      op: 'get',
      reply: behind(raw(`HTTP/1.1 500 X\r\n${CHUNKED}\r\n`, (socket) => endless(socket, space))),
      expect: TOO_LARGE,
      mostBytes: FETCH_BYTES,
    },
    {
      name: 'a bomb through the guard',
      op: 'get',
      guard: true,
      reply: behind((socket) => answer(socket, 200, bombs.gzip, { 'Content-Encoding': 'gzip' })),
      expect: TOO_LARGE,
    },
    {
      name: 'endless spaces through the guard',
      op: 'get',
      guard: true,
      reply: behind(raw(ok(CHUNKED), (socket) => endless(socket, space))),
      expect: TOO_LARGE,
      mostBytes: FETCH_BYTES,
    },
  ]
}

function slow(): Scenario[] {
  return [
    { name: 'discovery never comes', op: 'connect', reply: () => {}, expect: 'timeout' },
    { name: 'an entity never comes', op: 'get', reply: behind(() => {}), expect: 'timeout' },
    { name: 'a search never comes', op: 'discover', reply: behind(() => {}), expect: 'timeout' },
    { name: 'an action never comes', op: 'action', reply: behind(() => {}), expect: 'timeout' },
    {
      name: 'headers drip',
      op: 'get',
      reply: behind(raw('HTTP/1.1 200 OK\r\n', (socket) => endless(socket, 'X-A: b\r\n', 50))),
      expect: ['timeout', 'network_error'],
    },
    {
      name: 'a body drips',
      op: 'get',
      reply: behind(raw(ok(CHUNKED), (socket) => endless(socket, '1\r\n \r\n', 50))),
      expect: 'timeout',
    },
    {
      name: 'a body stops in the middle',
      op: 'get',
      reply: behind(raw(`${ok('Content-Length: 100\r\n')}{"id":`)),
      expect: 'timeout',
    },
    {
      name: 'an error drips',
      op: 'get',
      reply: behind(raw(`HTTP/1.1 503 X\r\n${CHUNKED}\r\n`, (socket) => endless(socket, '1\r\n \r\n', 50))),
      expect: 'timeout',
    },
    {
      name: 'informational answers without end',
      op: 'get',
      reply: behind((socket) => endless(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 20)),
      expect: ['timeout', 'network_error'],
    },
    {
      name: 'a slow drip through the guard',
      op: 'get',
      guard: true,
      reply: behind(raw(ok(CHUNKED), (socket) => endless(socket, '1\r\n \r\n', 50))),
      expect: 'timeout',
    },
  ]
}

function broken(): Scenario[] {
  const replies: [string, Reply][] = [
    ['a closed connection', ended],
    ['a reset connection', (socket) => void socket.resetAndDestroy()],
    ['half a status line', raw('HTTP/1.1 2', ended)],
    ['half the headers', raw('HTTP/1.1 200 OK\r\nContent-Type: appl', ended)],
    ['noise', raw('\u0000\u0001\u0002\r\n\r\n', ended)],
    ['an answer of HTTP/0.9', raw('{"id":"x"}', ended)],
    ['a preface of HTTP/2', raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ended)],
    ['an alert of TLS', raw('\u0015\u0003\u0001\u0000\u0002\u0002\u0050', ended)],
    ['status 000', raw('HTTP/1.1 000 X\r\nContent-Length: 2\r\n\r\n{}', ended)],
    ['status 999', raw('HTTP/1.1 999 X\r\nContent-Length: 2\r\n\r\n{}', ended)],
    ['status 101', raw('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n{}', ended)],
    ['a body shorter than its length', raw(`${ok('Content-Length: 50\r\n')}{"id":"x"}`, ended)],
    ['a length that is none', raw(`${ok('Content-Length: -1\r\n')}{}`, ended)],
    ['two lengths', raw(`${ok('Content-Length: 1\r\nContent-Length: 2\r\n')}{}`, ended)],
    ['a chunk size that is none', raw(`${ok(CHUNKED)}zz\r\n{}\r\n0\r\n\r\n`, ended)],
    ['chunks without an end', raw(`${ok(CHUNKED)}2\r\n{}\r\n`, ended)],
    [
      'gzip that breaks off',
      (socket) => answer(socket, 200, gzipSync('{"id":"x"}').subarray(0, 14), { 'Content-Encoding': 'gzip' }),
    ],
    ['gzip that is none', (socket) => answer(socket, 200, '{"id":"x"}', { 'Content-Encoding': 'gzip' })],
    ['headers of 1 MB', raw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(2 ** 20)}\r\n\r\n`, ended)],
    ['a hundred thousand headers', raw(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(100_000)}\r\n`, ended)],
  ]
  const odd = ['network_error', 'timeout', 'http_000', 'http_999', 'not_a_world', 'invalid_response']
  return [
    ...replies.flatMap(([name, reply]): Scenario[] => [
      { name: `discovery is ${name}`, op: 'connect', reply, expect: odd },
      { name: `an entity is ${name}`, op: 'get', reply: behind(reply), expect: odd },
      {
        name: `through the guard, an entity is ${name}`,
        op: 'get',
        guard: true,
        reply: behind(reply),
        expect: odd,
      },
    ]),
    {
      name: '204 for an entity',
      op: 'get',
      reply: behind(raw('HTTP/1.1 204 X\r\n\r\n')),
      expect: 'invalid_response',
    },
    {
      name: '304 for an entity',
      op: 'get',
      reply: behind(raw('HTTP/1.1 304 X\r\n\r\n')),
      expect: 'http_304',
    },
    {
      name: '206 with half an entity',
      op: 'get',
      reply: behind((socket) => answer(socket, 206, '{"id":')),
      expect: 'invalid_response',
    },
  ]
}

function bombsOf(blank: Buffer) {
  const gzip = gzipSync(blank)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  return {
    gzip,
    br: brotliCompressSync(blank, { params }),
    deflate: deflateSync(blank),
    twice: gzipSync(gzip),
  }
}
