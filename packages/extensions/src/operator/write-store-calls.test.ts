import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachCall } from '../../../core/src/handler/world.fixture.ts'
import { operated } from './operator.fixture.ts'

const IO = '/api/operator/v0/entities/sol%3Amoon/io'
const BODY = { title: 'Io', attributes: { radiusKm: 1 } }

test('a conditional write takes two store calls, one of them to read the token', async () => {
  let calls: string[] = []
  const { send } = await operated(['write'], {}, (store) =>
    eachCall(store, (answer, name) => {
      calls.push(name)
      return answer()
    }),
  )
  async function asked(status: number, ...request: Parameters<typeof send>) {
    calls = []
    const response = await send(...request)
    assert.equal(response.status, status)
    return { calls, tag: response.headers['etag'] ?? '' }
  }
  // The first request also reads the list of types and records the use of the token.
  const { tag } = await asked(200, 'PUT', IO, BODY)
  assert.deepEqual((await asked(200, 'PUT', IO, BODY, { 'if-match': tag })).calls, ['values', 'write'])
  const other = { 'if-match': '"other"' }
  assert.deepEqual((await asked(412, 'PUT', IO, BODY, other)).calls, ['values', 'write'])
  assert.deepEqual((await asked(412, 'DELETE', IO, undefined, other)).calls, ['values', 'write'])
  assert.deepEqual((await asked(200, 'PATCH', IO, { title: 'I' })).calls, ['values', 'get', 'write'])
  assert.deepEqual((await asked(204, 'DELETE', IO)).calls, ['values', 'write'])
  assert.deepEqual((await asked(404, 'DELETE', IO)).calls, ['values', 'write'])
})

test('the use of a token is recorded at intervals without invalidating cached responses', async () => {
  const noted: string[] = []
  const world = await operated(['read'], { isPrivate: true }, (store) =>
    eachCall(store, (answer, name) => {
      // The only writes are those that record the use of the token.
      if (name === 'write') noted.push(name)
      return answer()
    }),
  )
  noted.length = 0
  const target = '/api/world/v0/entities/sol%3Amoon'
  await world.send('GET', target)
  const version = await world.store.version()
  world.clock.time = new Date(world.clock.time.getTime() + 90_000)
  const { hits } = world.handler.cacheStatistics()
  await world.send('GET', target)
  await world.send('GET', target)
  assert.deepEqual([noted.length, await world.store.version()], [2, version])
  assert.equal(world.handler.cacheStatistics().hits, hits + 2)
})
