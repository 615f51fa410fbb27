import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectHeader, expectStatus } from '../http/expect.ts'
import { isObject, type JsonObject, objectIn, objectsIn } from '../json/json.ts'
import { listRoute, ownList } from './subjects.ts'
import { check, component, type Target } from './target.ts'

/** Returns one response for each common kind of error, provoked once per run. */
function refusals(target: Target): Promise<Exchange[]> {
  return target.once('refusals', async () => {
    const list = await ownList(target)
    return [
      await target.call('conformance-no-such-route'),
      await target.call(listRoute('conformance:no-such-type')),
      await target.call(`${list}/${component(target.missingId)}`),
      await target.call(`${list}?limit=-1`),
      await target.call(`${list}?cursor=broken`),
      await target.call('entities/no-type'),
      await target.call('actions/wp%3Adiscover'),
      await target.call(list, { headers: { accept: 'text/html' } }),
      await target.discover('{'),
      await target.discover({ input: { types: [1], limit: -1 } }),
      await target.discover({ input: {} }, { 'content-type': 'text/plain' }),
    ]
  })
}

function fieldsOf(exchange: Exchange): JsonObject[] {
  return objectsIn(objectIn(exchange.member('details'))['fields'])
}

/** Defines a check that passes if `right` returns true for every provoked error response. */
function everyRefusal(id: string, demands: string, right: (exchange: Exchange) => boolean) {
  return check(id, demands, async (target) => {
    for (const exchange of await refusals(target)) demand(right(exchange), `not so: ${demands}`, exchange)
  })
}

/** Defines a check that passes if `right` returns true for every `details.fields` entry in the provoked errors. */
function everyField(id: string, demands: string, right: (field: JsonObject) => boolean) {
  return check(id, demands, async (target) => {
    const answers = await refusals(target)
    const some = answers.flatMap(fieldsOf).length
    const none = 'a wrong limit and a wrong input are refused without details.fields'
    demand(some >= 3, none, ...answers.slice(3, 4))
    for (const exchange of answers)
      for (const field of fieldsOf(exchange)) demand(right(field), `not so: ${demands}`, exchange)
  })
}

const PLACE = /^(body|query|path|header)$/
const REASON =
  /^(required|wrong_type|not_integer|too_small|too_long|too_many|malformed|repeated|not_allowed)$/

/** Checks for section 5 of the decisions: the body and the headers of an error. Ordered by rule. */
export const errorBodyChecks = [
  everyRefusal(
    'D5-2.a',
    'an error has a status of 400 or above, and code and message at the top of a JSON object',
    (exchange) => {
      const { code, message } = objectIn(exchange.json)
      const words = typeof code === 'string' && /^[a-z_]+$/.test(code) && typeof message === 'string'
      return exchange.status >= 400 && words && message !== ''
    },
  ).also('D5-1'),
  everyRefusal('D5-3.a', 'the body of an error is application/json', (exchange) =>
    /^application\/json\b/i.test(exchange.header('content-type') ?? ''),
  ),
  everyRefusal('D5-4.a', 'an error body has details, an object', (exchange) =>
    isObject(exchange.member('details')),
  ),
  everyRefusal('D5-5.a', 'an error body has requestId', (exchange) => {
    const requestId = exchange.member('requestId')
    return typeof requestId === 'string' && requestId !== ''
  }),
  everyField('D5-6.a', 'in of a field is body, query, path or header', (field) =>
    PLACE.test(String(field['in'])),
  ),
  everyField('D5-7.a', 'a field in the body has a JSON Pointer, any other a name', (field) =>
    field['in'] === 'body'
      ? typeof field['pointer'] === 'string' && /^(\/([^~]|~[01])*)*$/.test(field['pointer'])
      : typeof field['name'] === 'string',
  ),
  everyField('D5-8.a', 'reason of a field is one of the nine words', (field) =>
    REASON.test(String(field['reason'])),
  ),
  check('D5-9.a', 'details.fields lists every fault, but no more than 20', async (target) => {
    const three = await target.discover({ input: { types: 1, text: 1, limit: -1 } })
    const pointers = fieldsOf(three).map((field) => field['pointer'])
    for (const pointer of ['/input/types', '/input/text', '/input/limit'])
      demand(pointers.includes(pointer), `details.fields does not name ${pointer}`, three)
    const many = await target.discover({ input: { types: Array.from({ length: 30 }, () => 1) } })
    expectError(many, 400, 'invalid_input', 'fields')
    const count = fieldsOf(many).length
    demand(count === 20, `${count} fields for 30 faults`, many)
  }),
  everyRefusal('D5-10.a', 'an error has Cache-Control: no-store', (exchange) =>
    /^no-store$/i.test(exchange.header('cache-control') ?? ''),
  ),
  everyRefusal('D5-11.a', 'an error has the CORS headers', (exchange) =>
    ['access-control-allow-origin', 'access-control-expose-headers'].every(
      (name) => exchange.header(name) === '*',
    ),
  ),
  everyRefusal('D5-12.a', 'an error has its code in the header World-Error-Code', (exchange) => {
    const code = exchange.member('code')
    return code !== undefined && exchange.header('world-error-code') === code
  }),
  check('D5-12.b', 'the answer to a HEAD that fails carries the code in a header', async (target) => {
    const exchange = await target.call(listRoute('conformance:no-such-type'), { method: 'HEAD' })
    expectStatus(exchange, 404)
    expectHeader(exchange, 'World-Error-Code', 'unknown_type')
  }),
]
