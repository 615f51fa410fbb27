import { NotApplicable, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectHeader, expectStatus } from '../http/expect.ts'
import { isObject } from '../json/json.ts'
import { entity, list, listRoute, ownList } from './subjects.ts'
import { check, type Target } from './target.ts'

const FORGED = 'forged.conformance.invalid'

/** Sends two discovery requests with a forged host: one in the forwarding headers, one in the Host header. */
async function forgedDiscovery(target: Target): Promise<Exchange[]> {
  const headers = { 'x-forwarded-host': FORGED, 'x-forwarded-proto': 'https', forwarded: `host=${FORGED}` }
  return [
    await target.atOrigin('/.well-known/world.json', { headers }),
    await target.atOrigin('/.well-known/world.json', { headers: { host: FORGED } }),
  ]
}

/** Returns a copy of a body without entity attributes, which may contain any URL. */
function withoutAttributes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAttributes)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'attributes')
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutAttributes(member)]))
}

/** Checks for section 1 of the decisions: the address of the API, and the source of absolute URLs. Ordered by rule. */
export const addressChecks = [
  check('D1-1.a', 'endpoints.api includes the version path', async (target) => {
    const { exchange } = await target.document()
    const { url } = await target.api()
    demand(/\/v\d+\/?$/.test(url), `endpoints.api does not end in a version: ${url}`, exchange)
  }),
  check('D1-2.a', 'endpoints.api has no slash at the end', async (target) => {
    const { exchange } = await target.document()
    const { url } = await target.api()
    demand(!url.endsWith('/'), `endpoints.api ends in a slash: ${url}`, exchange)
  }),
  check(
    'D1-14.a',
    'a forged Host, Forwarded or X-Forwarded-* does not show in a discovery document that caches may keep',
    async (target) => {
      await target.document()
      const answers = await forgedDiscovery(target)
      // Only the first must succeed: a proxy may reject a forged Host header, but not forwarding headers.
      for (const exchange of answers.slice(0, 1)) expectStatus(exchange, 200)
      for (const exchange of answers) {
        const personal = exchange.header('cache-control') === 'private, no-store'
        demand(personal || !exchange.text.includes(FORGED), 'the document repeats a forged host', exchange)
      }
    },
  ).also('D1-10'),
  check(
    'D1-15.a',
    'a discovery document made from request headers is sent private, no-store',
    async (target) => {
      const shown = (await forgedDiscovery(target)).filter((exchange) => exchange.text.includes(FORGED))
      if (shown.length === 0)
        throw new NotApplicable('no request header shows in the document: nothing is trusted')
      for (const exchange of shown) expectHeader(exchange, 'Cache-Control', 'private, no-store')
    },
  ),
  check(
    'D1-16.a',
    'lists, entities, action answers and errors hold no absolute URL of the server',
    async (target) => {
      const hosts = [target.origin, (await target.api()).origin]
      const answers = [
        await list(target),
        await entity(target),
        await target.discover({ input: { limit: 5 } }),
        await target.call(listRoute('conformance:no-such-type')),
      ]
      for (const exchange of answers) {
        const text = JSON.stringify(withoutAttributes(exchange.json)) ?? ''
        for (const host of hosts) demand(!text.includes(host), `the body names ${host}`, exchange)
      }
    },
  ),
  check('D1-18.a', 'a request below the retired prefix gets 410 api_moved', async (target) => {
    const prefix = target.options.retiredPrefix
    if (prefix === undefined)
      throw new NotAsked('no prefix is known to be retired', { option: '--retired-prefix' })
    const exchange = await target.atOrigin(`${prefix.replace(/\/$/, '')}/${await ownList(target)}`)
    expectError(exchange, 410, 'api_moved')
  }).also('D5-30'),
]
