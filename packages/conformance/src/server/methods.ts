import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectHeader, expectList, expectStatus, headerItems } from '../http/expect.ts'
import { ownEntity, ownList, reads } from './subjects.ts'
import { check, type RequestInit, type Target } from './target.ts'

/** Headers that describe a single response, not the resource. */
const OWN = ['date', 'request-id', 'connection', 'keep-alive', 'age', 'transfer-encoding', 'content-length']

/** Sends a request with these options to a fixed route. */
export type Asker = (init: RequestInit) => Promise<Exchange>

/** Returns request functions for the three GET routes and for the discovery action. */
async function routes(target: Target): Promise<{ gets: Asker[]; action: Asker }> {
  const [list, entity] = [await ownList(target), await ownEntity(target)]
  return {
    gets: [
      (init) => target.atOrigin('/.well-known/world.json', init),
      (init) => target.call(list, init),
      (init) => target.call(entity, init),
    ],
    action: (init) => target.call('actions/wp%3Adiscover', init),
  }
}

/** Returns the responses to OPTIONS requests for each kind of path, which are sent once per run. */
function preflights(target: Target): Promise<Exchange[]> {
  return target.once('preflights', async () => {
    const { gets, action } = await routes(target)
    const unknown: Asker = (init) => target.call('conformance-no-such-route', init)
    const headers = {
      origin: 'https://conformance.invalid',
      'access-control-request-method': 'GET',
      // A preflight never carries credentials.
      authorization: undefined,
    }
    const answers: Exchange[] = []
    for (const route of [...gets, action, unknown]) answers.push(await route({ method: 'OPTIONS', headers }))
    return answers
  })
}

const REQUEST_HEADERS =
  'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Request-Id'

async function everyKind(target: Target): Promise<Exchange[]> {
  const answers = await reads(target)
  const unchanged = await target.call(await ownList(target), { headers: { 'if-none-match': '*' } })
  const refused = await target.call('conformance-no-such-route')
  return [...answers, await target.discover({ input: {} }), unchanged, refused, ...(await preflights(target))]
}

/** Reports whether a header may differ: it varies between GET responses, or some GET and some HEAD response agree. */
async function differs(route: Asker, name: string, atFirst: string | undefined): Promise<boolean> {
  const gets = new Set<string | undefined>()
  const heads = new Set([atFirst])
  for (let round = 0; round < 3; round++) {
    gets.add((await route({})).header(name))
    heads.add((await route({ method: 'HEAD' })).header(name))
  }
  return gets.size > 1 || !heads.isDisjointFrom(gets)
}

/** Checks for section 6 of the decisions: HEAD, OPTIONS, CORS and unknown paths. Ordered by rule. */
export const methodChecks = [
  check('D6-11.a', 'HEAD answers like GET on every GET route, without the body', async (target) => {
    for (const route of (await routes(target)).gets) {
      const get = await route({})
      const head = await route({ method: 'HEAD' })
      expectStatus(head, get.status)
      for (const [name] of get.fields) {
        const key = name.toLowerCase()
        if (OWN.includes(key) || head.header(key) === get.header(key)) continue
        const isOwn = head.header(key) !== undefined && (await differs(route, key, head.header(key)))
        demand(isOwn, `${name} is ${head.header(key) ?? 'absent'} on HEAD`, head, get)
      }
    }
  }),
  check(
    'D6-12.a',
    'every answer, also an error and a 304, has Access-Control-Allow-Origin: *',
    async (target) => {
      for (const exchange of await everyKind(target))
        expectHeader(exchange, 'Access-Control-Allow-Origin', '*')
    },
  ).also('D5-11'),
  check('D6-13.a', 'CORS exposes every header field', async (target) => {
    for (const exchange of await reads(target)) expectHeader(exchange, 'Access-Control-Expose-Headers', '*')
  }),
  check('D6-14.a', 'OPTIONS on any path gets 204, without a token', async (target) => {
    for (const exchange of await preflights(target)) expectStatus(exchange, 204)
  }),
  check('D6-15.a', 'an answer to OPTIONS names the allowed methods', async (target) => {
    const answers = await preflights(target)
    for (const exchange of answers.slice(0, 3))
      expectList(exchange, 'access-control-allow-methods', ['GET', 'HEAD', 'OPTIONS'])
    for (const action of answers.slice(3, 4)) {
      expectList(action, 'access-control-allow-methods', ['POST', 'OPTIONS'])
      const names = headerItems(action, 'access-control-allow-methods')
      demand(!names.includes('get'), 'GET is named for an action', action)
    }
  }),
  check('D6-16.a', `an answer to OPTIONS allows ${REQUEST_HEADERS}`, async (target) => {
    for (const exchange of await preflights(target))
      expectList(exchange, 'access-control-allow-headers', REQUEST_HEADERS.split(', '))
  }),
  check('D6-17.a', 'a path with a slash added at the end gets 404', async (target) => {
    for (const route of [await ownList(target), await ownEntity(target)])
      expectError(await target.call(`${route}/`), 404, 'not_found')
    expectError(await target.discover({ input: {} }, {}, 'actions/wp%3Adiscover/'), 404, 'not_found')
    expectError(await target.atOrigin('/.well-known/world.json/'), 404, 'not_found')
  }),
  check('D6-18.a', 'the server does not redirect on API routes', async (target) => {
    const list = await ownList(target)
    const { path } = await target.api()
    for (const route of [list, `${list}/`, `/${list}`, `./${list}`, '']) {
      const exchange = await target.call(route)
      const redirect = exchange.status >= 300 && exchange.status < 400
      demand(!redirect, `${path}${route} is redirected`, exchange)
    }
  }),
]
