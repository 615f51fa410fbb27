import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client'
import { connect } from '@worldwright/client/foreign'
import { isEnded, nextPage, pageBefore, pagesOfType, trailTo, walkFrom } from './walk.ts'

const signal = new AbortController().signal
const entity = (id: string): Entity => ({ type: 'a:b', id, attributes: {} })

/** Creates a world that returns `pages` one after the other and records its requests. */
async function worldOf(...pages: object[]) {
  const asked: unknown[] = []
  const document = { protocol: 'world/0.1', endpoints: { api: 'https://a.example/api' } }
  const fetch = async (url: string) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/.well-known/world.json') return Response.json(document)
    asked.push({ limit: Number(searchParams.get('limit')), cursor: searchParams.get('cursor') })
    return Response.json(pages.shift() ?? { entities: [entity('1')] })
  }
  return { world: await connect('https://a.example', { fetch }), asked }
}

test('a walk follows cursors and ends with a page that has no cursor', async () => {
  const { world, asked } = await worldOf(
    { entities: [entity('1'), entity('2')], nextCursor: 'c1', total: 3, limit: 2 },
    { entities: [entity('3')], total: 3, limit: 2 },
  )
  const first = await nextPage(pagesOfType(world, 'a:b'), walkFrom(undefined), { limit: 2, signal })
  assert.equal(isEnded(first), false)
  const second = await nextPage(pagesOfType(world, 'a:b'), first, { limit: 2, signal })
  assert.equal(isEnded(second), true)
  assert.deepEqual(
    second.entities.map(({ id }) => id),
    ['1', '2', '3'],
  )
  assert.deepEqual(second.starts, [
    { row: 0, cursor: undefined },
    { row: 2, cursor: 'c1' },
  ])
  assert.deepEqual(asked, [
    { limit: 2, cursor: null },
    { limit: 2, cursor: 'c1' },
  ])
})

test('alternative member names are recognised, and the total may be missing', async () => {
  const { world } = await worldOf({ items: [entity('1')], next: 'n' }, { items: [entity('2')] })
  const walked = await nextPage(pagesOfType(world, 'a:b'), walkFrom('start'), { limit: 2, signal })
  assert.equal(walked.total, undefined)
  assert.equal(walked.nextCursor, 'n')
  assert.deepEqual(walked.starts, [{ row: 0, cursor: 'start' }])
})

test('a repeated cursor and an answer without a list are errors', async () => {
  const loop = await worldOf({ entities: [entity('1')], nextCursor: 'same' })
  await assert.rejects(nextPage(pagesOfType(loop.world, 'a:b'), walkFrom('same'), { limit: 2, signal }), {
    code: 'pagination_loop',
  })
  const none = await worldOf({ rows: 5 })
  await assert.rejects(nextPage(pagesOfType(none.world, 'a:b'), walkFrom(undefined), { limit: 2, signal }), {
    code: 'invalid_response',
    details: { members: ['rows'] },
  })
})

test('if the last page may not be the end of the list, it is returned with a `doubt`', async () => {
  const page = { rows: [{ slug: '1' }], weiter: 'x' }
  // The client asks for the entity and for the cursor `x` before it tries another limit.
  const { world } = await worldOf(page, page, page, { rows: [{ slug: '1' }, { slug: '2' }] })
  const walked = await nextPage(pagesOfType(world, 'a:b'), walkFrom(undefined), { limit: 1, signal })
  assert.deepEqual(
    walked.entities.map(({ id }) => id),
    ['1'],
  )
  assert.deepEqual(walked.doubt?.page, page)
  assert.match(String(walked.doubt?.error), /not recognised/)
})

test('a walk that began at a cursor reads earlier pages by its trail of cursors', async () => {
  const { world, asked } = await worldOf(
    { entities: [entity('5')], total: 5, limit: 2 },
    // One of these entities was added later, and one has already been read.
    { entities: [entity('3'), entity('3b'), entity('5')], nextCursor: 'c2', total: 6, limit: 2 },
    { entities: [entity('1'), entity('2')], nextCursor: 'c1', total: 6, limit: 2 },
  )
  const trail = [
    { row: 0, cursor: undefined },
    { row: 2, cursor: 'c1' },
  ]
  const begun = await nextPage(pagesOfType(world, 'a:b'), walkFrom('c2', 4, trail), { limit: 2, signal })
  assert.deepEqual(trailTo(begun, 0), [...trail, { row: 4, cursor: 'c2' }])
  const up = await pageBefore(pagesOfType(world, 'a:b'), begun, signal)
  assert.deepEqual([up.before, up.trail.length, up.entities.map(({ id }) => id)], [2, 1, ['3', '3b', '5']])
  const top = await pageBefore(pagesOfType(world, 'a:b'), up, signal)
  assert.deepEqual([top.before, top.entities.map(({ id }) => id)], [0, ['1', '2', '3', '3b', '5']])
  assert.equal(await pageBefore(pagesOfType(world, 'a:b'), top, signal), top)
  assert.deepEqual(asked.slice(1), [
    { limit: 2, cursor: 'c1' },
    { limit: 2, cursor: null },
  ])
})
