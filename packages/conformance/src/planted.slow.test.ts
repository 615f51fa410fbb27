import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { noticed, PLANTED } from '../testing/planted/planted-faults.ts'
import { RIGHT_WORLDS } from '../testing/right-worlds.ts'

test('the README states how many planted faults the Level 1 profile notices', async () => {
  const score = { fail: 0, warning: 0, pass: 0 }
  const missed: string[] = []
  for (const fault of PLANTED) {
    const verdicts: (keyof typeof score)[] = []
    for (const world of RIGHT_WORLDS) verdicts.push(await noticed(fault, world))
    // A fault counts by the world that shows it least.
    const worst = (['pass', 'warning', 'fail'] as const).find((one) => verdicts.includes(one)) ?? 'pass'
    score[worst] += 1
    if (worst === 'pass') missed.push(fault[0])
  }
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const row = `| ${PLANTED.length} | ${RIGHT_WORLDS.length} | ${score.fail} | ${score.warning} | ${score.pass} |`
  assert.ok(readme.includes(row), `the row is ${row}`)
  for (const name of missed) assert.ok(readme.includes(`\n- ${name}\n`), `not noticed: ${name}`)
  assert.ok(score.fail / PLANTED.length >= 95 / 115, 'fewer than 95 of 115 fail')
})
