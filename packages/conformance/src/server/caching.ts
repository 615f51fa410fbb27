import { NotApplicable, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectStatus, headerItems } from '../http/expect.ts'
import { statedLimit } from './pages.ts'
import { entity, list, listRoute, ownEntity, ownList, type } from './subjects.ts'
import { check, type Target } from './target.ts'

const WEAK = /^W\/"([\x21\x23-\x7e]*)"$/

/** Returns the opaque part of the weak tag in the ETag header. Fails if the header is missing or its tag is not weak. */
function tagOf(exchange: Exchange): string {
  const found = exchange.header('etag')
  const opaque = WEAK.exec(found ?? '')?.[1]
  demand(opaque !== undefined, `ETag is ${found ?? 'absent'}, not a weak tag`, exchange)
  return opaque
}

function expectCacheControl(exchange: Exchange, ...allowed: string[]): void {
  const found = exchange.header('cache-control')
  const given = headerItems(exchange, 'cache-control').sort().join(', ')
  const same = allowed.some((one) => one.split(', ').sort().join(', ') === given)
  demand(same, `Cache-Control is ${found ?? 'absent'}, not ${allowed[0]}`, exchange)
}

/** Fails unless conditional requests get 304 if a tag matches that of `usual`, and 200 if none matches. */
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

/** Resources with an ETag: the letter of the check, a name, a request function and a route function. */
const TAGGED = [
  ['a', 'an entity', entity, ownEntity],
  ['b', 'a list', list, ownList],
] as const

const REPEATED = [
  'etag',
  'cache-control',
  'vary',
  'access-control-allow-origin',
  'access-control-expose-headers',
]

/** Checks for section 6 of the decisions: caching and conditional requests. Ordered by rule. */
export const cachingChecks = [
  check(
    'D6-1.a',
    'the discovery document has Cache-Control: public, max-age=60, stale-if-error=86400',
    async (target) => {
      const { exchange } = await target.document()
      // A document that depends on request headers is sent with the second value (D1-15).
      expectCacheControl(exchange, 'public, max-age=60, stale-if-error=86400', 'private, no-store')
    },
  ),
  ...TAGGED.map(([letter, what, read]) =>
    check(`D6-2.${letter}`, `${what} has Cache-Control: public, no-cache and a weak ETag`, async (target) => {
      const exchange = await read(target)
      const scope = target.options.token === undefined ? 'public' : 'private'
      expectCacheControl(exchange, `${scope}, no-cache`)
      tagOf(exchange)
    }),
  ),
  check('D6-3.a', 'an answer to a request with a token is private instead of public', async (target) => {
    const authorization = `Bearer ${target.options.token ?? 'conformance-some-token'}`
    for (const route of [await ownList(target), await ownEntity(target)]) {
      const exchange = await target.call(route, { headers: { authorization } })
      if (exchange.status === 401)
        throw new NotAsked('the world refuses a token it does not know', { option: '--token' })
      expectCacheControl(exchange, 'private, no-cache')
    }
  }),
  check('D6-4.a', 'the tag of an entity is W/"<revision>"', async (target) => {
    const exchange = await entity(target)
    const revision = exchange.member('revision')
    if (revision === undefined) throw new NotApplicable('the entity has no revision')
    demand(tagOf(exchange) === revision, 'the tag is not the revision', exchange)
  }),
  check(
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
  ...TAGGED.map(([letter, what, read, route]) =>
    check(`D6-9.${letter}`, `If-None-Match of ${what} compares weakly, takes lists and *`, async (target) => {
      await expectConditional(target, await read(target), await route(target))
    }),
  ),
  check('D6-10.a', 'a 304 repeats ETag, Cache-Control, Vary and CORS, and has no body', async (target) => {
    for (const [, , read, route] of TAGGED) {
      const usual = await read(target)
      const exchange = await target.call(await route(target), { headers: { 'if-none-match': '*' } })
      expectStatus(exchange, 304)
      for (const name of REPEATED) {
        const same = exchange.header(name) === usual.header(name)
        demand(same, `${name} is ${exchange.header(name) ?? 'absent'}, not as on the 200`, exchange, usual)
      }
    }
  }),
]
