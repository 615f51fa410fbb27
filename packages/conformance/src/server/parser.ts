import { NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectHeader, expectStatus } from '../http/expect.ts'
import { isObject } from '../json/json.ts'
import { ownList } from './subjects.ts'
import { check, type Target } from './target.ts'

/** Times to wait for the response to a stalled request, in milliseconds: first without `--slow`, then with it. */
const STALL_MS = 35_000
const SLOW_STALL_MS = 150_000

interface Place {
  readonly host: string
  readonly path: string
}

async function place(target: Target): Promise<Place> {
  const { origin, path } = await target.api()
  return { host: new URL(origin).host, path: path + (await ownList(target)) }
}

/** Fails unless the response is a complete error. Frameworks tend to leave the bodies of such errors empty. */
function expectWhole(exchange: Exchange, status: number, code: string, ...members: string[]): void {
  expectError(exchange, status, code, ...members)
  const message = exchange.member('message')
  demand(typeof message === 'string' && message !== '', 'there is no message', exchange)
  demand(isObject(exchange.member('details')), 'details is not an object', exchange)
  expectHeader(exchange, 'Content-Type', /^application\/json\b/)
  demand(exchange.header('world-error-code') === code, 'World-Error-Code is not the code', exchange)
  demand(exchange.header('access-control-allow-origin') === '*', 'there are no CORS headers', exchange)
}

const INVALID = [400, 'invalid_request', 'reason'] as const

/** Defines a check that passes if each of the request heads is refused with this error and a complete body. */
function refused(
  id: string,
  demands: string,
  [status, code, ...members]: readonly [status: number, code: string, ...members: string[]],
  heads: (place: Place) => readonly string[],
) {
  return check(id, demands, async (target) => {
    for (const head of heads(await place(target)))
      expectWhole(await target.raw(`${head}\r\n\r\n`), status, code, ...members)
  })
}

/** Checks for section 5 of the decisions: requests that an HTTP parser refuses before any handler. Ordered by rule. */
export const parserChecks = [
  refused('D5-42.a', 'a request without Host gets 400 invalid_request', INVALID, ({ path }) => [
    `GET ${path} HTTP/1.1`,
  ]).also('D5-13', 'L1-errors-1'),
  refused('D5-42.b', 'a request line that is none gets 400 invalid_request', INVALID, ({ host, path }) => [
    `GET ${path} HTTP/one.one\r\nHost: ${host}`,
  ]).also('D5-13', 'L1-errors-1'),
  refused('D5-42.c', 'a header field that is none gets 400 invalid_request', INVALID, ({ host, path }) => [
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nBad Header: 1`,
  ]).also('D5-13', 'L1-errors-1'),
  check('D5-42.d', 'CONNECT gets an error body', async (target) => {
    const { host } = await place(target)
    const exchange = await target.raw(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expectStatus(exchange, 400, 404, 405, 501)
    const code = exchange.member('code')
    demand(typeof code === 'string', 'the answer has no code', exchange)
    expectWhole(exchange, exchange.status, code)
  }),
  refused(
    'D5-13.a',
    'a Host that is repeated or is no host gets 400 invalid_request',
    INVALID,
    ({ host, path }) => [
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}`,
      `GET ${path} HTTP/1.1\r\nHost: a b`,
      `GET ${path} HTTP/1.1\r\nHost: ${host}/x?y`,
    ],
  ).also('D5-42'),
  refused(
    'D5-36.a',
    'a method that no HTTP server knows gets 501 not_implemented',
    [501, 'not_implemented'],
    ({ host, path }) => [`CONFORM ${path} HTTP/1.1\r\nHost: ${host}`],
  ).also('D5-42'),
  refused(
    'D5-34.a',
    'headers that are too large get 431 headers_too_large',
    [431, 'headers_too_large', 'maxBytes'],
    ({ host, path }) => [`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Conformance: ${'x'.repeat(80_000)}`],
  ).also('D5-42'),
  refused(
    'D5-35.a',
    'an Expect that nobody can meet gets 417 expectation_failed',
    [417, 'expectation_failed'],
    ({ host, path }) => [`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nExpect: a-miracle`],
  ).also('D5-42'),
  check('D5-35.b', 'Expect: 100-continue is met', async (target) => {
    const body = '{"input":{}}'
    const exchange = await target.rawDiscover(
      `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expectStatus(exchange, 200)
    demand(exchange.interim.includes(100), 'no 100 Continue before the answer', exchange)
  }),
  check('D5-29.a', 'a request that stalls gets 408 request_timeout', async (target) => {
    const { host, path } = await place(target)
    const slow = target.options.slow === true
    const stalling = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Stalled: `
    const exchange = await target.raw(stalling, slow ? SLOW_STALL_MS : STALL_MS)
    if (!slow && exchange.status === 0 && exchange.trouble?.startsWith('no whole answer'))
      throw new NotAsked(`no answer within ${STALL_MS / 1_000} s`, { option: '--slow' })
    expectWhole(exchange, 408, 'request_timeout', 'seconds')
  }).also('D5-42'),
  check('D5-43.a', 'a request with Upgrade is served as if it had none', async (target) => {
    const { host, path } = await place(target)
    for (const protocol of ['websocket', 'h2c']) {
      const exchange = await target.raw(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${target.tokenLine}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
      )
      expectStatus(exchange, 200)
      demand(exchange.json !== undefined, 'the body is not JSON', exchange)
    }
  }),
]
