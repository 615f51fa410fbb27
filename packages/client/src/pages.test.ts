import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { type Answer, DOCUMENT, failure, scriptedFetch } from './scripted-fetch.fixture.ts'

const e = (id: string) => ({ type: 'sol:moon', id, attributes: {} })

async function entitiesOf(pageSize: number | undefined, ...answers: Answer[]) {
  const script = scriptedFetch(DOCUMENT, ...answers)
  const world = await connect('https://sol.example', { fetch: script.fetch, retries: 0 })
  return { entities: world.entities('sol:moon', { pageSize }), ...script }
}

async function idsOf(entities: AsyncIterable<{ id: string }>, into: string[] = []) {
  for await (const { id } of entities) into.push(id)
  return into
}

test('a walk passes cursors back unchanged and ends if there is none', async () => {
  const cursor = 'a+/=& é'
  const { entities, urls } = await entitiesOf(
    2,
    { entities: [e('a'), e('b')], nextCursor: cursor },
    { entities: [e('c')], nextCursor: 'z' },
    { entities: [] },
  )
  assert.deepEqual(await idsOf(entities), ['a', 'b', 'c'])
  const list = 'https://data.sol.example/w/v3/entities/sol%3Amoon'
  assert.deepEqual(urls().slice(1), [
    `${list}?limit=2`,
    `${list}?limit=2&cursor=a%2B%2F%3D%26%20%C3%A9`,
    `${list}?limit=2&cursor=z`,
  ])
})

test('a walk continues after an empty page that has a cursor', async () => {
  const { entities } = await entitiesOf(undefined, { entities: [], nextCursor: 'x' }, { entities: [e('a')] })
  assert.deepEqual(await idsOf(entities), ['a'])
})

test('nextCursor takes precedence over other cursor names, even if it is null', async () => {
  const { entities } = await entitiesOf(undefined, {
    entities: [e('a')],
    nextCursor: null,
    cursor: 'this-page',
  })
  assert.deepEqual(await idsOf(entities), ['a'])
})

test('a page without a list fails the walk, which first yields the earlier entities', async () => {
  const { entities } = await entitiesOf(
    undefined,
    { entities: [e('a')], nextCursor: 'x' },
    { rows: [], count: 0 },
  )
  const ids: string[] = []
  await assert.rejects(idsOf(entities, ids), {
    code: 'invalid_response',
    status: 200,
    details: { members: ['rows', 'count'] },
    url: 'https://data.sol.example/w/v3/entities/sol%3Amoon?cursor=x',
  })
  assert.deepEqual(ids, ['a'])
})

test('a malformed or empty cursor is an error', async () => {
  for (const nextCursor of ['', 5, false, {}]) {
    const { entities } = await entitiesOf(undefined, { entities: [e('a')], nextCursor })
    await assert.rejects(idsOf(entities), { code: 'invalid_response', details: { nextCursor } })
  }
})

test('a repeated cursor is pagination_loop, also after several pages', async () => {
  const page = (id: string, nextCursor: string) => ({ entities: [e(id)], nextCursor })
  const short = await entitiesOf(undefined, page('a', 'x'), page('a', 'x'))
  const ids: string[] = []
  await assert.rejects(idsOf(short.entities, ids), {
    code: 'pagination_loop',
    details: { cursor: 'x' },
    status: 200,
  })
  assert.deepEqual(ids, ['a'])
  const long = await entitiesOf(undefined, page('a', 'x'), page('b', 'y'), page('c', 'z'), page('d', 'y'))
  await assert.rejects(idsOf(long.entities), { code: 'pagination_loop', details: { cursor: 'y' } })
  assert.equal(long.sent.length, 5)
})

test('a walk fails if a page request fails', async () => {
  const { entities } = await entitiesOf(
    undefined,
    { entities: [e('a')], nextCursor: 'x' },
    failure(400, 'invalid_cursor'),
  )
  await assert.rejects(idsOf(entities), { code: 'invalid_cursor', status: 400 })
})

test('overlapping next() calls resolve in order and yield each entity once', async () => {
  const { entities, sent } = await entitiesOf(
    undefined,
    { entities: [e('a')], nextCursor: 'x' },
    { entities: [e('b')] },
  )
  const walk = entities[Symbol.asyncIterator]()
  const results = await Promise.all([walk.next(), walk.next(), walk.next(), walk.next()])
  assert.deepEqual(
    results.map((result) => (result.done ? 'done' : result.value.id)),
    ['a', 'b', 'done', 'done'],
  )
  assert.equal(sent.length, 3)
})

test('every iteration starts its own lazy walk', async () => {
  const { entities, sent } = await entitiesOf(undefined, { entities: [e('a')] }, { entities: [e('b')] })
  assert.equal(sent.length, 1)
  assert.deepEqual(await idsOf(entities), ['a'])
  assert.deepEqual(await idsOf(entities), ['b'])
})

test('leaving the loop early stops fetching pages', async () => {
  const { entities, sent } = await entitiesOf(undefined, { entities: [e('a')], nextCursor: 'x' })
  for await (const _ of entities) break
  assert.equal(sent.length, 2)
})

test('pages() returns the bodies as received', async () => {
  const bodies = [
    { entities: [e('a')], nextCursor: 'x', took: 3 },
    { entities: [], total: 1 },
  ]
  const { entities } = await entitiesOf(undefined, ...bodies)
  const seen = []
  for await (const body of entities.pages()) seen.push(body)
  assert.deepEqual(seen, bodies)
})

test('toArray returns the first `max` entities and requests only the pages it needs', async () => {
  const { entities, sent } = await entitiesOf(undefined, { entities: [e('a'), e('b')], nextCursor: 'x' })
  assert.deepEqual(await entities.toArray({ max: 0 }), [])
  assert.equal(sent.length, 1)
  assert.deepEqual(
    (await entities.toArray({ max: 2 })).map(({ id }) => id),
    ['a', 'b'],
  )
  assert.equal(sent.length, 2)
})

test('a walk rejects with aborted if the signal aborts', async () => {
  const { fetch } = scriptedFetch(DOCUMENT, { entities: [e('a')], nextCursor: 'x' }, { entities: [e('b')] })
  const world = await connect('https://sol.example', { fetch })
  const controller = new AbortController()
  const walk = world.entities('sol:moon', {}, { signal: controller.signal })
  await assert.rejects(
    async () => {
      for await (const _ of walk) controller.abort()
    },
    { code: 'aborted' },
  )
})

test('a walk of more than maxPages pages fails after yielding maxPages pages', async () => {
  const world = async (...answers: Answer[]) => {
    const { fetch } = scriptedFetch(DOCUMENT, ...answers)
    return connect('https://sol.example', { fetch, retries: 0 })
  }
  const pages = [
    { entities: [e('a')], nextCursor: 'x' },
    { entities: [e('b')], nextCursor: 'y' },
  ]
  const ids: string[] = []
  const more = (await world(...pages)).entities('sol:moon', { maxPages: 2 })
  await assert.rejects(idsOf(more, ids), { code: 'pagination_loop', details: { maxPages: 2 } })
  assert.deepEqual(ids, ['a', 'b'])
  const enough = (await world({ entities: [e('a')] })).entities('sol:moon', { maxPages: 1 })
  assert.deepEqual(await idsOf(enough), ['a'])
})

test('endless empty pages fail with pagination_loop even without a repeated cursor', async () => {
  let pages = 0
  const fetch = async (url: string) =>
    Response.json(url.endsWith('world.json') ? DOCUMENT : { entities: [], nextCursor: `c${pages++}` })
  const world = await connect('https://sol.example', { fetch })
  await assert.rejects(idsOf(world.entities('sol:moon')), { code: 'pagination_loop' })
  assert.equal(pages, 101)
})

test('a cursor too long for a URL fails with invalid_response', async () => {
  const { entities } = await entitiesOf(undefined, { entities: [e('a')], nextCursor: 'x'.repeat(4097) })
  await assert.rejects(idsOf(entities), { code: 'invalid_response' })
})

test('a walk whose only page might not be the last fails after yielding its entities', async () => {
  for (const [pageSize, page] of [
    [undefined, { entities: [e('a')], total: 2 }],
    [undefined, { entities: [e('a')], nextCursor: null, total: 2 }],
    [undefined, { entities: [e('a')], after: 'x' }],
    [1, { entities: [e('a')] }],
  ] as const) {
    const { entities } = await entitiesOf(pageSize, page)
    const ids: string[] = []
    await assert.rejects(idsOf(entities, ids), {
      code: 'invalid_response',
      status: 200,
      details: { members: Object.keys(page) },
      message: /^https:\/\/data\.sol\.example\/w\/v3\/entities\/sol%3Amoon: The answer is not recognised\./,
    })
    assert.deepEqual(ids, ['a'])
  }
})

test('a single page is treated as the last one if its total matches or it is not full', async () => {
  for (const [pageSize, page] of [
    [1, { entities: [e('a')], total: 1, etag: 'x' }],
    [1, { entities: [e('a')], nextCursor: null }],
    [2, { entities: [e('a')] }],
  ] as const) {
    const { entities } = await entitiesOf(pageSize, page)
    assert.deepEqual(await idsOf(entities), ['a'])
  }
})

test('a walk that starts at a cursor does not check the total', async () => {
  const { fetch, urls } = scriptedFetch(DOCUMENT, { entities: [e('b')], total: 2 })
  const world = await connect('https://sol.example', { fetch })
  assert.deepEqual(await idsOf(world.entities('sol:moon', { cursor: 'a' })), ['b'])
  assert.match(urls()[1] ?? '', /\?cursor=a$/)
})
