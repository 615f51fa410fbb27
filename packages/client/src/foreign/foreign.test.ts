import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, DOCUMENT, failure, json, scriptedFetch } from '../scripted-fetch.fixture.ts'
import { connect, type ForeignOptions, interpretationOf, profileOf } from './foreign.ts'

const ORIGIN = 'https://sol.example'
const API = 'https://data.sol.example/w/v3'

const e = (id: string) => ({ type: 'sol:moon', id, attributes: {} })

async function connected(options: ForeignOptions, ...answers: Answer[]) {
  const script = scriptedFetch(DOCUMENT, ...answers)
  const world = await connect(ORIGIN, { fetch: script.fetch, retries: 0, ...options })
  return { world, ...script }
}

/**
 * Returns the entities of a world whose list has the given pages by cursor, the first one at ''. A page at `CURSOR#LIMIT` is
 * that for a limit. Any other cursor is refused.
 */
async function paged(pages: Record<string, unknown>, options: ForeignOptions = {}, pageSize?: number) {
  const sent: string[] = []
  const fetch = async (url: string) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname.startsWith('/.well-known')) return json(200, DOCUMENT)
    sent.push(url.replace(API, ''))
    if (!pathname.endsWith('/entities/sol%3Amoon')) return failure(404, 'entity_not_found')
    const cursor = searchParams.get('cursor') ?? ''
    const page = pages[`${cursor}#${searchParams.get('limit')}`] ?? pages[cursor]
    return page ? json(200, page) : failure(400, 'invalid_cursor')
  }
  const world = await connect(ORIGIN, { fetch, retries: 0, ...options })
  return { world, entities: world.entities('sol:moon', { pageSize }), sent }
}

async function idsOf(entities: AsyncIterable<{ id: string }>, into: string[] = []) {
  for await (const { id } of entities) into.push(id)
  return into
}

test('bodies with our names are returned unchanged, with all members', async () => {
  const page = { entities: [e('a'), e('b')], limit: 2, total: 2, x: 1 }
  const output = {
    entities: [e('a')],
    limit: 1,
    total: 1,
    counts: { 'sol:moon': 1 },
    truncated: false,
    matched: [],
  }
  const { world } = await connected({}, page, failure(400, 'x'), e('a'), { action: 'wp:discover', output })
  assert.deepEqual(JSON.parse(JSON.stringify(await world.list('sol:moon'))), page)
  assert.deepEqual(await world.get('sol:moon', 'a'), e('a'))
  assert.deepEqual(JSON.parse(JSON.stringify(await world.discover())), output)
})

test('lists and cursors of foreign worlds are recognised by their names', async () => {
  for (const list of ['entities', 'items', 'results', 'data', 'matches']) {
    for (const cursor of ['nextCursor', 'next_cursor', 'next', 'cursor']) {
      const { entities } = await paged({
        '': { [list]: [e('a')], [cursor]: 'x' },
        x: { [list]: [e('b')], [cursor]: null },
      })
      assert.deepEqual(await idsOf(entities), ['a', 'b'], `${list} ${cursor}`)
    }
  }
})

test('discover finds the list of a foreign world and keeps other members', async () => {
  const moon = { type: 'sol:moon', id: 'europa', attributes: {} }
  for (const name of ['entities', 'items', 'results', 'data', 'matches']) {
    const { world } = await connected({}, { output: { [name]: [moon], took: 3 } }, { [name]: [moon] })
    const found = async () => JSON.parse(JSON.stringify(await world.discover()))
    assert.deepEqual(await found(), { [name]: [moon], took: 3, entities: [moon] })
    assert.deepEqual(await found(), { [name]: [moon], entities: [moon] })
  }
})

test('interpretationOf returns the received body and the path of each part', async () => {
  const body = { page: { data: [{ name: 'Io', slug: 'io' }], after: 'x' }, totalCount: 2 }
  const { world } = await connected({}, body)
  const page = await world.list('sol:moon')
  const reading = interpretationOf(page)
  assert.deepEqual(reading?.body, body)
  assert.equal(page.nextCursor, 'x')
  assert.equal(page.total, 2)
  assert.deepEqual(reading?.found['entities'], {
    value: body.page.data,
    path: 'page.data',
    certainty: 'likely',
  })
  assert.equal(reading?.found['cursor']?.path, 'page.after')
  const [moon] = page.entities
  assert.deepEqual(moon, { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} })
  assert.ok(moon)
  assert.deepEqual(interpretationOf(moon)?.body, body.page.data[0])
})

test('names given by hand are paths and take precedence over recognised ones', async () => {
  const names = { entities: 'a.list', cursor: 'a.go', id: 'no', title: 'says.it', type: 'of' }
  const body = (go: string | null) => ({
    items: [e('wrong')],
    next: 'wrong',
    a: { list: [{ no: 7, of: 'x:y', says: { it: 'Seven' } }], go },
  })
  const { world, urls } = await connected({ names }, body('on'), body(null))
  const found = await world.entities('sol:moon').toArray({ max: 9 })
  assert.deepEqual(found[0], { type: 'x:y', id: '7', title: 'Seven', attributes: { says: { it: 'Seven' } } })
  assert.deepEqual(urls().slice(1), [`${API}/entities/sol%3Amoon`, `${API}/entities/sol%3Amoon?cursor=on`])
})

test('a missing member named by hand is not replaced by a guess', async () => {
  const { world } = await connected({ names: { entities: 'lst' } }, { items: [e('a')] })
  await assert.rejects(world.list('sol:moon'), { code: 'invalid_response', details: { members: ['items'] } })
})

test('the next page may be given as a URL', async () => {
  for (const next of [
    '/w/v3/entities/sol%3Amoon?limit=1&cursor=a%20b',
    `${API}/x?cursor=a%20b#top`,
    '?cursor=a%20b',
  ]) {
    const { entities, sent } = await paged({
      '': { items: [e('a')], links: { next } },
      'a b': { items: [e('b')] },
    })
    assert.deepEqual(await idsOf(entities), ['a', 'b'])
    assert.equal(sent.at(-1), '/entities/sol%3Amoon?cursor=a%20b', next)
  }
})

test('a walk ends at a last-page marker of any form', async () => {
  for (const end of [{ after: null }, { after: '' }, { after: false }, {}]) {
    const { entities } = await paged({ '': { items: [e('a')], after: 'x' }, x: { items: [e('b')], ...end } })
    assert.deepEqual(await idsOf(entities), ['a', 'b'], JSON.stringify(end))
  }
  const last = { data: [e('a')], page_info: { has_next_page: false, end_cursor: 'x' } }
  assert.deepEqual(await idsOf((await paged({ '': last })).entities), ['a'])
})

test('a request cursor that the page repeats is not mistaken for the next cursor', async () => {
  const { entities } = await paged({
    '': { items: [e('a')], cursor: null, next_cursor: 'x' },
    x: { items: [e('b')], cursor: 'x' },
  })
  assert.deepEqual(await idsOf(entities), ['a', 'b'])
})

test('the error of a walk that may be incomplete lists the members of its page', async () => {
  const twenty = (more: object) => ({ things: Array.from({ length: 20 }, (_, i) => e(`${i}`)), ...more })
  for (const [name, pages] of [
    ['the total is higher', { '': twenty({ page: { total: 120 } }) }],
    ['less is given where less is asked for', { '': twenty({ weiter: 'x' }), '#1': { things: [e('0')] } }],
    ['nothing but a list', { '': twenty({}).things, '#1': [e('0')] }],
    ['a null that is no end', { '': twenty({ after: null, total: 40 }) }],
    ['a flag without a cursor', { '': twenty({ hasMore: true }) }],
    ['a refuted cursor', { '': twenty({ next: 'x' }), x: twenty({ next: 'x' }) }],
    ['the total of a page', { '': twenty({ total: 20 }), '#1': { things: [e('0')], total: 1 } }],
    [
      'two members lead to other pages',
      {
        '': twenty({ weiter: 'x', letzte: 'y', total: 22 }),
        x: { things: [e('20')] },
        y: { things: [e('21')] },
      },
    ],
  ] as [string, Record<string, unknown>][]) {
    const { entities } = await paged(pages)
    const ids: string[] = []
    const url = `${API}/entities/sol%3Amoon`
    await assert.rejects(idsOf(entities, ids), { code: 'invalid_response', status: 200, url }, name)
    assert.equal(ids.length, 20, name)
  }
  const { entities } = await paged({ '': twenty({ weiter: 'x', total: 120 }) })
  await assert.rejects(idsOf(entities), { details: { members: ['things', 'weiter', 'total'] } })
})

test('a list without an end marker is complete if other limits and cursors change nothing', async () => {
  const list = { type: 'sol:moon', generated: 'yesterday', things: [e('a'), e('b')] }
  const { entities, sent } = await paged({ '': list })
  assert.deepEqual(await idsOf(entities), ['a', 'b'])
  const route = '/entities/sol%3Amoon'
  assert.deepEqual(sent.slice(0, 3), [route, `${route}?cursor=yesterday`, `${route}?limit=1`])
  const known = await paged({
    '': { items: [e('a'), e('b')] },
    '#1': { items: [e('a')], next: 'x' },
    x: { items: [e('b')] },
  })
  assert.deepEqual(await idsOf(known.entities), ['a', 'b'])
  const one = await paged({ '': { items: [e('a')] } }, {}, 1)
  assert.deepEqual(await idsOf(one.entities), ['a'])
  assert.match(one.sent[1] ?? '', /limit=2$/)
})

test('an unknown name is learned from a smaller page', async () => {
  const pages = { '': [e('a'), e('b')], '#1': { rows: [e('a')], weiter: 'x' }, x: { rows: [e('b')] } }
  const { world, entities } = await paged(pages)
  assert.deepEqual(await idsOf(entities), ['a', 'b'])
  assert.deepEqual(profileOf(world)?.proved, ['cursor'])
})

test('a request whose limit is refused is repeated without the limit', async () => {
  for (const status of [400, 422]) {
    const { world, urls } = await connected({}, failure(status, 'bad'), { items: [e('a')], next: null })
    const page = await world.list('sol:moon', { limit: 500, cursor: 'x' })
    assert.equal(page.entities.length, 1)
    assert.deepEqual(urls().slice(1), [
      `${API}/entities/sol%3Amoon?limit=500&cursor=x`,
      `${API}/entities/sol%3Amoon?cursor=x`,
    ])
  }
  const { world, sent } = await connected({}, failure(400, 'invalid_cursor'))
  await assert.rejects(world.list('sol:moon', { cursor: 'x' }), { code: 'invalid_cursor' })
  assert.equal(sent.length, 2)
})

test('get adds the requested type and id to an entity that lacks them', async () => {
  const { world } = await connected({}, { data: { name: 'Europa', radius: 1560 } })
  assert.deepEqual(await world.get('sol:moon', 'europa'), {
    type: 'sol:moon',
    id: 'europa',
    title: 'Europa',
    attributes: { radius: 1560 },
  })
})

test('search results are unwrapped, and a single requested type is the default type', async () => {
  const hits = {
    output: { hits: [{ rank: 1, entity: { type: 'sol:moon', id: 'io', radius: 1 } }], total: 1 },
  }
  const bare = [{ id: 5 }]
  const none = failure(404, 'entity_not_found')
  const { world } = await connected({}, hits, none, none.clone(), bare, bare)
  const { entities, total } = await world.discover({ text: 'io' })
  assert.deepEqual([entities, total], [[{ type: 'sol:moon', id: 'io', attributes: { radius: 1 } }], 1])
  const asked = await world.discover({ types: ['sol:moon'] })
  assert.deepEqual(asked.entities, [{ type: 'sol:moon', id: '5', attributes: {} }])
  const unknown = await world.discover({ types: ['sol:moon', 'sol:star'] })
  assert.deepEqual(unknown.entities, [{ type: '', id: '5', attributes: {} }])
})

test('code, message and details are read from errors of any form', async () => {
  const problem = { type: 'entity-not-found', title: 'Not found', status: 404, detail: 'No such moon.' }
  for (const [body, code, message, details] of [
    [{ code: 'c', message: 'm', details: ['x'] }, 'c', 'm', ['x']],
    [{ error: { code: 17, message: 'm', details: 'text' } }, '17', 'm', 'text'],
    [{ errors: [{ code: 'c', message: 'm', details: 5 }] }, 'c', 'm', 5],
    [{ fault: { code: 'c', message: 'm', details: 5 } }, 'c', 'm', 5],
    [{ error: 'gone', message: 'm' }, 'gone', 'm', {}],
    [problem, 'entity-not-found', 'No such moon.', {}],
    [{ ...problem, code: 'c' }, 'c', 'No such moon.', {}],
    ['text', 'http_404', undefined, {}],
    [{ message: 'm' }, 'http_404', undefined, {}],
  ] as const) {
    const { world } = await connected({}, json(404, body), DOCUMENT)
    await assert.rejects(world.get('sol:moon', 'x'), (error: Record<string, unknown>) => {
      assert.deepEqual([error['code'], error['details']], [code, details], JSON.stringify(body))
      if (message) assert.equal(error['message'], message)
      return true
    })
  }
})

test('the world id is found and compared with the expected one', async () => {
  const document = { protocol: 'world/0.1', worldIdentifier: 'urn:x', endpoints: { api: API } }
  const { fetch } = scriptedFetch(document, document)
  assert.equal((await connect(ORIGIN, { fetch, expectWorldId: 'urn:x' })).id, 'urn:x')
  await assert.rejects(connect(ORIGIN, { fetch, expectWorldId: 'urn:y' }), { code: 'world_mismatch' })
})

test('cursors in members whose names contain dots are followed', async () => {
  const next = (cursor?: string) => ({
    value: [e(`${cursor}`)],
    ...(cursor && { meta: { '@odata.nextLink': `${API}/x?cursor=${cursor}` } }),
  })
  const { entities } = await paged({ '': next('a'), a: next('b'), b: next() })
  assert.deepEqual(await idsOf(entities), ['a', 'b', 'undefined'])
  const { world } = await connected({ names: { cursor: 'a.b.c' } }, { items: [], 'a.b': { c: 'x' } })
  assert.equal((await world.list('sol:moon')).nextCursor, 'x')
})

test('a page that declares itself the last ends the walk despite its cursor', async () => {
  const page = (id: string, more: boolean) => ({
    edges: [{ node: e(id) }],
    pageInfo: { hasNextPage: more, endCursor: id },
  })
  const { entities } = await paged({ '': page('a', true), a: page('b', false) })
  assert.deepEqual(await idsOf(entities), ['a', 'b'])
  const inner = { results: [e('a')], cursor: 'x', more: false }
  assert.deepEqual(await idsOf((await paged({ '': inner })).entities), ['a'])
})
