/** Level 1: every response that is not a success has a code and a message. */
import { defineCheck, NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { advise, demand } from '../http/expect.ts'
import { at, isObject, type JsonObject } from '../shapes/json.ts'
import { listRoute, type } from './subjects.ts'
import { component, type Target } from './target.ts'

/** The object in a body that holds both `code` and `message`; Level 1 leaves open where it stands. */
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

/** Whether a body is a problem of RFC 9457 that says by a type of its own what is wrong. */
function isProblem(exchange: Exchange): boolean {
  const { json } = exchange
  if (!isObject(json) || !/problem\+json/i.test(exchange.header('content-type') ?? '')) return false
  const { type: kind, title, detail } = json
  const own = typeof kind === 'string' && kind !== '' && kind !== 'about:blank'
  return own && [title, detail].some((text) => typeof text === 'string' && text !== '')
}

/** Fails unless a refusal has code and message; not applicable where nothing was refused. */
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
  return target.call(`${listRoute(await type(target))}/${component(target.missingId + more)}`)
}

/** A refusal to provoke. */
interface Provocation {
  readonly letter: string
  readonly what: string
  readonly ask: (target: Target) => Promise<Exchange>
}

const DISCOVER = 'actions/wp%3Adiscover'
const PLAIN = { 'content-type': 'text/plain' }

const PROVOCATIONS: readonly Provocation[] = [
  { letter: 'a', what: 'an entity that is not there', ask: (target) => missingEntity(target) },
  {
    letter: 'b',
    what: 'the list of a type that is not there',
    ask: (target) => target.call(listRoute('conformance:no-such-type')),
  },
  {
    letter: 'c',
    what: 'a path of the API that is not there',
    ask: (target) => target.call('conformance-no-such-route'),
  },
  { letter: 'd', what: 'GET where only POST is', ask: (target) => target.call(DISCOVER) },
  {
    letter: 'e',
    what: 'an action that is not there',
    ask: (target) => target.discover({ input: {} }, {}, 'actions/conformance%3Ano-such-action'),
  },
  { letter: 'f', what: 'a body that is not JSON', ask: (target) => target.discover('{"input":') },
  {
    letter: 'g',
    what: 'a limit that is no number',
    ask: async (target) => target.call(listRoute(await type(target), '?limit=many')),
  },
  {
    letter: 'i',
    what: 'a path outside the API',
    ask: (target) => target.atOrigin('/conformance-no-such-page'),
  },
  {
    letter: 'j',
    // Of an action that is not there: whatever a world makes of the method, nothing is deleted.
    what: 'a method that a route does not have',
    ask: (target) => target.call('actions/conformance%3Ano-such-action', { method: 'DELETE' }),
  },
  {
    letter: 'k',
    what: 'a cursor that it never gave',
    ask: async (target) => target.call(listRoute(await type(target), '?cursor=conformance-no-such-cursor')),
  },
  {
    letter: 'l',
    what: 'a limit below 0',
    ask: async (target) => target.call(listRoute(await type(target), '?limit=-1')),
  },
  {
    letter: 'm',
    what: 'a body that is declared as text',
    ask: (target) => target.discover({ input: {} }, PLAIN),
  },
  { letter: 'n', what: 'an input that is no object', ask: (target) => target.discover({ input: 5 }) },
  {
    letter: 'o',
    what: 'members of input of other kinds',
    ask: (target) => target.discover({ input: { types: 'moon', text: 7, limit: 'many' } }),
  },
  { letter: 'p', what: 'an empty body', ask: (target) => target.discover('') },
  {
    letter: 'r',
    what: 'a limit beyond every list',
    ask: async (target) => target.call(listRoute(await type(target), '?limit=99999999999999999999')),
  },
  {
    letter: 's',
    what: 'an empty cursor',
    ask: async (target) => target.call(listRoute(await type(target), '?cursor=')),
  },
]

/** A provocation and its answer, asked once per run. */
function provoked(target: Target, { letter, ask }: Provocation): Promise<Exchange> {
  return target.once(`provocation ${letter}`, () => ask(target))
}

/** In the order of the rules they stand on. */
export const levelOneErrorChecks = [
  ...PROVOCATIONS.map((provocation) =>
    defineCheck<Target>(
      `L1-errors-1.${provocation.letter}`,
      `refusing ${provocation.what}, the answer has a code and a message`,
      async (target) => {
        expectCoded(await provoked(target, provocation))
      },
    ),
  ),
  defineCheck<Target>(
    'L1-errors-1.h',
    'the code is stable: the same refusal has it again, also for another entity',
    async (target) => {
      const codeOf = (exchange: Exchange) =>
        isProblem(exchange) ? at(exchange.json, ['type']) : expectCoded(exchange)['code']
      const answers = [
        await missingEntity(target),
        await missingEntity(target),
        await missingEntity(target, '-2'),
      ]
      const [first, ...others] = answers.map(codeOf)
      for (const other of others) demand(other === first, `first ${first}, then ${other}`, ...answers)
    },
  ),
  defineCheck<Target>(
    'L1-errors-1.q',
    'what the caller did wrong is not answered as a fault of the server (5xx)',
    async (target) => {
      for (const provocation of PROVOCATIONS) {
        const exchange = await provoked(target, provocation)
        const { status } = exchange
        demand(status < 500 || status === 501, `${provocation.what} is answered with ${status}`, exchange)
      }
    },
  ),
  defineCheck<Target>(
    'L1-endpoints-6.b',
    'the Content-Type of a refusal is JSON too',
    async (target) => {
      let refused = 0
      for (const provocation of PROVOCATIONS) {
        const exchange = await provoked(target, provocation)
        if (exchange.status < 400 || errorIn(exchange.json) === undefined) continue
        refused += 1
        const found = exchange.header('content-type') ?? 'absent'
        demand(isJsonType(found), `refusing ${provocation.what}, Content-Type is ${found}`, exchange)
      }
      if (refused === 0) throw new NotApplicable('the world refuses nothing with a code and a message')
    },
    ['L1-errors-1'],
  ),
]

/** Whether a media type is JSON, or built on it. */
export function isJsonType(type: string): boolean {
  return /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type.trim())
}
