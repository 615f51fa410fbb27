/** Level 1: every response that is not a success has a code and a message. */
import { defineCheck, NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, isObject, type JsonObject } from '../http/expect.ts'
import { listRoute, type } from './subjects.ts'
import { component, type Target } from './target.ts'

/** The object in a body that holds both `code` and `message`; Level 1 leaves open where it stands. */
function errorIn(value: unknown, depth = 3): JsonObject | undefined {
  if (!isObject(value)) return undefined
  const { code, message } = value
  const coded = (typeof code === 'string' && code !== '') || Number.isInteger(code)
  if (coded && typeof message === 'string' && message !== '') return value
  if (depth === 0) return undefined
  for (const member of Object.values(value)) {
    const found = errorIn(member, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Fails unless a refusal has code and message; not applicable where nothing was refused. */
function expectCoded(exchange: Exchange): JsonObject {
  demand(exchange.status !== 0, `no answer: ${exchange.trouble}`, exchange)
  if (exchange.status < 300)
    throw new NotApplicable(`the world does not refuse this: it answers ${exchange.status}`)
  const error = errorIn(exchange.json)
  demand(error !== undefined, `a ${exchange.status} without code and message`, exchange)
  return error
}

async function missingEntity(target: Target): Promise<Exchange> {
  return target.call(`${listRoute(await type(target))}/${component(target.missingId)}`)
}

/** A refusal to provoke. */
interface Provocation {
  readonly letter: string
  readonly what: string
  readonly ask: (target: Target) => Promise<Exchange>
}

const PROVOCATIONS: readonly Provocation[] = [
  { letter: 'a', what: 'an entity that is not there', ask: missingEntity },
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
  {
    letter: 'd',
    what: 'GET where only POST is',
    ask: (target) => target.call('actions/wp%3Adiscover'),
  },
  {
    letter: 'e',
    what: 'an action that is not there',
    ask: (target) => target.discover({ input: {} }, {}, 'actions/conformance%3Ano-such-action'),
  },
  {
    letter: 'f',
    what: 'a body that is not JSON',
    ask: (target) => target.discover('{"input":'),
  },
  {
    letter: 'g',
    what: 'a limit that is no number',
    ask: async (target) => target.call(listRoute(await type(target), '?limit=many')),
  },
]

/** In the order of the rules they stand on. */
export const levelOneErrorChecks = [
  ...PROVOCATIONS.map(({ letter, what, ask }) =>
    defineCheck<Target>(
      `L1-errors-1.${letter}`,
      `refusing ${what}, the answer has a code and a message`,
      async (target) => {
        expectCoded(await ask(target))
      },
    ),
  ),
  defineCheck<Target>(
    'L1-errors-1.h',
    'the code is stable: the same refusal has it again',
    async (target) => {
      const first = await missingEntity(target)
      const second = await missingEntity(target)
      const codes = [expectCoded(first)['code'], expectCoded(second)['code']]
      demand(codes[0] === codes[1], `first ${codes[0]}, then ${codes[1]}`, first, second)
    },
  ),
]
