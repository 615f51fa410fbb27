import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectHeader, expectStatus, headerItems } from '../http/expect.ts'
import { statedLimit } from './pages.ts'
import { entityRoute, ownEntity, ownList, requiresToken, type } from './subjects.ts'
import { check, type Target } from './target.ts'

/** Request bodies that are not valid JSON. */
const NOT_JSON = [
  '',
  '{',
  '{"input":{}',
  '{"input":{},}',
  "{'input':{}}",
  '{"input":{}}x',
  'NaN',
  '[1,]',
  '\u0001',
]

/** Media types that no world accepts for a request body. */
const OTHER_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=iso-8859-1',
  'json',
  undefined,
]

/** Calls the discovery action with each value of `header`. Fails unless every call gets 415. */
async function expectUnsupported(
  target: Target,
  header: string,
  values: readonly (string | undefined)[],
): Promise<void> {
  for (const value of values) {
    const exchange = await target.discover({ input: {} }, { [header]: value })
    expectError(exchange, 415, 'unsupported_media_type', 'supported')
  }
}

/** Fails unless `exchange` is a 405 response to `method` that lists exactly `methods` as allowed. */
function expectMethods(exchange: Exchange, method: string, methods: readonly string[]): void {
  const details = expectError(exchange, 405, 'method_not_allowed', 'method', 'allowed')
  const allow = headerItems(exchange, 'allow').sort().join()
  const right = methods.map((name) => name.toLowerCase()).join()
  demand(allow === right, `Allow is ${exchange.header('allow')}`, exchange)
  demand(details['method'] === method, `details.method is ${details['method']}`, exchange)
  const allowed = Array.isArray(details['allowed']) ? [...details['allowed']].sort().join().toLowerCase() : ''
  demand(allowed === right, `details.allowed is ${JSON.stringify(details['allowed'])}`, exchange)
}

/** Checks for section 5 of the decisions: error codes that no other section covers. Ordered by rule. */
export const errorCodeChecks = [
  check('D5-18.a', 'a body that is not JSON gets 400 invalid_json, details {}', async (target) => {
    const latin = Buffer.from('{"input":{"text":"\xfc"}}', 'latin1')
    for (const body of [...NOT_JSON, latin]) {
      const exchange = await target.discover(body)
      const details = expectError(exchange, 400, 'invalid_json')
      demand(Object.keys(details).length === 0, 'details is not empty', exchange)
    }
  }),
  check('D5-22.a', 'a path without a route gets 404 not_found with the path', async (target) => {
    const { path } = await target.api()
    for (const route of ['conformance-no-such-route', 'entities/a/b/c', '__proto__', 'Entities']) {
      const exchange = await target.call(route)
      const details = expectError(exchange, 404, 'not_found', 'path')
      const found = JSON.stringify(details['path'])
      demand(details['path'] === path + route, `details.path is ${found}`, exchange)
    }
  }),
  check(
    'D5-24.a',
    'an entity that is not there gets 404 entity_not_found with type and id',
    async (target) => {
      const name = await type(target)
      const exchange = await target.call(entityRoute(name, target.missingId))
      const details = expectError(exchange, 404, 'entity_not_found', 'type', 'id')
      const right = details['type'] === name && details['id'] === target.missingId
      demand(right, 'details are of another entity', exchange)
    },
  ),
  check(
    'D5-26.a',
    'GET on an action gets 405 method_not_allowed, with the methods there are in Allow',
    async (target) => {
      expectMethods(await target.call('actions/wp%3Adiscover'), 'GET', ['OPTIONS', 'POST'])
    },
  ),
  check(
    'D5-26.b',
    'a method that reads nothing of the world gets 405 on its GET routes, with a complete Allow',
    async (target) => {
      // TRACE and PROPFIND are safe methods, so nothing is written even if a server accepts them.
      const entity = await ownEntity(target)
      for (const method of ['TRACE', 'PROPFIND']) {
        for (const route of [await ownList(target), entity])
          expectMethods(await target.call(route, { method }), method, ['GET', 'HEAD', 'OPTIONS'])
        const discovery = await target.atOrigin('/.well-known/world.json', { method })
        expectMethods(discovery, method, ['GET', 'HEAD', 'OPTIONS'])
      }
    },
  ),
  check(
    'D5-20.a',
    'where a token is, a request without one gets 401 unauthenticated with WWW-Authenticate',
    async (target) => {
      if (!(await requiresToken(target))) throw new NotApplicable('the world needs no token')
      for (const authorization of [undefined, 'Bearer conformance-no-such-token']) {
        const exchange = await target.call('entities/conformance%3Aany', { headers: { authorization } })
        expectError(exchange, 401, 'unauthenticated', 'schemes')
        expectHeader(exchange, 'WWW-Authenticate', /^bearer\b/i)
      }
    },
  ).also('D6-27'),
  check(
    'D5-28.a',
    'a body that is not JSON in UTF-8 by its header gets 415 unsupported_media_type',
    (target) => expectUnsupported(target, 'content-type', OTHER_TYPES),
  ).also('D6-20'),
  check(
    'D6-20.b',
    'a body that is JSON in UTF-8 by its header is taken, however that is written',
    async (target) => {
      for (const contentType of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])
        expectStatus(await target.discover({ input: {} }, { 'content-type': contentType }), 200)
    },
  ),
  check('D6-21.a', 'a body with a content coding gets 415', (target) =>
    expectUnsupported(target, 'content-encoding', ['gzip', 'br']),
  ).also('D5-28'),
  check('D5-33.a', 'a request target that is too long gets 414 uri_too_long', async (target) => {
    const exchange = await target.call(`entities/conformance%3A${'x'.repeat(10_000)}`)
    expectError(exchange, 414, 'uri_too_long', 'maxBytes')
  }),
  check(
    'D5-32.a',
    'a body that is too large by Content-Length gets 413 before it is sent',
    async (target) => {
      const most = await statedLimit(target, 'maxRequestBytes')
      const exchange = await target.rawDiscover(`Content-Length: ${most + 1}\r\n\r\n`)
      const details = expectError(exchange, 413, 'payload_too_large', 'maxBytes')
      demand(details['maxBytes'] === most, 'maxBytes is not the stated limit', exchange)
    },
  ).also('D6-22'),
  check(
    'D5-32.b',
    'a body that proves too large while it is read gets 413, one of exactly the limit does not',
    async (target) => {
      const most = await statedLimit(target, 'maxRequestBytes')
      const chunk = `{"input":{}}${' '.repeat(most)}`
      const size = chunk.length.toString(16)
      const exchange = await target.rawDiscover(
        `Transfer-Encoding: chunked\r\n\r\n${size}\r\n${chunk}\r\n0\r\n\r\n`,
      )
      expectError(exchange, 413, 'payload_too_large', 'maxBytes')
      expectStatus(await target.discover('{"input":{}}'.padEnd(most)), 200)
    },
  ).also('D6-22'),
]
