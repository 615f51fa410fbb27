/** Decisions 6: caching and conditional requests. */
import { defineCheck, NotApplicable, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectStatus } from '../http/expect.ts'
import { isObject } from '../shapes/json.ts'
import { statedLimit } from './pages.ts'
import { entity, entityRoute, id, list, listRoute, type } from './subjects.ts'
import type { Target } from './target.ts'

const WEAK = /^W\/"([\x21\x23-\x7e]*)"$/

/** The opaque part of a weak tag; fails where there is no weak tag. */
function tagOf(exchange: Exchange): string {
  const found = exchange.header('etag')
  const opaque = WEAK.exec(found ?? '')?.[1]
  demand(opaque !== undefined, `ETag is ${found ?? 'absent'}, not a weak tag`, exchange)
  return opaque
}

function expectCacheControl(exchange: Exchange, ...allowed: string[]): void {
  const found = exchange.header('cache-control')
  const same = allowed.some((one) => directives(one) === directives(found ?? ''))
  demand(same, `Cache-Control is ${found ?? 'absent'}, not ${allowed[0]}`, exchange)
}

function directives(value: string): string {
  return value
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .sort()
    .join()
}

/** Fails unless the conditional request gets 304 where the tag matches, and 200 where not. */
async function expectConditional(target: Target, usual: Exchange, route: string): Promise<void> {
  const tag = tagOf(usual)
  const matching = [`W/"${tag}"`, `"${tag}"`, `"other", W/"${tag}"`, `W/"a,b" ,"${tag}", "c"`, '*']
  for (const value of matching) {
    const exchange = await target.call(route, { headers: { 'if-none-match': value } })
    expectStatus(exchange, 304)
  }
  for (const value of ['"other"', `W/"${tag}x"`]) {
    expectStatus(await target.call(route, { headers: { 'if-none-match': value } }), 200)
  }
}

async function theEntityRoute(target: Target): Promise<string> {
  return entityRoute(await type(target), (await id(target)).id)
}

/** How cacheable an answer is: `private` for requests with a token. */
function scope(target: Target): string {
  return target.options.token === undefined ? 'public' : 'private'
}

/** In the order of the rules they stand on. */
export const cachingChecks = [
  defineCheck<Target>(
    'D6-1.a',
    'the discovery document has Cache-Control: public, max-age=60, stale-if-error=86400',
    async (target) => {
      const { exchange } = await target.document()
      // The second form says that the document was made from request headers (D1-15).
      expectCacheControl(exchange, 'public, max-age=60, stale-if-error=86400', 'private, no-store')
    },
  ),
  defineCheck<Target>(
    'D6-2.a',
    'an entity has Cache-Control: public, no-cache and a weak ETag',
    async (target) => {
      const exchange = await entity(target)
      expectCacheControl(exchange, `${scope(target)}, no-cache`)
      tagOf(exchange)
    },
  ),
  defineCheck<Target>(
    'D6-2.b',
    'a list has Cache-Control: public, no-cache and a weak ETag',
    async (target) => {
      const exchange = await list(target)
      expectCacheControl(exchange, `${scope(target)}, no-cache`)
      tagOf(exchange)
    },
  ),
  defineCheck<Target>(
    'D6-3.a',
    'an answer to a request with a token is private instead of public',
    async (target) => {
      const authorization = `Bearer ${target.options.token ?? 'conformance-some-token'}`
      for (const route of [listRoute(await type(target)), await theEntityRoute(target)]) {
        const exchange = await target.call(route, { headers: { authorization } })
        if (exchange.status === 401)
          throw new NotAsked('the world refuses a token it does not know', { option: '--token' })
        expectCacheControl(exchange, 'private, no-cache')
      }
    },
  ),
  defineCheck<Target>('D6-4.a', 'the tag of an entity is W/"<revision>"', async (target) => {
    const exchange = await entity(target)
    const revision = isObject(exchange.json) ? exchange.json['revision'] : undefined
    if (revision === undefined) throw new NotApplicable('the entity has no revision')
    demand(tagOf(exchange) === revision, 'the tag is not the revision', exchange)
  }),
  defineCheck<Target>(
    'D6-5.a',
    'the tag of a list page ends in the effective limit, and the rest is the same for every limit',
    async (target) => {
      const max = await statedLimit(target, 'list', 'max')
      const name = await type(target)
      const one = await target.call(listRoute(name, '?limit=1'))
      const most = await target.call(listRoute(name, `?limit=${max + 1}`))
      demand(/^[^-]+-.+-1$/.test(tagOf(one)), 'not <format>-<type version>-1', one)
      const rest = tagOf(one).slice(0, -1)
      demand(tagOf(most) === `${rest}${max}`, `not ${rest}${max}`, one, most)
    },
  ),
  defineCheck<Target>(
    'D6-9.a',
    'If-None-Match of an entity compares weakly, takes lists and *',
    async (target) => {
      await expectConditional(target, await entity(target), await theEntityRoute(target))
    },
  ),
  defineCheck<Target>(
    'D6-9.b',
    'If-None-Match of a list compares weakly, takes lists and *',
    async (target) => {
      await expectConditional(target, await list(target), listRoute(await type(target)))
    },
  ),
  defineCheck<Target>(
    'D6-10.a',
    'a 304 repeats ETag, Cache-Control, Vary and CORS, and has no body',
    async (target) => {
      for (const [usual, route] of [
        [await entity(target), await theEntityRoute(target)],
        [await list(target), listRoute(await type(target))],
      ] as const) {
        const exchange = await target.call(route, { headers: { 'if-none-match': '*' } })
        expectStatus(exchange, 304)
        const names = [
          'etag',
          'cache-control',
          'vary',
          'access-control-allow-origin',
          'access-control-expose-headers',
        ]
        for (const name of names) {
          const same = exchange.header(name) === usual.header(name)
          demand(same, `${name} is ${exchange.header(name) ?? 'absent'}, not as on the 200`, exchange, usual)
        }
      }
    },
  ),
]
