import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchOf, hostile, moon, shown, worldOf } from './many.fixture.ts'
import { connectAll, merge, type WorldAnswer } from './many.ts'

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
    // A replica has the id of its world, and an API of its own.
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
    ['replica', 'same', 'https://a.example'],
  ])
  assert.deepEqual([hits.length, missing.length], [1, 0])
  // The document for the first place and for the one that was moved, and one search.
  assert.deepEqual(world.requests.map(({ method }) => method).toSorted(), ['GET', 'GET', 'POST'])
})

test('a later place with the id of another world takes nothing from it, even if it answers first', async () => {
  const world = worldOf('a', [europa])
  const real = fetchOf([world], { 'thief.example': hostile('thief', { entities: [io] }, 'urn:a') })
  let answered = () => {}
  const thief = new Promise<void>((resolve) => {
    answered = resolve
  })
  const fetch = async (url: string, init: RequestInit) => {
    if (url.startsWith(world.origin)) await thief
    return real(url, init)
  }
  const all = connectAll(['https://a.example', 'https://thief.example'], { fetch, ...OPTIONS })
  const answers: WorldAnswer[] = []
  for await (const answer of all.discover()) {
    answers.push(answer)
    answered()
  }
  assert.deepEqual(answers.map(shown), [
    ['thief', 'answered', ''],
    ['a', 'answered', ''],
  ])
  const merged = merge(answers.toReversed())
  assert.deepEqual(merged.worlds.map(shown), [
    ['a', 'answered', ''],
    ['thief', 'same', 'https://a.example'],
  ])
  assert.deepEqual(
    merged.hits.map(({ entity }) => entity.id),
    ['europa'],
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
