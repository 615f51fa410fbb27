import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesPage } from '../changes.ts'
import { connect } from '../connect.ts'
import { Operator } from '../operator/operator.ts'
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

test('a memory world supports all Level 1 operations', async () => {
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

test('entities can be changed during a test', async () => {
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
  test(`the fault ${fault.kind} is injected once`, async () => {
    const { world, memory } = await connected()
    memory.fail({ on: 'get', ...fault } as Fault)
    await assert.rejects(world.get('sol:moon', 'europa'), expected)
    assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  })
}

test('slow responses are delayed or never sent', async () => {
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

test('faults are injected in order and the requested number of times', async () => {
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

test('a request to another origin fails as network_error', async () => {
  const { memory } = await connected()
  await assert.rejects(connect('https://else.example', { fetch: memory.fetch, retries: 0 }), {
    code: 'network_error',
  })
})

test('pending faults can be cleared', async () => {
  const { world, memory } = await connected()
  memory.fail({ kind: 'network' }, 3)
  await assert.rejects(world.get('sol:moon', 'europa'), { code: 'network_error' })
  memory.clearFaults()
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
})

test('a program that follows the world receives changes as they happen', async () => {
  const { world, memory } = await connected()
  const watched = world.watch('sol:moon', 'io')
  const titles = []
  titles.push((await watched.next()).value?.title)
  for (const title of ['Io', 'Jupiter I']) {
    memory.put({ type: 'sol:star', id: title, attributes: {} })
    memory.put({ type: 'sol:moon', id: 'io', title, attributes: {} })
    titles.push((await watched.next()).value?.title)
  }
  memory.delete('sol:moon', 'io')
  titles.push((await watched.next()).value?.title)
  await watched.return()
  assert.deepEqual(titles, [undefined, 'Io', 'Jupiter I', undefined])
  const stars = []
  for await (const { op, id, next } of world.changes({ types: ['sol:star'] })) {
    if (stars.push(`${op} ${id} ${next}`) === 2) memory.delete('sol:star', 'Io')
    if (stars.length === 3) break
  }
  assert.deepEqual(stars, ['put Io 4@sol:star', 'put Jupiter I 6@sol:star', 'delete Io 9@sol:star'])
})

test('faults can be limited to changes and to writes', async () => {
  const { memory } = await connected()
  const world = await connect(memory.origin, { fetch: memory.fetch, token: 'x', retries: 0 })
  memory.fail({ on: 'changes', kind: 'error', status: 410, code: 'changes_expired' })
  memory.fail({ on: 'write', kind: 'error', status: 403, code: 'forbidden' })
  await world.get('sol:moon', 'europa')
  await assert.rejects(changesPage(world), { code: 'changes_expired', status: 410 })
  const { title, attributes } = { title: 'Io', attributes: {} }
  await assert.rejects(new Operator(world).put('sol:moon', 'io', { title, attributes }), {
    code: 'forbidden',
  })
  await new Operator(world).put('sol:moon', 'io', { title, attributes })
  assert.equal((await world.get('sol:moon', 'io')).title, 'Io')
})

test('a write without a token is refused', async () => {
  const { world } = await connected()
  await assert.rejects(new Operator(world).delete('sol:moon', 'europa'), { code: 'unauthenticated' })
})

test('a world has only the extensions that its document gives', async () => {
  const { world } = await connected({ document: { extensions: {} } })
  await assert.rejects(changesPage(world), { code: 'unsupported_extension' })
  await assert.rejects(new Operator(world).delete('sol:moon', 'europa'), { code: 'unsupported_extension' })
  await assert.rejects(world.query().page(), { code: 'unknown_action' })
})

test('a query that cannot be evaluated fails with a message, and an action of the test replaces queries', async () => {
  const orbits = { type: 'sol:planet', id: 'jupiter' }
  const place = { latitude: 1, longitude: 2 }
  const seen = '2020-01-01T00:00:00Z'
  const entities = [{ type: 'sol:moon', id: 'io', attributes: { orbits, place, seen, mixed: [1, 'a'] } }]
  const { world } = await connected({ entities })
  const refused = [
    { facets: ['orbits'] },
    { group: ['orbits'] },
    { measures: [{ op: 'count', property: 'orbits' } as const] },
    { similar: orbits },
    { fields: ['orbits'] },
    { include: ['orbits'] },
    { sort: ['relevance'] },
    { sort: ['orbits'] },
    { sort: ['mixed'] },
    { sort: [{ property: 'seen', kind: 'instant' }] },
    { sort: ['misspelt'] },
    { sort: 'seen' as never },
    ...[
      { op: '=', args: [{ property: 'misspelt' }, 1] },
      { op: '=', args: [{ property: 'seen' }, { date: '2020-01-01' }] },
      { op: 'isNull', args: [{ property: 'place' }] },
      { op: '<', args: [{ property: 'orbits' }, orbits] },
      { op: '=', args: [1, { property: 'mixed' }] },
      { op: 'in', args: [{ property: 'mixed' }, [1, 'a']] },
      { op: 'in', args: [{ property: 'mixed' }, 1] },
      { op: 'like', args: [{ property: 'mixed' }, '%a'] },
      { op: 'a_contains', args: [{ property: 'mixed' }, ['a']] },
      { op: 'refersTo', args: [orbits] },
      { op: 's_intersects', args: [{ property: 'place' }, { bbox: [0, 0, 9, 9] }] },
      { op: '<', args: [{ op: 'distance', args: [{ property: 'place' }, place] }, 9] },
      { op: 'not', args: ['x'] },
      { op: 'and', args: [] },
      { op: 'toString', args: [{ property: 'seen' }, 1] },
      { op: 'between', args: [{ property: 'seen' }, seen] },
    ].map((where) => ({ where })),
  ]
  for (const input of refused)
    await assert.rejects(
      world.query(input).page(),
      { code: 'unsupported_by_memory_world', status: 501, message: /^memoryWorld does not evaluate / },
      JSON.stringify(input),
    )
  const own = { entities: [], limit: 0, total: 7, counts: {}, matched: [] }
  const { world: other } = await connected({ actions: { 'worldwright:query': () => own } })
  assert.equal((await other.query({ facets: ['orbits'] }).page()).total, 7)
})

test('a cursor is refused if it is made up or comes from another query', async () => {
  const { world } = await connected()
  const { nextCursor = '' } = await world.query({ limit: 1 }).page()
  assert.equal((await world.query({ limit: 1, cursor: nextCursor }).page()).entities[0]?.id, 'europa')
  for (const input of [{ cursor: nextCursor, text: 'x' }, { cursor: 'made-up' }])
    await assert.rejects(world.query(input).page(), { code: 'invalid_cursor', status: 400 })
})
