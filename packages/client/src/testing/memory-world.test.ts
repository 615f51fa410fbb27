import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../connect.ts'
import { type Fault, type MemoryWorldOptions, memoryWorld } from './memory-world.ts'

const moons = ['callisto', 'europa', 'ganymede'].map((id) => ({
  type: 'sol:moon',
  id,
  title: id,
  attributes: {},
}))

async function connected(options: MemoryWorldOptions = {}) {
  const memory = memoryWorld({ entities: [...moons], ...options })
  return { memory, world: await connect(memory.origin, { fetch: memory.fetch, retries: 0 }) }
}

test('a memory world answers every operation of Level 1', async () => {
  const actions = { 'sol:count': () => 3 }
  const { world, memory } = await connected({ actions, pageSize: 2 })
  assert.equal((await world.get('sol:moon', 'europa')).title, 'europa')
  assert.equal((await world.list('sol:moon')).entities.length, 2)
  const walked = await world.entities('sol:moon').toArray({ max: 9 })
  assert.deepEqual(
    walked.map(({ id }) => id),
    ['callisto', 'europa', 'ganymede'],
  )
  const { total, counts } = await world.discover({ text: 'EURO', types: ['sol:moon'] })
  assert.deepEqual([total, counts], [1, { 'sol:moon': 1 }])
  assert.equal((await world.action('sol:count')).output, 3)
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'entity_not_found', status: 404 })
  await assert.rejects(world.list('sol:star'), { code: 'unknown_type' })
  await assert.rejects(world.action('sol:nothing'), { code: 'unknown_action' })
  await assert.rejects(world.list('sol:moon', { cursor: 'made-up' }), { code: 'invalid_cursor' })
  assert.equal(memory.requests[0]?.url, 'https://memory.example/.well-known/world.json')
})

test('its entities can change during a test', async () => {
  const { world, memory } = await connected()
  memory.put({ type: 'sol:planet', id: 'mars', attributes: {} })
  memory.delete('sol:moon', 'europa')
  assert.equal((await world.get('sol:planet', 'mars')).id, 'mars')
  await assert.rejects(world.get('sol:moon', 'europa'), { code: 'entity_not_found' })
})

for (const [fault, expected] of [
  [
    { kind: 'rate_limited', retryAfter: 7 },
    { code: 'rate_limited', status: 429, retryAfter: 7 },
  ],
  [{ kind: 'unavailable' }, { code: 'unavailable', status: 503 }],
  [{ kind: 'bad_json' }, { code: 'invalid_response', status: 200 }],
  [{ kind: 'network' }, { code: 'network_error', status: 0 }],
  [
    { kind: 'error', status: 403, code: 'forbidden' },
    { code: 'forbidden', status: 403 },
  ],
] as const) {
  test(`the fault ${fault.kind} comes when ordered, once`, async () => {
    const { world, memory } = await connected()
    memory.fail({ on: 'get', ...fault } as Fault)
    await assert.rejects(world.get('sol:moon', 'europa'), expected)
    assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  })
}

test('slow answers come late or never', async () => {
  const { world, memory } = await connected()
  memory.fail({ kind: 'slow' })
  await assert.rejects(world.get('sol:moon', 'europa', { timeout: 20 }), { code: 'timeout' })
  memory.fail({ kind: 'slow', ms: 1 })
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
})

test('broken and looping cursors affect only lists', async () => {
  const { world, memory } = await connected()
  memory.fail({ kind: 'broken_cursor' })
  await world.get('sol:moon', 'europa')
  await assert.rejects(world.entities('sol:moon').toArray({ max: 99 }), { code: 'invalid_cursor' })
  memory.fail({ kind: 'cursor_loop' }, 2)
  await assert.rejects(world.entities('sol:moon').toArray({ max: 99 }), { code: 'pagination_loop' })
})

test('faults come in order and as often as ordered', async () => {
  const { world, memory } = await connected()
  memory.fail({ kind: 'unavailable' }, 2)
  memory.fail({ kind: 'rate_limited' })
  const codes = []
  for (let i = 0; i < 4; i++) {
    codes.push(
      await world.get('sol:moon', 'europa').then(
        ({ id }) => id,
        ({ code }) => code,
      ),
    )
  }
  assert.deepEqual(codes, ['unavailable', 'unavailable', 'rate_limited', 'europa'])
})

test('another origin is no connection', async () => {
  const { memory } = await connected()
  await assert.rejects(connect('https://else.example', { fetch: memory.fetch, retries: 0 }), {
    code: 'network_error',
  })
})
