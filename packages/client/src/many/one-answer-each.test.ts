import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchOf, hostile, moon, shown, worldOf } from './many.fixture.ts'
import { connectAll } from './many.ts'

const europa = moon('europa', 'Europa')
const io = moon('io', 'Io')
const OPTIONS = { retries: 0, timeout: 500 }

test('a world cannot raise its hits, repeat them or return more than asked', async () => {
  const many = Array.from({ length: 2000 }, (_, index) => moon(`m${index}`))
  const odd = [
    null,
    7,
    [],
    { type: 'sol:moon' },
    { ...io, id: 4 },
    { ...io, id: 'x', attributes: [] },
    { ...io, score: 9e9 },
  ]
  const fetch = fetchOf([worldOf('good', [europa, io])], {
    'many.example': hostile('many', { entities: many }),
    'same.example': hostile('same', { entities: Array(20).fill(io) }),
    'odd.example': hostile('odd', { entities: odd, total: 'many' }),
    'type.example': hostile('type', { entities: [{ ...io, type: 'evil:moon' }] }),
  })
  const places = ['many', 'same', 'odd', 'type', 'good'].map((name) => `https://${name}.example`)
  const question = { types: ['sol:moon'], text: 'europa', limit: 10 }
  const { hits, worlds } = await connectAll(places, { fetch, ...OPTIONS })
    .discover(question)
    .merged()
  assert.deepEqual(
    worlds.map(({ state, hits }) => [state, hits.length]),
    [
      ['answered', 10],
      ['partial', 1],
      ['partial', 1],
      ['partial', 0],
      ['answered', 1],
    ],
  )
  assert.equal(hits.length, 10)
  assert.deepEqual(
    hits.slice(0, 3).map(({ entity }) => entity.id),
    ['europa', 'm0', 'io'],
  )
})

test('places of one world are asked once', async () => {
  const world = worldOf('a', [europa])
  const fetch = fetchOf([world], {
    'moved.example': (path) => Response.redirect(`https://a.example${path}`, 301),
    // A replica has the id of its world and an API of its own, as a thief has.
    'replica.example': hostile('replica', { entities: [io] }, 'urn:a'),
  })
  const places = ['a', 'moved', 'a', 'replica'].map((name) => `https://${name}.example`)
  const { worlds, hits, missing } = await connectAll(places, { fetch, ...OPTIONS })
    .discover()
    .merged()
  assert.deepEqual(worlds.map(shown), [
    ['a', 'answered', ''],
    ['moved', 'same', 'https://a.example'],
    ['a', 'same', 'https://a.example'],
    ['replica', 'answered', ''],
  ])
  assert.deepEqual([hits.length, missing.length], [2, 0])
  // The document for the first place and for the one that was moved, and one search.
  assert.deepEqual(world.requests.map(({ method }) => method).toSorted(), ['GET', 'GET', 'POST'])
})

test('a world that states the id of another one takes nothing from it, even if it is asked first', async () => {
  const world = worldOf('a', [europa])
  const fetch = fetchOf([world], { 'thief.example': hostile('thief', { entities: [io] }, 'urn:a') })
  const all = connectAll(['https://thief.example', 'https://a.example'], { fetch, ...OPTIONS })
  const { worlds, hits } = await all.discover().merged()
  assert.deepEqual(worlds.map(shown), [
    ['thief', 'answered', ''],
    ['a', 'answered', ''],
  ])
  assert.deepEqual(
    hits.map(({ entity, origin }) => [entity.id, origin]),
    [
      ['io', 'https://thief.example'],
      ['europa', 'https://a.example'],
    ],
  )
})

test('a place with the id of a world that failed is asked', async () => {
  const fetch = fetchOf([], {
    'a.example': (path) => (path.includes('well-known') ? hostile('a', 0)(path) : undefined),
    'replica.example': hostile('replica', { entities: [io] }, 'urn:a'),
  })
  const all = connectAll(['https://a.example', 'https://replica.example'], {
    fetch,
    ...OPTIONS,
    concurrency: 1,
  })
  const { worlds } = await all.discover().merged()
  assert.deepEqual(worlds.map(shown), [
    ['a', 'unreachable', 'network_error'],
    ['replica', 'answered', ''],
  ])
})
