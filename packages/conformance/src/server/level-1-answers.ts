import { NotApplicable } from '../check/check.ts'
import { errorIn, isProblem } from '../http/error-body.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectJson } from '../http/expect.ts'
import { scanJson } from './json-scan.ts'
import { expectCoded } from './level-1-errors.ts'
import { asked } from './searching.ts'
import { entity, ownList } from './subjects.ts'
import { check, type Target } from './target.ts'

/** Content codings that browsers and most HTTP libraries accept. */
const CODINGS = { 'accept-encoding': 'gzip, deflate, br' }

/** Returns the answers of the run so far that match; a result and a refusal at least, and an entity if there is one. */
async function seen(target: Target, fits: (exchange: Exchange) => boolean): Promise<Exchange[]> {
  await asked(target, {})
  await target.once('provocation c', () => target.call('conformance-no-such-route'))
  await entity(target).catch(() => undefined)
  return target.seen.filter(fits)
}

/** Fails unless the Content-Type of every one of `answers` is JSON, in UTF-8. */
function expectJsonType(answers: readonly Exchange[]): void {
  for (const exchange of answers) {
    const found = exchange.header('content-type') ?? 'absent'
    const json = /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(found.trim())
    demand(json, `Content-Type is ${found}`, exchange)
    const charset = /;\s*charset="?([^\s";]*)/i.exec(found)?.[1] ?? 'utf-8'
    demand(/^(utf-?8|us-ascii)$/i.test(charset), `JSON is never in ${charset}`, exchange)
  }
}

/** Level 1 checks, ordered by rule: every answer that the run has seen, refusals too, is whole JSON. They come last. */
export const levelOneAnswerChecks = [
  check('L1-endpoints-6.a', 'the Content-Type of every success in JSON is JSON', async (target) => {
    expectJsonType(await seen(target, ({ status, json }) => status === 200 && json !== undefined))
  }),
  check('L1-endpoints-6.b', 'the Content-Type of a refusal is JSON too', async (target) => {
    const refusals = await seen(target, ({ status, json }) => status >= 400 && errorIn(json) !== undefined)
    if (refusals.length === 0) throw new NotApplicable('the world refuses nothing with a code and a message')
    expectJsonType(refusals)
  }).also('L1-errors-1'),
  check(
    'L1-endpoints-6.c',
    'asked with Accept-Encoding, as browsers ask, document, list and result are JSON in that coding',
    async (target) => {
      expectJson(await target.discoverAgain({ headers: CODINGS }))
      expectJson(await target.call(await ownList(target), { headers: CODINGS }))
      expectJson(await target.discover({ input: {} }, CODINGS))
    },
  ),
  check('L1-endpoints-6.d', 'no object in an answer has a member twice', async (target) => {
    for (const exchange of await seen(target, ({ json }) => json !== undefined)) {
      const [name] = scanJson(exchange.text).repeated
      demand(name === undefined, `it has ${name} twice`, exchange)
    }
  }),
  check('L1-errors-1.t', 'whatever else the world refused has a code and a message', async (target) => {
    const refusals = await seen(target, ({ status }) => status >= 400)
    // A problem is a warning, which must not hide a failure.
    for (const problems of [false, true])
      for (const exchange of refusals) if (isProblem(exchange) === problems) expectCoded(exchange)
  }),
]
