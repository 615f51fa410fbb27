/** Decisions 5: what an HTTP parser refuses before any handler sees it. */
import { defineCheck, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectStatus } from '../http/expect.ts'
import { isObject } from '../shapes/json.ts'
import { listRoute, type } from './subjects.ts'
import type { Target } from './target.ts'

/** How long a request may stall without `--slow`, and with it. */
const STALL_MS = 35_000
const SLOW_STALL_MS = 150_000

interface Place {
  readonly host: string
  readonly path: string
}

async function place(target: Target): Promise<Place> {
  const { origin, path } = await target.api()
  return { host: new URL(origin).host, path: path + listRoute(await type(target)) }
}

/** Fails unless this is a whole error body: these answers are the ones that frameworks leave empty. */
function expectWhole(exchange: Exchange, status: number, code: string, ...members: string[]): void {
  expectError(exchange, status, code, ...members)
  const body = isObject(exchange.json) ? exchange.json : {}
  demand(typeof body['message'] === 'string' && body['message'] !== '', 'there is no message', exchange)
  demand(isObject(body['details']), 'details is not an object', exchange)
  const type = exchange.header('content-type') ?? ''
  demand(/^application\/json\b/.test(type), `Content-Type is ${type || 'absent'}`, exchange)
  demand(exchange.header('world-error-code') === code, 'World-Error-Code is not the code', exchange)
  demand(exchange.header('access-control-allow-origin') === '*', 'there are no CORS headers', exchange)
}

/** In the order of the rules they stand on. */
export const parserChecks = [
  defineCheck<Target>(
    'D5-42.a',
    'a request without Host gets 400 invalid_request',
    async (target) => {
      const { path } = await place(target)
      expectWhole(await target.raw(`GET ${path} HTTP/1.1\r\n\r\n`), 400, 'invalid_request', 'reason')
    },
    ['D5-13', 'L1-errors-1'],
  ),
  defineCheck<Target>(
    'D5-42.b',
    'a request line that is none gets 400 invalid_request',
    async (target) => {
      const { host, path } = await place(target)
      const exchange = await target.raw(`GET ${path} HTTP/one.one\r\nHost: ${host}\r\n\r\n`)
      expectWhole(exchange, 400, 'invalid_request', 'reason')
    },
    ['D5-13', 'L1-errors-1'],
  ),
  defineCheck<Target>(
    'D5-42.c',
    'a header field that is none gets 400 invalid_request',
    async (target) => {
      const { host, path } = await place(target)
      const exchange = await target.raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nBad Header: 1\r\n\r\n`)
      expectWhole(exchange, 400, 'invalid_request', 'reason')
    },
    ['D5-13', 'L1-errors-1'],
  ),
  defineCheck<Target>('D5-42.d', 'CONNECT gets an error body', async (target) => {
    const { host } = await place(target)
    const exchange = await target.raw(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expectStatus(exchange, 400, 404, 405, 501)
    const code = isObject(exchange.json) ? exchange.json['code'] : undefined
    demand(typeof code === 'string', 'the answer has no code', exchange)
    expectWhole(exchange, exchange.status, code)
  }),
  defineCheck<Target>(
    'D5-13.a',
    'a Host that is repeated or is no host gets 400 invalid_request',
    async (target) => {
      const { host, path } = await place(target)
      for (const fields of [`Host: ${host}\r\nHost: ${host}\r\n`, 'Host: a b\r\n', `Host: ${host}/x?y\r\n`]) {
        const exchange = await target.raw(`GET ${path} HTTP/1.1\r\n${fields}\r\n`)
        expectWhole(exchange, 400, 'invalid_request', 'reason')
      }
    },
    ['D5-42'],
  ),
  defineCheck<Target>(
    'D5-36.a',
    'a method that no HTTP server knows gets 501 not_implemented',
    async (target) => {
      const { host, path } = await place(target)
      const exchange = await target.raw(`CONFORM ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      expectWhole(exchange, 501, 'not_implemented')
    },
    ['D5-42'],
  ),
  defineCheck<Target>(
    'D5-34.a',
    'headers that are too large get 431 headers_too_large',
    async (target) => {
      const { host, path } = await place(target)
      const field = `X-Conformance: ${'x'.repeat(80_000)}`
      const exchange = await target.raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${field}\r\n\r\n`)
      expectWhole(exchange, 431, 'headers_too_large', 'maxBytes')
    },
    ['D5-42'],
  ),
  defineCheck<Target>(
    'D5-35.a',
    'an Expect that nobody can meet gets 417 expectation_failed',
    async (target) => {
      const { host, path } = await place(target)
      const exchange = await target.raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nExpect: a-miracle\r\n\r\n`)
      expectWhole(exchange, 417, 'expectation_failed')
    },
    ['D5-42'],
  ),
  defineCheck<Target>('D5-35.b', 'Expect: 100-continue is met', async (target) => {
    const { host } = await place(target)
    const { path } = await target.api()
    const body = '{"input":{}}'
    const exchange = await target.raw(
      `POST ${path}actions/wp%3Adiscover HTTP/1.1\r\nHost: ${host}\r\n${target.tokenLine}Content-Type: application/json\r\n` +
        `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expectStatus(exchange, 200)
    demand(exchange.interim.includes(100), 'no 100 Continue before the answer', exchange)
  }),
  defineCheck<Target>(
    'D5-29.a',
    'a request that stalls gets 408 request_timeout',
    async (target) => {
      const { host, path } = await place(target)
      const stallMs = target.options.slow === true ? SLOW_STALL_MS : STALL_MS
      const exchange = await target.raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Stalled: `, stallMs)
      if (
        exchange.status === 0 &&
        exchange.trouble?.startsWith('no whole answer') &&
        target.options.slow !== true
      )
        throw new NotAsked(`no answer within ${STALL_MS / 1_000} s`, { option: '--slow' })
      expectWhole(exchange, 408, 'request_timeout', 'seconds')
    },
    ['D5-42'],
  ),
  defineCheck<Target>('D5-43.a', 'a request with Upgrade is served as if it had none', async (target) => {
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
