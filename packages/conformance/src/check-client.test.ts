import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceClient } from '../testing/reference-client/client.ts'
import type { CheckResult } from './check/check.ts'
import { type ClientOptions, checkClient } from './check-client.ts'
import { clientScenarios } from './client/scenarios.ts'

/** For each scenario id, the fault in the test client that the scenario must detect. */
const BREAKAGES: Readonly<Record<string, string>> = {
  'L1-service-4.a': 'guess-first',
  'L1-routes-5.a': 'no-accept-discovery',
  'L1-endpoints-6.a': 'no-accept',
  'L1-service-5.a': 'builtin-route',
  'L1-routes-10.a': 'same-origin',
  'L1-versioning-2.a': 'normalise',
  'L1-versioning-3.a': 'guess-v1',
  'L1-service-8.a': 'needs-world-id',
  'L1-endpoints-2.a': 'raw-colon',
  'L1-endpoints-2.b': 'double-encode',
  'L1-endpoints-4.a': 'trims-cursor',
  'L1-endpoints-5.a': 'limit-float',
  'L1-discover-5.a': 'no-wrapper',
  'L1-routes-8.a': 'no-content-type',
  'L1-discover-2.a': 'types-string',
  'L1-discover-3.a': 'query-text',
  'L1-discover-4.a': 'limit-string',
  'L1-errors-2.a': 'no-error-object',
  'L1-errors-3.a': 'reads-message',
  'L1-service-8.b': 'needs-type-objects',
  'L1-service-8.c': 'needs-type-array',
  'L1-service-8.d': 'needs-known-type',
  'L1-service-8.e': 'keeps-path',
  'L1-service-8.f': 'own-limit-or-nothing',
  'L1-service-8.g': 'needs-own-id',
  'L1-endpoints-2.c': 'numeric-id',
  'L1-endpoints-2.d': 'folds-id',
  'L1-endpoints-3.a': 'raw-colon-in-action',
  'L1-endpoints-4.b': 'numeric-cursor',
  'L1-endpoints-4.c': 'stops-after-two-pages',
  'L1-endpoints-4.d': 'stops-at-short-page',
  'L1-endpoints-4.e': 'stops-at-empty-page',
  'L1-endpoints-4.f': 'keeps-cursor',
  'L1-endpoints-6.b': 'empty-is-null',
  'L1-endpoints-6.c': 'needs-length',
  'L1-endpoints-6.d': 'no-chunks',
  'L1-discover-6.a': 'null-members',
  'L1-errors-2.b': 'needs-top-code',
  'L1-errors-2.c': 'needs-string-code',
  'L1-errors-2.d': 'needs-error-json',
  'L1-errors-2.e': 'refused-is-empty',
  'L1-errors-2.f': 'refused-finds-nothing',
  'L1-errors-2.g': 'ignores-discovery-status',
  'D1-3.a': 'double-slash',
  'D1-3.b': 'resolve-url',
  'D1-5.a': 'any-endpoint',
  'D1-7.a': 'no-well-known',
  'D1-8.a': 'any-origin',
  'D1-9.a': 'no-scheme',
  'D1-19.a': 'no-rediscovery',
  'D1-20.a': 'no-rediscovery',
  'D1-21.a': 'no-rediscovery',
  'D1-22.a': 'rediscovers-twice',
  'D1-22.b': 'cached',
  'D1-23.a': 'follows-on',
  'D1-24.a': 'any-world-id',
  'D1-27.a': 'id-ignores-case',
  'D1-42.a': 'drops-unknown',
  'D1-43.a': 'not-a-world',
  'D1-44.a': 'any-protocol',
  'D2-17.a': 'lowercase-type',
  'D2-22.a': 'sends-empty',
  'D2-23.a': 'sends-control',
  'D2-25.a': 'sends-dots',
  'L1-errors-2.h': 'repeats-action',
  'L1-versioning-4.a': 'keeps-document',
  'D4-1.a': 'no-envelope',
  'D5-46.a': 'no-status-0',
  'D5-47.a': 'null-details',
  'D5-49.a': 'html-code',
  'D5-50.a': 'bad-json',
  'D5-50.b': 'truncated-ok',
  'D5-50.c': 'reads-all',
  'D5-50.d': 'waits',
  'D5-52.a': 'cuts-short',
  'D5-52.b': 'ends-in-circles',
  'D6-21.a': 'coded-body',
  'D6-27.a': 'token-scheme',
  'D6-29.a': 'token-everywhere',
  'D6-30.a': 'insecure',
  'D6-31.a': 'redirects-with-token',
  'D7-1.a': 'known-members',
  'D7-2.a': 'own-names',
  'D7-2.b': 'own-names',
  'D7-2.c': 'nested-is-empty',
  'D7-3.a': 'own-cursor-name',
  'D7-3.b': 'short-cursor-names',
  'D7-4.a': 'no-list-is-empty',
  'D7-5.a': 'empty-cursor',
  'D7-6.a': 'ends-unsure',
  'D7-10.a': 'own-limit',
  'D7-8.a': 'top-code',
  'D7-8.b': 'text-codes',
  'D7-8.c': 'object-details',
}

test('every client scenario has a breakage, and every breakage has a scenario', () => {
  assert.deepEqual(Object.keys(BREAKAGES).sort(), clientScenarios.map((scenario) => scenario.id).sort())
  assert.ok(new Set(Object.values(BREAKAGES)).size >= 40)
})

test('a client that follows every rule passes every scenario', async () => {
  const results = await play('none', { concurrency: 6 })
  assert.deepEqual(
    results.filter((result) => result.outcome !== 'pass'),
    [],
  )
})

test('each scenario fails for a client that breaks its rule, and reports how it ran the client', {
  concurrency: 6,
}, async (t) => {
  await Promise.all(
    Object.entries(BREAKAGES).map(([id, breakage]) =>
      t.test(`${id} notices ${breakage}`, async () => {
        const [result] = await play(breakage, { only: [id], slow: true, giveUpMs: 1_500 })
        assert.equal(result?.outcome, 'fail', result?.reason)
        assert.doesNotMatch(result.reason ?? '', /^The check broke/)
        assert.ok((result.runs ?? []).length >= 1)
      }),
    ),
  )
})

test('without --slow, a client that is still waiting for a response is not judged', async () => {
  const [result] = await play('waits', { only: ['D5-50.d'], giveUpMs: 300 })
  assert.equal(result?.outcome, 'not-asked')
  assert.equal(result.option, '--slow')
  assert.match(result.reason ?? '', /still waits after 0.3 s/)
})

test('a command that cannot be started fails every scenario', async () => {
  const results = await Array.fromAsync(checkClient('/no/such/command', { profile: 'level-1' }))
  assert.ok(results.length > 10 && results.every((result) => result.outcome === 'fail'))
})

function play(breakage: string, options: ClientOptions): Promise<CheckResult[]> {
  return Array.fromAsync(checkClient(referenceClient(breakage), { timeout: 8_000, ...options }))
}
