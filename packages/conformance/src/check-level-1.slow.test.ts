import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Proof } from '../testing/breakages.ts'
import { ORIGIN, wireTo } from '../testing/in-process.ts'
import { levelOneProofs } from '../testing/proofs/level-1.ts'
import { type Breakage, tellFor } from '../testing/reference-world.ts'
import type { CheckResult } from './check/check.ts'
import { checkServer, type ServerOptions } from './check-server.ts'
import { serverChecks } from './server/checks.ts'

const LEVEL_1 = serverChecks.filter(({ profile }) => profile === 'level-1').map(({ id }) => id)

test('every Level 1 check is proven able to fail', () => {
  assert.deepEqual(Object.keys(levelOneProofs).sort(), LEVEL_1.toSorted())
  assert.ok(Object.keys(levelOneProofs).length >= 60)
})

for (const [id, proof] of Object.entries(levelOneProofs)) {
  test(`${id} passes on a world that follows the rule, and fails or warns on a world that breaks it`, async () => {
    assert.equal((await results(proof, proof.base)).find((one) => one.id === id)?.outcome, 'pass')
    const found = await results(proof, proof.broken)
    const own = found.find((one) => one.id === id)
    assert.equal(own?.outcome, proof.warns === true ? 'warning' : 'fail', own?.reason)
    assert.doesNotMatch(own.reason ?? '', /^The check broke/)
    assert.ok((own.exchanges ?? []).length >= 1, `no exchange is shown: ${own.reason}`)
    const others = found.filter(({ outcome, id: other }) => outcome === 'fail' && other !== id)
    assert.deepEqual(
      others.map(({ id: other, reason }) => [other, reason]),
      [],
      'one cause is named once',
    )
  })
}

async function results({ setup, options }: Proof, breakage: Breakage = {}): Promise<CheckResult[]> {
  const wire = wireTo((asked) => tellFor(ORIGIN, setup ?? {}, breakage, asked))
  const known: ServerOptions = { ...options, profile: 'level-1', wire }
  return Array.fromAsync(checkServer(ORIGIN, known))
}
