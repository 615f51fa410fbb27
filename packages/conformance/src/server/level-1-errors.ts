/** Level 1 checks: every error response has a code and a message. */

import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { advise, demand } from '../http/expect.ts'
import { isObject, type JsonObject } from '../shapes/json.ts'
import { listRoute, listWith, ownList } from './subjects.ts'
import { check, component, type Target } from './target.ts'

/** Searches a body for an object with both `code` and `message`, because Level 1 does not specify where it is. */
function errorIn(value: unknown, depth = 3): JsonObject | undefined {
  if (Array.isArray(value))
    return value.map((one) => errorIn(one, depth - 1)).find((one) => one !== undefined)
  if (!isObject(value)) return undefined
  const { code, message } = value
  const coded = (typeof code === 'string' && code.trim() !== '') || Number.isInteger(code)
  if (coded && typeof message === 'string' && message.trim() !== '') return value
  if (depth === 0) return undefined
  for (const member of Object.values(value)) {
    const found = errorIn(member, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Reports whether a response is an RFC 9457 problem whose `type` is not `about:blank`. */
function isProblem(exchange: Exchange): boolean {
  const { json } = exchange
  if (!isObject(json) || !/problem\+json/i.test(exchange.header('content-type') ?? '')) return false
  const { type: kind, title, detail } = json
  const own = typeof kind === 'string' && kind !== '' && kind !== 'about:blank'
  return own && [title, detail].some((text) => typeof text === 'string' && text !== '')
}

/** Returns the object with code and message; fails if there is none. Throws NotApplicable if the request succeeded. */
function expectCoded(exchange: Exchange): JsonObject {
  demand(exchange.status !== 0, `no answer: ${exchange.trouble}`, exchange)
  if (exchange.status < 400)
    throw new NotApplicable(`the world does not refuse this: it answers ${exchange.status}`)
  const error = errorIn(exchange.json)
  if (error === undefined)
    advise(!isProblem(exchange), 'type and detail stand for code and message', exchange)
  demand(error !== undefined, `a ${exchange.status} without code and message`, exchange)
  return error
}

async function missingEntity(target: Target, more = ''): Promise<Exchange> {
  return target.call(`${await ownList(target)}/${component(target.missingId + more)}`)
}

type Ask = (target: Target) => Promise<Exchange>

/** Returns a function that requests the list under test with `query`. */
function listed(query: string): Ask {
  return (target) => listWith(target, query)
}

/** Route of an action that does not exist, so that even DELETE is harmless. */
const NO_ACTION = 'actions/conformance%3Ano-such-action'
const ODD_MEMBERS = { types: 'moon', text: 7, limit: 'many' }
const PLAIN = { 'content-type': 'text/plain' }

/** Requests that should provoke an error, each with the letter of its check. */
const PROVOCATIONS: readonly (readonly [letter: string, what: string, ask: Ask])[] = [
  ['a', 'an entity that is not there', (target) => missingEntity(target)],
  [
    'b',
    'the list of a type that is not there',
    (target) => target.call(listRoute('conformance:no-such-type')),
  ],
  ['c', 'a path of the API that is not there', (target) => target.call('conformance-no-such-route')],
  ['d', 'GET where only POST is', (target) => target.call('actions/wp%3Adiscover')],
  ['e', 'an action that is not there', (target) => target.discover({ input: {} }, {}, NO_ACTION)],
  ['f', 'a body that is not JSON', (target) => target.discover('{"input":')],
  ['g', 'a limit that is no number', listed('?limit=many')],
  ['i', 'a path outside the API', (target) => target.atOrigin('/conformance-no-such-page')],
  ['j', 'a method that a route does not have', (target) => target.call(NO_ACTION, { method: 'DELETE' })],
  ['k', 'a cursor that it never gave', listed('?cursor=conformance-no-such-cursor')],
  ['l', 'a limit below 0', listed('?limit=-1')],
  ['m', 'a body that is declared as text', (target) => target.discover({ input: {} }, PLAIN)],
  ['n', 'an input that is no object', (target) => target.discover({ input: 5 })],
  ['o', 'members of input of other kinds', (target) => target.discover({ input: ODD_MEMBERS })],
  ['p', 'an empty body', (target) => target.discover('')],
  ['r', 'a limit beyond every list', listed('?limit=99999999999999999999')],
  ['s', 'an empty cursor', listed('?cursor=')],
]

/** Returns the response to a provoking request, which is sent once per run. */
function provoked(target: Target, letter: string, ask: Ask): Promise<Exchange> {
  return target.once(`provocation ${letter}`, () => ask(target))
}

/** The checks in this file, ordered by rule. */
export const levelOneErrorChecks = [
  ...PROVOCATIONS.map(([letter, what, ask]) =>
    check(
      `L1-errors-1.${letter}`,
      `refusing ${what}, the answer has a code and a message`,
      async (target) => {
        expectCoded(await provoked(target, letter, ask))
      },
    ),
  ),
  check(
    'L1-errors-1.h',
    'the code is stable: the same refusal has it again, also for another entity',
    async (target) => {
      const codeOf = (exchange: Exchange) =>
        isProblem(exchange) ? exchange.member('type') : expectCoded(exchange)['code']
      const answers = [
        await missingEntity(target),
        await missingEntity(target),
        await missingEntity(target, '-2'),
      ]
      const [first, ...others] = answers.map(codeOf)
      for (const other of others) demand(other === first, `first ${first}, then ${other}`, ...answers)
    },
  ),
  check(
    'L1-errors-1.q',
    'what the caller did wrong is not answered as a fault of the server (5xx)',
    async (target) => {
      for (const [letter, what, ask] of PROVOCATIONS) {
        const exchange = await provoked(target, letter, ask)
        const { status } = exchange
        demand(status < 500 || status === 501, `${what} is answered with ${status}`, exchange)
      }
    },
  ),
  check('L1-endpoints-6.b', 'the Content-Type of a refusal is JSON too', async (target) => {
    let refused = 0
    for (const [letter, what, ask] of PROVOCATIONS) {
      const exchange = await provoked(target, letter, ask)
      if (exchange.status < 400 || errorIn(exchange.json) === undefined) continue
      refused += 1
      const found = exchange.header('content-type') ?? 'absent'
      demand(isJsonType(found), `refusing ${what}, Content-Type is ${found}`, exchange)
    }
    if (refused === 0) throw new NotApplicable('the world refuses nothing with a code and a message')
  }).also('L1-errors-1'),
]

/** Reports whether a media type is JSON or based on JSON. */
export function isJsonType(type: string): boolean {
  return /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type.trim())
}
