import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { FREEDOMS } from '../testing/planted/freedoms.ts'
import { levelOne, noticed, PLANTED } from '../testing/planted/planted-faults.ts'
import { RIGHT_WORLDS } from '../testing/right-worlds.ts'
import { readRules } from '../testing/spec-files.ts'

for (const [name, world] of FREEDOMS) {
  test(`no Level 1 check fails in a world where ${name}`, async () => {
    const results = await levelOne(world())
    const failed = results.filter(({ outcome }) => outcome === 'fail')
    assert.deepEqual(
      failed.map(({ id, reason }) => [id, reason]),
      [],
    )
    assert.ok(results.filter(({ outcome }) => outcome === 'pass').length >= 50)
  })
}

test('right worlds fail no Level 1 check', async () => {
  for (const { tell, options, name } of RIGHT_WORLDS) {
    const failed = (await levelOne(tell, options)).filter(({ outcome }) => outcome === 'fail')
    assert.deepEqual(failed, [], name)
  }
})

test('every 20th planted fault is noticed in the first world', async () => {
  const [world] = RIGHT_WORLDS
  assert.ok(world !== undefined)
  for (const fault of PLANTED.filter((_, at) => at % 20 === 0))
    assert.notEqual(await noticed(fault, world), 'pass', fault[0])
})

test('planted faults have names of their own, and break every rule of Level 1 that a server can be seen to break', async () => {
  assert.ok(PLANTED.length >= 115 && FREEDOMS.length >= 25)
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  assert.ok(readme.includes(`${FREEDOMS.length} right but odd worlds`))
  assert.equal(new Set(PLANTED.map(([name]) => name)).size, PLANTED.length)
  const broken = new Set(PLANTED.map(([, rule]) => rule))
  const rules = (await readRules()).rules.filter(
    ({ profile, checks }) => profile === 'level-1' && checks?.['server'],
  )
  assert.deepEqual(
    rules.map(({ id }) => id).filter((id) => !broken.has(id)),
    [],
  )
  assert.deepEqual(
    [...broken].filter((rule) => !rules.some(({ id }) => id === rule)),
    [],
  )
})
