import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minimalWorld } from '../testing/minimal-world.ts'
import { referenceWorld } from '../testing/reference-world.ts'
import { checkServer } from './check-server.ts'

test('a world with non-standard member names and its API on another origin passes Level 1 without options', async () => {
  await using world = await minimalWorld()
  const results = await Array.fromAsync(checkServer(world.origin, { profile: 'level-1' }))
  const others = results.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not-applicable')
  assert.deepEqual(others, [])
  assert.ok(results.filter(({ outcome }) => outcome === 'pass').length >= 50)
})

test('the check for a missing id is not applicable if that id exists', async () => {
  await using world = await minimalWorld()
  const [result] = await Array.fromAsync(
    checkServer(world.origin, { type: 'lib:book', missingId: '1', only: ['L1-errors-1.a'] }),
  )
  assert.equal(result?.outcome, 'not-applicable')
})

test('an unreachable origin fails discovery, and no check passes', async () => {
  const results = await Array.fromAsync(checkServer('http://127.0.0.1:1'))
  assert.equal(results.find(({ id }) => id === 'L1-routes-1.a')?.outcome, 'fail')
  assert.deepEqual(
    results.filter((result) => result.outcome === 'pass'),
    [],
  )
})

test('a run stops at its request limit and reports it', async () => {
  await using world = await referenceWorld()
  const results = await Array.fromAsync(checkServer(world.origin, { maxRequests: 3 }))
  const last = results.findLast(({ outcome }) => outcome === 'fail')
  assert.match(last?.reason ?? '', /limited to 3 requests/)
})

test('checks that have not started by the time limit fail', async () => {
  await using world = await referenceWorld()
  const results = await Array.fromAsync(checkServer(world.origin, { totalTime: 0 }))
  assert.ok(results.slice(1).every(({ outcome }) => outcome === 'fail'))
})

test('a run writes nothing by default', async () => {
  const methods = new Set<string>()
  await using world = await referenceWorld(
    {},
    { asked: ({ method, path }) => methods.add(`${method} ${path}`) },
  )
  await Array.fromAsync(checkServer(world.origin))
  const writing = [...methods].filter((one) => !/^(GET|HEAD|OPTIONS|TRACE|PROPFIND|) /.test(one))
  const elsewhere = writing.filter(
    (one) => !/^(POST \/there\/v0\/actions\/|DELETE .*no-such-action$|POST \/mcp$)/.test(one),
  )
  assert.deepEqual(elsewhere, [])
})

test('on a private world, no check fails with the token, and no Level 1 check fails without it', async () => {
  await using world = await referenceWorld({ token: 'secret' })
  for (const options of [{ token: 'secret' }, { profile: 'level-1' }] as const) {
    const results = await Array.fromAsync(checkServer(world.origin, options))
    assert.deepEqual(
      results.filter((result) => result.outcome === 'fail'),
      [],
    )
  }
})

test('a world without entities or without types fails no check', async () => {
  for (const types of [undefined, []]) {
    const document = (body: Record<string, unknown>) => {
      if (types !== undefined) body['entityTypes'] = types
    }
    await using world = await referenceWorld({ entities: [], document })
    const results = await Array.fromAsync(checkServer(world.origin))
    assert.deepEqual(
      results.filter((result) => result.outcome === 'fail'),
      [],
    )
  }
})
