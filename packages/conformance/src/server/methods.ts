/** Decisions 6: HEAD, OPTIONS, CORS, and paths that are no routes. */
import { defineCheck } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectList, expectStatus, headerItems } from '../http/expect.ts'
import { entity, entityRoute, id, list, listRoute, type } from './subjects.ts'
import type { RequestInit, Target } from './target.ts'

/** Headers that belong to one answer, not to the resource. */
const OWN = ['date', 'request-id', 'connection', 'keep-alive', 'age', 'transfer-encoding', 'content-length']

type Asker = (init: RequestInit) => Promise<Exchange>

/** The three GET routes and the action, as something to send a request to. */
async function routes(target: Target): Promise<{ gets: Asker[]; action: Asker }> {
  const name = await type(target)
  const { id: own } = await id(target)
  return {
    gets: [
      (init) => target.atOrigin('/.well-known/world.json', init),
      (init) => target.call(listRoute(name), init),
      (init) => target.call(entityRoute(name, own), init),
    ],
    action: (init) => target.call('actions/wp%3Adiscover', init),
  }
}

/** The answers to OPTIONS on every kind of path, asked once per run. */
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

const EXPOSED =
  'ETag, Retry-After, Request-Id, World-Error-Code, WWW-Authenticate, RateLimit, RateLimit-Policy'
const REQUEST_HEADERS = 'Accept, Authorization, Content-Type, If-Match, If-None-Match, Request-Id'

async function everyKind(target: Target): Promise<Exchange[]> {
  const answers = [await target.discovery(), await list(target), await entity(target)]
  const unchanged = await target.call(listRoute(await type(target)), { headers: { 'if-none-match': '*' } })
  const refused = await target.call('conformance-no-such-route')
  return [...answers, await target.discover({ input: {} }), unchanged, refused, ...(await preflights(target))]
}

/** Whether a header differs from one answer to GET to the next, as a clock does, or HEAD has its value after all. */
async function differs(route: Asker, name: string, atFirst: string | undefined): Promise<boolean> {
  const gets = new Set<string | undefined>()
  const heads = new Set([atFirst])
  for (let round = 0; round < 3; round++) {
    gets.add((await route({})).header(name))
    heads.add((await route({ method: 'HEAD' })).header(name))
  }
  return gets.size > 1 || !heads.isDisjointFrom(gets)
}

/** In the order of the rules they stand on. */
export const methodChecks = [
  defineCheck<Target>(
    'D6-11.a',
    'HEAD answers like GET on every GET route, without the body',
    async (target) => {
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
    },
  ),
  defineCheck<Target>(
    'D6-12.a',
    'every answer, also an error and a 304, has Access-Control-Allow-Origin: *',
    async (target) => {
      for (const exchange of await everyKind(target)) {
        const found = exchange.header('access-control-allow-origin')
        demand(found === '*', `Access-Control-Allow-Origin is ${found ?? 'absent'}`, exchange)
      }
    },
    ['D5-11'],
  ),
  defineCheck<Target>('D6-13.a', `CORS exposes ${EXPOSED}`, async (target) => {
    for (const exchange of [await target.discovery(), await list(target), await entity(target)])
      expectList(exchange, 'access-control-expose-headers', EXPOSED.split(', '))
  }),
  defineCheck<Target>('D6-14.a', 'OPTIONS on any path gets 204, without a token', async (target) => {
    for (const exchange of await preflights(target)) expectStatus(exchange, 204)
  }),
  defineCheck<Target>('D6-15.a', 'an answer to OPTIONS names the allowed methods', async (target) => {
    const [discovery, listed, one, action] = await preflights(target)
    for (const exchange of [discovery, listed, one]) {
      if (exchange !== undefined)
        expectList(exchange, 'access-control-allow-methods', ['GET', 'HEAD', 'OPTIONS'])
    }
    if (action === undefined) return
    expectList(action, 'access-control-allow-methods', ['POST', 'OPTIONS'])
    const names = headerItems(action, 'access-control-allow-methods')
    demand(!names.includes('get'), 'GET is named for an action', action)
  }),
  defineCheck<Target>('D6-16.a', `an answer to OPTIONS allows ${REQUEST_HEADERS}`, async (target) => {
    for (const exchange of await preflights(target))
      expectList(exchange, 'access-control-allow-headers', REQUEST_HEADERS.split(', '))
  }),
  defineCheck<Target>('D6-17.a', 'a path with a slash added at the end gets 404', async (target) => {
    const name = await type(target)
    const slashed = entityRoute(name, (await id(target)).id)
    expectError(await target.call(`${listRoute(name)}/`), 404, 'not_found')
    expectError(await target.call(`${slashed}/`), 404, 'not_found')
    expectError(await target.discover({ input: {} }, {}, 'actions/wp%3Adiscover/'), 404, 'not_found')
    expectError(await target.atOrigin('/.well-known/world.json/'), 404, 'not_found')
  }),
  defineCheck<Target>('D6-18.a', 'the server does not redirect on API routes', async (target) => {
    const name = await type(target)
    const { path } = await target.api()
    const targets = [
      listRoute(name),
      `${listRoute(name)}/`,
      `/${listRoute(name)}`,
      `./${listRoute(name)}`,
      '',
    ]
    for (const route of targets) {
      const exchange = await target.call(route)
      const redirect = exchange.status >= 300 && exchange.status < 400
      demand(!redirect, `${path}${route} is redirected`, exchange)
    }
  }),
]
