import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesPage, positions } from './changes.ts'
import { following, hasCode, LOG, page, put, taken } from './followed-world.fixture.ts'
import { failure } from './scripted-fetch.fixture.ts'

test('positions yields announced positions and heartbeats until the goodbye event', async () => {
  const event = (name: string, data: string) => `event: ${name}\ndata: ${data}\n\n`
  const parts = [
    event('change', JSON.stringify(put(1))) + event('position', '{"position":"e-2"}'),
    ':\n\n',
    event('odd', 'no JSON'),
    event('goodbye', '{}') + event('position', '{"position":"e-3"}'),
  ]
  const body = new ReadableStream({
    start: (controller) => parts.forEach((part) => void controller.enqueue(new TextEncoder().encode(part))),
  })
  const open = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  const { world, urls } = await following(open)
  const given = await Array.fromAsync(positions(world, { since: 't0' }))
  assert.deepEqual(given, ['e-1', 'e-2', undefined, ''])
  assert.equal(urls()[1], `${LOG}?since=t0`)
})

test("positions fails with the world's error, or with network_error if the stream breaks", async () => {
  const { world } = await following(failure(503, 'unavailable', { 'retry-after': '7' }), new TypeError('cut'))
  await assert.rejects(positions(world).next(), {
    code: 'unavailable',
    status: 503,
    retryAfter: 7,
    url: `${LOG}?`,
  })
  await assert.rejects(positions(world).next(), { code: 'network_error' })
})

test('a page lists damaged entities on request, and type versions at the end of the log', async () => {
  const rest = { versions: { 'sol:moon': 'e-8' }, damaged: [{ type: 'sol:moon', id: 'io' }] }
  const { world, urls } = await following({ ...page('p1', put(1)), ...rest })
  const { changes, ...state } = await changesPage(world, { entities: true, nameDamaged: true })
  assert.deepEqual(state, { next: 'p1', more: false, position: 'e-9', earliest: 'e-0', ...rest })
  assert.deepEqual(changes, [put(1)])
  assert.equal(urls()[1], `${LOG}?entities=true&damaged=named&limit=1000`)
})

test('a put without its own entity is invalid if entities were requested', async () => {
  for (const entity of [undefined, put(2).entity]) {
    const { world } = await following(page('p1', { ...put(1), entity }))
    const details = { type: 'sol:moon', id: 'moon-1' }
    await assert.rejects(taken(world.changes({ entities: true }), 1), hasCode('invalid_response', details))
  }
})
