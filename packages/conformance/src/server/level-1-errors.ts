import { NotApplicable } from '../check/check.ts'
import { errorIn, isErrorBody, isProblem } from '../http/error-body.ts'
import type { Exchange } from '../http/exchange.ts'
import { advise, demand } from '../http/expect.ts'
import { type JsonObject, objectIn, sameJson } from '../json/json.ts'
import { listRoute, listWith, ownList } from './subjects.ts'
import { check, component, type Target } from './target.ts'

/** Returns the object with code and message; fails if there is none. Throws NotApplicable if the request succeeded. */
export function expectCoded(exchange: Exchange): JsonObject {
  const { status, trouble, json } = exchange
  demand(status !== 0 && trouble === undefined, `no whole answer: ${trouble}`, exchange)
  demand(status >= 400 || !isErrorBody(json), `an error has the status ${status}`, exchange)
  advise(status < 300 || status >= 400, `instead of refusing, it redirects with ${status}`, exchange)
  if (status < 400) throw new NotApplicable(`the world does not refuse this: it answers ${status}`)
  const error = errorIn(json)
  if (error === undefined)
    advise(!isProblem(exchange), 'type and detail stand for code and message', exchange)
  demand(error !== undefined, `a ${status} without code and message`, exchange)
  return error
}

async function missingEntity(target: Target, more = ''): Promise<Exchange> {
  return target.call(`${await ownList(target)}/${component(target.missingId + more)}`)
}

type Ask = (target: Target) => Promise<Exchange>
type Provocation = readonly [letter: string, what: string, ask: Ask]

/** Returns a function that requests the list under test with `query`. */
function listed(query: string): Ask {
  return (target) => listWith(target, query)
}

/** Route of an action that does not exist, so that even DELETE is harmless. */
const NO_ACTION = 'actions/conformance%3Ano-such-action'
const ODD_MEMBERS = { types: 'moon', text: 7, limit: 'many' }
const PLAIN = { 'content-type': 'text/plain' }

/** Requests that should provoke an error, each with the letter of its check. */
const PROVOCATIONS: readonly Provocation[] = [
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
  ['u', 'a body without input', (target) => target.discover({})],
]
/** Compared with the refusal of the first missing entity. */
const OTHER: Provocation = ['a', 'another entity', (target) => missingEntity(target, '-2')]
/** Letters of requests that a world may answer, although hardly any client can make sense of the answer. */
const IMPLAUSIBLE = 'befgkl'

/** Returns the response to a provoking request, which is sent once per run. */
function provoked(target: Target, letter: string, ask: Ask): Promise<Exchange> {
  return target.once(`provocation ${letter}`, () => ask(target))
}

/** Level 1 checks: every error response has a code and a message. Ordered by rule. */
export const levelOneErrorChecks = [
  ...PROVOCATIONS.map(([letter, what, ask]) =>
    check(
      `L1-errors-1.${letter}`,
      `refusing ${what}, the answer has a code and a message`,
      async (target) => {
        const exchange = await provoked(target, letter, ask)
        const told = `it is answered with ${exchange.status}, as if it were right`
        const body = exchange.succeeded && exchange.json
        advise(!IMPLAUSIBLE.includes(letter) || !body || isErrorBody(body), told, exchange)
        expectCoded(exchange)
      },
    ),
  ),
  check(
    'L1-errors-1.h',
    'the code is stable: the same refusal has it again, also for another entity',
    async (target) => {
      const codeOf = ({ json }: Exchange) =>
        (errorIn(json) ?? objectIn(json))[errorIn(json) ? 'code' : 'type']
      const numeric: Exchange[] = []
      for (const [letter, what, ask] of [...PROVOCATIONS, OTHER]) {
        const first = await provoked(target, letter, ask)
        if (first.status < 400) continue
        const again = await ask(target)
        const told = `refusing ${what}, first ${codeOf(first)}, then ${codeOf(again)}`
        demand(sameJson(codeOf(first), codeOf(again)), told, first, again)
        if (typeof codeOf(first) === 'number') numeric.push(first)
      }
      advise(numeric.length === 0, 'the code is a number', ...numeric.slice(0, 1))
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
]
