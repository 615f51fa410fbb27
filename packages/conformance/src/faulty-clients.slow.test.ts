import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { FAULTY_CLIENTS, RIGHT_CLIENTS } from '../testing/faulty-clients.ts'
import { referenceClient } from '../testing/reference-client/client.ts'
import type { CheckResult, Profile } from './check/check.ts'
import { checkClient } from './check-client.ts'

async function failures(fault: string, profile: Profile): Promise<CheckResult[]> {
  const results = checkClient(referenceClient(fault), {
    profile,
    timeout: 1_500,
    giveUpMs: 300,
    concurrency: 6,
  })
  return (await Array.fromAsync(results)).filter(({ outcome }) => outcome === 'fail')
}

test('the kit catches as many of the faulty clients as its README says', async (t) => {
  const score = { 'level-1': { planted: 0, caught: 0 }, full: { planted: 0, caught: 0 } }
  const escaped: string[] = []
  for (const [does, fault, profile] of FAULTY_CLIENTS) {
    const found = await failures(fault, profile)
    for (const result of found) assert.doesNotMatch(result.reason ?? '', /^The check broke/, does)
    score[profile].planted += 1
    if (found.length > 0) score[profile].caught += 1
    else escaped.push(does)
  }
  for (const does of escaped) t.diagnostic(`not caught: a client that ${does}`)
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  for (const [profile, { caught, planted }] of Object.entries(score))
    assert.ok(
      readme.includes(`| clients, \`${profile}\` | caught ${caught} of ${planted} |`),
      `${caught} of ${planted}: ${escaped}`,
    )
})

for (const [does, choice] of RIGHT_CLIENTS)
  test(`the profile level-1 accuses no client that ${does}`, async () => {
    const found = await failures(choice, 'level-1')
    assert.deepEqual(
      found.map(({ id, reason }) => `${id}: ${reason}`),
      [],
    )
  })
