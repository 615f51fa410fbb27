import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latest } from './changes.ts'
import { connect } from './connect.ts'
import { isWorldError } from './error.ts'
import {
  FOLLOWED,
  following,
  gone,
  hasCode,
  LOG,
  PAGES_ONLY,
  page,
  put,
  stream,
  taken,
} from './followed-world.fixture.ts'
import { DOCUMENT, failure, json, scriptedFetch } from './scripted-fetch.fixture.ts'

test('pages are read to the end of the log, followed by a stream from the last offset', async () => {
  const { world, sent, urls } = await following(
    { ...page('p2', put(1), put(2)), more: true },
    page('p3', put(3)),
    stream(put(4), put(5)),
  )
  const changes = await taken(world.changes({ types: ['sol:moon', 'sol:star'], entities: true }), 5)
  assert.deepEqual(
    changes.map(({ next }) => next),
    ['t1', 't2', 't3', 't4', 't5'],
  )
  assert.deepEqual(changes[0], put(1))
  const filter = 'types=sol%3Amoon,sol%3Astar&entities=true'
  assert.deepEqual(urls().slice(1), [
    `${LOG}?${filter}&limit=1000`,
    `${LOG}?since=p2&${filter}&limit=1000`,
    `${LOG}?since=p3&${filter}`,
  ])
  assert.deepEqual(
    sent.map(({ headers }) => headers.get('accept')),
    ['application/json', 'application/json', 'application/json', 'text/event-stream'],
  )
})

test('the token is sent only to the API, for both pages and streams', async () => {
  const { world, sent } = await following(
    page('p1'),
    new Response(null, { status: 307, headers: { location: 'https://elsewhere.example/log' } }),
    stream(put(1)),
  )
  await taken(world.changes({ since: 'now' }), 1)
  assert.deepEqual(
    sent.map(({ url, headers }) => [new URL(url).host, headers.get('authorization')]),
    [
      ['sol.example', null],
      ['data.sol.example', 'Bearer s3cret'],
      ['data.sol.example', 'Bearer s3cret'],
      ['elsewhere.example', null],
    ],
  )
})

test('a broken stream is resumed after the last complete change, and no change is repeated', async () => {
  const { world, urls } = await following(
    page('p1'),
    stream(put(1), put(2)),
    page('p3', put(3)),
    stream(put(4)),
  )
  const changes = await taken(world.changes({ since: 'p0' }), 4)
  assert.deepEqual(
    changes.map(({ id }) => id),
    ['moon-1', 'moon-2', 'moon-3', 'moon-4'],
  )
  assert.deepEqual(
    urls()
      .slice(1)
      .map((url) => new URL(url).searchParams.get('since')),
    ['p0', 'p1', 't2', 'p3'],
  )
})

test('temporary failures of a world are retried', async () => {
  const { world } = await following(
    page('p1', put(1)),
    new TypeError('no stream'),
    new TypeError('no page'),
    failure(503, 'unavailable'),
    failure(500, 'internal_error'),
    page('p2', put(2)),
  )
  assert.equal((await taken(world.changes(), 2)).length, 2)
})

test('pages are polled if no stream is declared or the response is not a stream', async () => {
  const { fetch, urls } = scriptedFetch(PAGES_ONLY, page('p1'), page('p2', put(1)))
  const world = await connect('https://sol.example', { fetch })
  assert.equal((await taken(world.changes(), 1)).length, 1)
  assert.equal(urls().length, 3)
  const other = await following(page('p1'), json(200, page('p2', put(1))), page('p2', put(1)))
  assert.equal((await taken(other.world.changes(), 1)).length, 1)
})

test('a failure before the first response is thrown', async () => {
  const { world } = await following(failure(503, 'unavailable'))
  await assert.rejects(taken(world.changes(), 1), hasCode('unavailable'))
})

test('changes_expired is thrown on the first request and on later ones', async () => {
  const details = { earliest: 'e-3', restart: 'Ask without since.' }
  const expired = () => json(410, { code: 'changes_expired', message: 'Too old.', details })
  const { world } = await following(expired())
  await assert.rejects(taken(world.changes({ since: 'old' }), 1), hasCode('changes_expired', details))
  const later = await following(page('p1'), expired(), expired())
  await assert.rejects(taken(later.world.changes(), 1), hasCode('changes_expired', details))
})

test('a world without the extension is refused before any request is sent', async () => {
  const { fetch, urls } = scriptedFetch(DOCUMENT)
  const world = await connect('https://sol.example', { fetch })
  const details = { extension: 'worldwright:changes' }
  await assert.rejects(taken(world.changes(), 1), hasCode('unsupported_extension', details))
  await assert.rejects(taken(world.watch('sol:moon', 'io'), 1), hasCode('unsupported_extension', details))
  assert.equal(urls().length, 1)
})

test('invalid options are refused', async () => {
  const { world, urls } = await following()
  await assert.rejects(taken(world.changes({ since: '' }), 1), hasCode('invalid_argument', { since: '' }))
  await assert.rejects(taken(world.changes({ types: [] }), 1), hasCode('invalid_argument', { types: [] }))
  await assert.rejects(taken(world.changes({ types: [''] }), 1), hasCode('invalid_argument', { name: '' }))
  assert.equal(urls().length, 1)
})

test('a response that is not a change page is refused', async () => {
  const wrong: [object, string][] = [
    [{ entities: [] }, 'changes'],
    [{ changes: [] }, 'next'],
    [page('p1', { ...put(1), op: 'move' }), 'op'],
    [page('p1', { ...put(1), id: 7 }), 'id'],
    [page('p1', { ...put(1), next: undefined }), 'next'],
    [page('p1', { ...put(1), revision: undefined }), 'revision'],
  ]
  for (const [answer, member] of wrong) {
    const { world } = await following(answer)
    await assert.rejects(taken(world.changes(), 1), hasCode('invalid_response', { member }))
  }
})

test('a page that does not advance ends the loop with an error', async () => {
  const { world } = await following({ ...page('p1'), more: true }, { ...page('p1'), more: true })
  await assert.rejects(taken(world.changes(), 1), hasCode('pagination_loop', { next: 'p1' }))
})

test('an abort ends the loop during a page request, a stream or a pause', async () => {
  const silent = () => new Promise(() => {})
  const open = new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
  for (const answers of [[silent], [page('p1'), silent], [page('p1'), open], [page('p1')]]) {
    const { world, sent } = await following(...answers)
    const ending = new AbortController()
    const loop = taken(world.changes({ signal: ending.signal }), 1)
    while (sent.length <= answers.length) await new Promise((resolve) => setImmediate(resolve))
    ending.abort('enough')
    await assert.rejects(loop, (error) => isWorldError(error) && error.code === 'aborted')
  }
})

test('leaving the loop cancels the stream', async () => {
  let isCancelled = false
  const text = `event: change\ndata: ${JSON.stringify(put(1))}\n\n`
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    cancel: () => {
      isCancelled = true
    },
  })
  const { world } = await following(
    page('p1'),
    new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  )
  await taken(world.changes(), 1)
  assert.ok(isCancelled)
})

test('changes are typed with the entity types of the world', async () => {
  interface Sol {
    entities: { 'sol:moon': { radiusKm: number }; 'sol:star': { class: string } }
    actions: object
  }
  const moon = put(1)
  const { fetch } = scriptedFetch(
    FOLLOWED,
    page('p1', { ...moon, entity: { ...moon.entity, attributes: { radiusKm: 1561 } } }),
  )
  const world = await connect<Sol>('https://sol.example', { fetch })
  for await (const change of world.changes({ types: ['sol:moon'], entities: true })) {
    const radius: number | undefined = change.op === 'put' ? change.entity?.attributes.radiusKm : undefined
    assert.equal(radius, 1561)
    break
  }
  // @ts-expect-error: no such type
  world.changes({ types: ['sol:rock'] })
})

test('latest returns an offset from which later changes can be read', async () => {
  const { world, urls } = await following(page('p7'), page('p8', put(8)))
  const since = await latest(world, { types: ['sol:moon'] })
  assert.equal(since, 'p7')
  assert.deepEqual(await taken(world.changes({ since, types: ['sol:moon'] }), 1), [put(8)])
  assert.equal(urls()[1], `${LOG}?since=now&types=sol%3Amoon&limit=1000`)
})

test('watch yields the current entity and then every change to it', async () => {
  const { world, urls } = await following(
    page('p0'),
    put(1, 'io').entity,
    // This change happened before the entity was read, so it is not yielded.
    page('p2', put(1, 'io'), put(2, 'europa')),
    stream(put(3, 'io'), gone(4, 'io'), gone(5, 'io'), put(6, 'io')),
  )
  const seen = await taken(world.watch('sol:moon', 'io'), 4)
  assert.deepEqual(
    seen.map((entity) => entity?.revision),
    ['r1', 'r3', undefined, 'r6'],
  )
  assert.deepEqual(urls().slice(1, 4), [
    `${LOG}?since=now&types=sol%3Amoon&entities=true&limit=1000`,
    'https://data.sol.example/w/v3/entities/sol%3Amoon/io',
    `${LOG}?since=p0&types=sol%3Amoon&entities=true&limit=1000`,
  ])
})

test('watch waits for an entity that does not exist yet', async () => {
  const { world } = await following(page('p0'), failure(404, 'entity_not_found'), page('p1', put(1, 'io')))
  const seen = await taken(world.watch('sol:moon', 'io'), 2)
  assert.deepEqual(
    seen.map((entity) => entity?.revision),
    [undefined, 'r1'],
  )
})

test('a condition is sent with pages and streams, and an entity that does not match comes as leave', async () => {
  const leave = (number: number) => ({ ...gone(number, `moon-${number}`), op: 'leave' })
  const extensions = { 'worldwright:changes': { path: 'changes', where: true } }
  const answers = [page('p2', put(1), leave(2)), stream(leave(3))]
  const { fetch, urls } = scriptedFetch({ ...DOCUMENT, extensions }, ...answers)
  const world = await connect('https://sol.example', { fetch, retries: 0 })
  const where = { op: '>', args: [{ property: 'mass' }, 1] }
  const changes = await taken(world.changes({ since: 'p1', types: ['sol:moon'], where }), 3)
  assert.deepEqual(changes, [put(1), leave(2), leave(3)])
  assert.deepEqual(
    urls()
      .slice(1)
      .map((url) => Object.fromEntries(new URL(url).searchParams)),
    [
      { since: 'p1', types: 'sol:moon', where: JSON.stringify(where), limit: '1000' },
      { since: 'p2', types: 'sol:moon', where: JSON.stringify(where) },
    ],
  )
})

test('a condition as text is sent unchanged', async () => {
  const extensions = { 'worldwright:changes': { path: 'changes', where: true } }
  const { fetch, urls } = scriptedFetch({ ...DOCUMENT, extensions }, page('p2', put(1)))
  const world = await connect('https://sol.example', { fetch, retries: 0 })
  await taken(world.changes({ where: 'mass > 1' }), 1)
  assert.equal(new URL(urls()[1] ?? '').searchParams.get('where'), 'mass > 1')
})

test('with a condition, a world that would ignore it is sent no request for changes', async () => {
  const { world, urls } = await following()
  const where = { op: 'isNull', args: [{ property: 'mass' }] }
  const details = { extension: 'worldwright:changes' }
  await assert.rejects(taken(world.changes({ where }), 1), hasCode('unsupported_extension', details))
  assert.equal(urls().length, 1)
})
