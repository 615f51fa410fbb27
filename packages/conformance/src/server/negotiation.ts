import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectHeader, expectStatus } from '../http/expect.ts'
import type { Asker } from './methods.ts'
import { ownList, reads } from './subjects.ts'
import { check, type Target } from './target.ts'

/** Returns a request whose uncompressed response exceeds 1 KiB, and that response. Throws NotApplicable if there is none. */
async function large(target: Target): Promise<{ ask: Asker; plain: Exchange }> {
  const route = await ownList(target)
  const askers: Asker[] = [
    (init) => target.call(route, init),
    (init) => target.atOrigin('/.well-known/world.json', init),
  ]
  for (const ask of askers) {
    const plain = await ask({})
    if (plain.body.length > 1024) return { ask, plain }
  }
  throw new NotApplicable('neither the list nor the discovery document is over 1 KiB')
}

const EXCLUDING = [
  'text/html',
  'application/json;q=0',
  'application/json; q=0.0, */*',
  'image/*, text/plain;q=0.5',
]
const INCLUDING = [
  '*/*',
  'application/*',
  'text/html, */*;q=0.1',
  'APPLICATION/JSON',
  'text/html,application/json;q=0.001',
]

/** Checks for section 6 of the decisions: content negotiation and security headers. Ordered by rule. */
export const negotiationChecks = [
  check('D6-19.a', 'an Accept that rules out JSON gets 406 not_acceptable, q=0 included', async (target) => {
    const route = await ownList(target)
    for (const accept of EXCLUDING)
      expectError(await target.call(route, { headers: { accept } }), 406, 'not_acceptable', 'supported')
  }).also('D5-27'),
  check('D6-19.b', 'no Accept, or one that lets JSON through, gets JSON', async (target) => {
    const route = await ownList(target)
    for (const accept of [undefined, ...INCLUDING]) {
      const exchange = await target.call(route, { headers: { accept } })
      expectStatus(exchange, 200)
      demand(exchange.json !== undefined, 'the body is not JSON', exchange)
    }
  }),
  check(
    'D6-23.a',
    'a body over 1 KiB is sent with br or gzip where the client accepts it, and decodes to the same',
    async (target) => {
      const { ask, plain } = await large(target)
      for (const coding of ['br', 'gzip']) {
        const exchange = await ask({ headers: { 'accept-encoding': coding } })
        expectStatus(exchange, 200)
        const found = exchange.header('content-encoding')
        demand(found === coding, `Content-Encoding is ${found ?? 'absent'}, not ${coding}`, exchange)
        demand(exchange.content.equals(plain.body), 'it decodes to another body', exchange)
      }
      const zstd = await ask({ headers: { 'accept-encoding': 'zstd' } })
      const found = zstd.header('content-encoding') ?? 'identity'
      demand(['zstd', 'identity'].includes(found), `Content-Encoding is ${found}`, zstd)
      demand(zstd.content.equals(plain.body), 'zstd decodes to another body', zstd)
    },
  ),
  check(
    'D6-23.b',
    'a body is sent plain where the client accepts no coding, or refuses those there are',
    async (target) => {
      const { ask } = await large(target)
      const refusing = [undefined, 'identity', 'br;q=0, gzip;q=0, zstd;q=0', '*;q=0, identity']
      for (const accepted of refusing) {
        const exchange = await ask({ headers: { 'accept-encoding': accepted } })
        const found = exchange.header('content-encoding') ?? 'identity'
        demand(found === 'identity', `Content-Encoding is ${found}`, exchange)
        demand(exchange.json !== undefined, 'the body is not JSON', exchange)
      }
    },
  ),
  check('D6-24.a', 'answers have Vary: Accept-Encoding', async (target) => {
    for (const exchange of await reads(target))
      expectHeader(exchange, 'Vary', /(^|,)\s*accept-encoding\s*(,|$)/i)
  }),
  check(
    'D6-25.a',
    'JSON answers have nosniff and a Content-Security-Policy that allows nothing',
    async (target) => {
      const others = [await target.discover({ input: {} }), await target.call('conformance-no-such-route')]
      for (const exchange of [...(await reads(target)), ...others]) {
        expectHeader(exchange, 'X-Content-Type-Options', 'nosniff')
        const policy = exchange.header('content-security-policy') ?? ''
        const closed = /(^|;)\s*default-src 'none'\s*(;|$)/.test(policy)
        const opened = /-src(?!\s+'none')\b/.test(policy.replace(/default-src 'none'/, ''))
        demand(closed && !opened, `Content-Security-Policy is ${policy || 'absent'}`, exchange)
      }
    },
  ),
]
