import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkServer } from './check-server.ts'
import { FOREIGN, foreignWorld } from './testing/foreign-world.ts'
import { ORIGIN, wireTo } from './testing/in-process.ts'

for (const [name, dialect] of Object.entries(FOREIGN)) {
  test(`a world that ${name} is judged whole, and fails nothing`, async () => {
    const wire = wireTo(foreignWorld(dialect))
    const results = await Array.fromAsync(
      checkServer(ORIGIN, { profile: 'level-1', wire, ...dialect.options }),
    )
    const others = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'not-asked')
    assert.deepEqual(
      others.map(({ id, reason }) => [id, reason]),
      [],
    )
    const warned = results.filter(({ outcome }) => outcome === 'warning').map(({ id }) => id)
    assert.deepEqual(warned, dialect.warned ?? [])
    assert.ok(results.filter(({ outcome }) => outcome === 'pass').length + warned.length >= 60)
  })
}

test('a world whose shapes are not recognised is not asked, never passed, until they are named', async () => {
  const odd = FOREIGN['has names that nobody would guess']
  assert.ok(odd !== undefined)
  const wire = wireTo(foreignWorld(odd))
  const results = await Array.fromAsync(checkServer(ORIGIN, { profile: 'level-1', wire }))
  const unasked = results.filter(({ outcome }) => outcome === 'not-asked')
  assert.ok(unasked.some(({ option }) => option === '--names entities=...'))
  const meaning = /^L1-(routes-[26]\.[b-f]|endpoints-5|entity-4|service-3|routes-3\.[abd])/
  const passed = results.filter(({ outcome, id }) => outcome === 'pass' && meaning.test(id))
  assert.deepEqual(
    passed.map(({ id }) => id),
    [],
  )
})
