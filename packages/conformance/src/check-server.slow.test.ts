import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Proof, Proofs } from '../testing/breakages.ts'
import { discoverProofs } from '../testing/proofs/discover.ts'
import { errorProofs } from '../testing/proofs/errors.ts'
import { httpProofs } from '../testing/proofs/http.ts'
import { listProofs } from '../testing/proofs/lists.ts'
import { queryProofs } from '../testing/proofs/query.ts'
import { worldProofs } from '../testing/proofs/world.ts'
import { type Breakage, referenceWorld } from '../testing/reference-world.ts'
import type { CheckResult } from './check/check.ts'
import { checkServer, type ServerOptions } from './check-server.ts'
import { serverChecks } from './server/checks.ts'

const proofs: Proofs = {
  ...worldProofs,
  ...listProofs,
  ...discoverProofs,
  ...queryProofs,
  ...errorProofs,
  ...httpProofs,
}

/** Ids of the checks outside Level 1; Level 1 checks have their own test file. */
const DECISIONS = serverChecks.filter(({ profile }) => profile === 'full').map(({ id }) => id)

test('every server check outside Level 1 is proven able to fail', () => {
  assert.deepEqual(Object.keys(proofs).sort(), DECISIONS.toSorted())
})

test('a world that follows every rule fails no check', async () => {
  await using world = await referenceWorld()
  const failed = (await collect(world.origin)).filter((result) => result.outcome === 'fail')
  assert.deepEqual(failed, [])
})

for (const id of DECISIONS) {
  const proof = proofs[id]
  if (proof === undefined) continue
  test(`${id} passes on a world that follows the rule, and fails on a world that breaks it`, async () => {
    assert.deepEqual(await outcome(id, proof, proof.base), { outcome: 'pass' })
    const failed = await outcome(id, proof, proof.broken)
    assert.equal(failed.outcome, 'fail', failed.reason)
    assert.doesNotMatch(failed.reason ?? '', /^The check broke/)
    assert.ok(failed.exchanges >= 1, `no exchange is shown: ${failed.reason}`)
  })
}

async function outcome(id: string, { setup, options }: Proof, breakage: Breakage = {}) {
  await using world = await referenceWorld(setup, breakage)
  const [result] = await collect(world.origin, { ...options, only: [id] })
  assert.equal(result?.id, id)
  if (result.outcome === 'pass') return { outcome: result.outcome }
  const { outcome, reason, exchanges = [] } = result
  return { outcome, reason, exchanges: exchanges.length }
}

async function collect(origin: string, options: ServerOptions = {}): Promise<CheckResult[]> {
  return Array.fromAsync(checkServer(origin, options))
}
