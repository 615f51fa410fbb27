import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCUMENT, failure, json } from '../scripted-fetch.fixture.ts'
import { connect } from './foreign.ts'

const e = (id: string) => ({ type: 'sol:moon', id, attributes: {} })

/** Connects to a world whose list has the given pages by cursor, the first one at ''. Any other cursor is refused. */
async function paged(pages: Record<string, unknown>) {
  const sent: string[] = []
  const fetch = async (url: string) => {
    if (url.endsWith('.json')) return json(200, DOCUMENT)
    sent.push(url)
    const page = pages[new URL(url).searchParams.get('cursor') ?? '']
    return page ? json(200, page) : failure(400, 'invalid_cursor')
  }
  const world = await connect('https://sol.example', { fetch, retries: 0 })
  return { world, entities: world.entities('sol:moon'), sent }
}

async function idsOf(entities: AsyncIterable<{ id: string }>) {
  const ids: string[] = []
  for await (const { id } of entities) ids.push(id)
  return ids
}

test('a mark of the end belongs to the page, not to its facets', async () => {
  const pages = {
    '': { entities: [e('a')], nextCursor: 'n', facets: { hasMore: false } },
    n: { entities: [e('b')], nextCursor: null, facets: { hasMore: true } },
  }
  assert.deepEqual(await idsOf((await paged(pages)).entities), ['a', 'b'])
  const answer = { '': { answer: { items: [e('a')], has_more: false }, next: 'n' } }
  assert.deepEqual(await idsOf((await paged(answer)).entities), ['a'])
})

test('our names cost no further request, whatever other members a page and its entities have', async () => {
  const more = { next_episode: 'x', after: 'y', token: 'z', cursor: 'c', count: 9, has_more: 'no' }
  const one = (id: string) => ({
    ...e(id),
    ...more,
    next: 'n',
    attributes: { ...more, id: 'other', type: 'o:o' },
  })
  const pages = {
    '': { entities: [one('a')], total: 2, ...more, nextCursor: 'n' },
    n: { entities: [one('b')], total: 2, ...more, nextCursor: null },
  }
  const { entities, sent } = await paged(pages)
  assert.deepEqual(await idsOf(entities), ['a', 'b'])
  assert.equal(sent.length, 2)
  const single = { '': { entities: [one('a')], total: 1, ...more, nextCursor: null } }
  const alone = await paged(single)
  assert.deepEqual(await idsOf(alone.entities), ['a'])
  assert.equal(alone.sent.length, 1)
  assert.deepEqual((await alone.world.list('sol:moon')).entities[0], one('a'))
})

test('a next link in an array of links is followed', async () => {
  const href = (cursor: string) => `https://data.sol.example/w/v3/entities/sol%3Amoon?cursor=${cursor}`
  const links = (...rels: string[]) => rels.map((rel) => ({ rel, href: href(rel), type: 'application/json' }))
  const { entities, sent } = await paged({
    '': { items: [e('a')], limit: 50, links: links('self', 'next') },
    next: { items: [e('b')], limit: 50, links: links('self', 'prev') },
  })
  assert.deepEqual(await idsOf(entities), ['a', 'b'])
  assert.equal(sent.length, 3)
})

test('a page without a recognised cursor is not complete because another limit fails', async () => {
  const limits: (string | null)[] = []
  const fetch = async (url: string) => {
    if (url.endsWith('.json')) return json(200, DOCUMENT)
    const limit = new URL(url).searchParams.get('limit')
    limits.push(limit)
    return limit === null ? json(200, { entities: [e('a'), e('b')] }) : failure(500, 'broken')
  }
  const world = await connect('https://sol.example', { fetch, retries: 0 })
  await assert.rejects(idsOf(world.entities('sol:moon')), { code: 'invalid_response' })
  assert.deepEqual(limits, [null, '1'])
})

test('a type in a usual member precedes one in a member such as parentType', async () => {
  const found = { parentType: 'sol:planet', kind: 'sol:moon', slug: 'io' }
  const fetch = async (url: string) => {
    if (url.endsWith('.json')) return json(200, { ...DOCUMENT, kinds: ['sol:moon', 'sol:planet'] })
    return url.endsWith('discover') ? json(200, { output: [found] }) : failure(404, 'entity_not_found')
  }
  const world = await connect('https://sol.example', { fetch, retries: 0 })
  assert.equal((await world.discover()).entities[0]?.type, 'sol:moon')
})

test('a body with very many members is read in linear time', async () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`member ${at}`, `${at}`]))
  const { entities, sent } = await paged({
    '': { entities: [e('a')], nextCursor: 'n', info: many },
    n: { items: [{ ...many, type: 'sol:moon', id: 'b' }], next: null, info: many },
  })
  assert.deepEqual(await idsOf(entities), ['a', 'b'])
  assert.equal(sent.length, 2)
})
