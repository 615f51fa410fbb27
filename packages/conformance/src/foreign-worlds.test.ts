import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOREIGN, foreignWorld } from '../testing/foreign-world.ts'
import { ORIGIN, wireTo } from '../testing/in-process.ts'
import type { Asked } from '../testing/reference-http.ts'
import { checkServer } from './check-server.ts'

for (const [name, dialect] of Object.entries(FOREIGN)) {
  test(`every Level 1 check runs against a world that ${name}, and none fails`, async () => {
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

test('without --names, the checks that need member names do not pass on a world whose shape is not recognised', async () => {
  const odd = FOREIGN['has names that nobody would guess']
  assert.ok(odd !== undefined)
  const wire = wireTo(foreignWorld(odd))
  const results = await Array.fromAsync(checkServer(ORIGIN, { profile: 'level-1', wire }))
  const unasked = results.filter(({ outcome }) => outcome === 'not-asked')
  assert.ok(unasked.some(({ option }) => option === '--names types=...'))
  const meaning = /^L1-(routes-[26]\.[b-f]|endpoints-5|entity-4|service-3|routes-3\.[abd])/
  const passed = results.filter(({ outcome, id }) => outcome === 'pass' && meaning.test(id))
  assert.deepEqual(
    passed.map(({ id }) => id),
    [],
  )
})

/** For each fault, the check that must detect it, and the change to a request that makes any world exhibit it. */
const MISUNDERSTANDINGS: Readonly<Record<string, readonly [check: string, change: (asked: Asked) => void]>> =
  {
    'any id is the first one': [
      'L1-entity-4.a',
      (asked) => (asked.path = asked.path.replace(/lib%3Abook\/10[1-9]$/, 'lib%3Abook/100')),
    ],
    'any type is a type': [
      'L1-routes-2.f',
      (asked) => (asked.path = asked.path.replace('conformance%3Ano-such-type', 'lib%3Abook')),
    ],
    'the type of an entity does not count': [
      'L1-entity-4.b',
      (asked) => (asked.path = asked.path.replace(/entities\/[^/]+\/100$/, 'entities/lib%3Abook/100')),
    ],
    'ids are decoded twice': [
      'L1-endpoints-2.h',
      (asked) => (asked.path = asked.path.replaceAll('%25', '%')),
    ],
    'the limit does not count': [
      'L1-endpoints-5.a',
      (asked) => (asked.query = asked.query.replace(/^limit=[12](&|$)/, '')),
    ],
    'the cursor does not count': [
      'L1-routes-6.a',
      (asked) => (asked.query = asked.query.replace(/&?cursor=.*/, '')),
    ],
    'the text does not count': ['L1-discover-3.b', (asked) => renamed(asked, 'text')],
    'the types do not count': ['L1-discover-2.b', (asked) => renamed(asked, 'types')],
    'the limit of a search does not count': ['L1-discover-4.a', (asked) => renamed(asked, 'limit')],
  }

function renamed(asked: Asked, member: string): void {
  asked.body = Buffer.from(asked.body.toString().replace(`"${member}":`, `"no-${member}":`))
}

for (const [name, [check, change]] of Object.entries(MISUNDERSTANDINGS)) {
  test(`a world where ${name} fails ${check} in every dialect`, async () => {
    for (const [dialectName, dialect] of Object.entries(FOREIGN)) {
      const tell = foreignWorld(dialect)
      const wire = wireTo((asked) => {
        change(asked)
        return tell(asked)
      })
      const known = { profile: 'level-1', wire, ...dialect.options } as const
      const results = await Array.fromAsync(checkServer(ORIGIN, known))
      const failed = results.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)
      // A cursor cannot be recognised if its name does not suggest one and the world ignores it.
      const hidden = check === 'L1-routes-6.a' && dialectName.includes('no cursor names')
      assert.deepEqual(failed, hidden ? [] : [check], `it ${dialectName}`)
      if (hidden) assert.equal(results.find(({ id }) => id === check)?.option, '--names cursor=...')
    }
  })
}
