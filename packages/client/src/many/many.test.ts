import assert from 'node:assert/strict'
import { test } from 'node:test'
import { READING, type ReadingProfile } from '../foreign/names.ts'
import { fetchOf, hostile, moon, shown, worldOf } from './many.fixture.ts'
import { connectAll, merge, type WorldAnswer } from './many.ts'

const europa = moon('europa', 'Europa')
const io = moon('io', 'Io')
const OPTIONS = { retries: 0, timeout: 500 }

const never = () => new Promise(() => {})

test('a question goes to every world, and its hits are in the order of their ranks', async () => {
  const worlds = [worldOf('a', [europa, io]), worldOf('b', [moon('titan'), moon('rhea')])]
  const all = connectAll(['https://a.example', 'https://b.example'], { fetch: fetchOf(worlds), ...OPTIONS })
  const { hits, missing, worlds: answers } = await all.discover({ text: 'ice', limit: 3 }).merged()
  assert.deepEqual(
    hits.map(({ entity, origin, worldId, rank, score }) => [entity.id, origin, worldId, rank, score]),
    [
      ['europa', 'https://a.example', 'urn:a', 1, 1 / 61],
      ['rhea', 'https://b.example', 'urn:b', 1, 1 / 61],
      ['io', 'https://a.example', 'urn:a', 2, 1 / 62],
    ],
  )
  assert.deepEqual(missing, [])
  assert.deepEqual(
    answers.map(({ total, hits }) => [total, hits.length]),
    [
      [2, 2],
      [2, 2],
    ],
  )
})

test('hits of equal rank whose titles hold more of the words come first', async () => {
  const worlds = [worldOf('a', [io]), worldOf('b', [europa])]
  const all = connectAll(['https://a.example', 'https://b.example'], { fetch: fetchOf(worlds), ...OPTIONS })
  const answers: WorldAnswer[] = []
  for await (const answer of all.discover()) answers.push(answer)
  const ids = (text: string) => merge(answers, { text }).hits.map(({ entity }) => entity.id)
  assert.deepEqual(ids('Europa ocean').slice(0, 1), ['europa'])
  assert.deepEqual(ids('io ocean').slice(0, 1), ['io'])
  assert.equal(merge(answers, { limit: 1 }).hits.length, 1)
})

test('answers arrive as they come, and leaving the loop aborts the other requests', async () => {
  let aborted = 0
  const fetch = fetchOf([worldOf('a', [europa])], {
    'slow.example': (_, { signal }) => {
      signal?.addEventListener('abort', () => aborted++)
      return never()
    },
  })
  const all = connectAll(['https://slow.example', 'https://a.example'], { fetch, timeout: 60_000 })
  for await (const answer of all.discover()) {
    assert.deepEqual(shown(answer), ['a', 'answered', ''])
    break
  }
  assert.equal(aborted, 1)
})

test('an abort ends the question, and the worlds that had not answered are late', async () => {
  const fetch = fetchOf([], { 'slow.example': never })
  const controller = new AbortController()
  const all = connectAll(['https://slow.example'], { fetch, timeout: 60_000 })
  const answer = all.discover({}, { signal: controller.signal }).merged()
  controller.abort()
  assert.deepEqual((await answer).worlds.map(shown), [['slow', 'late', 'aborted']])
  const again = await all.discover({}, { signal: controller.signal }).merged()
  assert.deepEqual(again.missing.map(shown), [['slow', 'late', 'aborted']])
})

test('the state of a world says why there is no answer from it', async () => {
  const fetch = fetchOf([worldOf('good', [europa])], {
    'slow.example': never,
    'page.example': () => new Response('<html>', { status: 404 }),
    'other.example': () => ({ protocol: 'world/9' }),
    'down.example': () => new Response('', { status: 502 }),
    'locked.example': (path) =>
      path.includes('well-known')
        ? hostile('locked', 0)(path)
        : Response.json({ code: 'unauthenticated', message: 'No.' }, { status: 401 }),
    'list.example': hostile('list', { matches: [] }),
    'large.example': hostile('large', { entities: ['x'.repeat(3000)] }),
    'http.example': () => Response.redirect('http://http.example/', 302),
    'loop.example': (path) => Response.redirect(`https://loop.example${path}`, 302),
    'cut.example': hostile('cut', { entities: [europa], total: -1, partial: true }),
  })
  const names = 'good slow page other down locked list large http loop cut gone'.split(' ')
  const places = [...names.map((name) => `https://${name}.example`), 'no address']
  const { worlds, missing } = await connectAll(places, { fetch, ...OPTIONS, maxBytes: 2000 })
    .discover()
    .merged()
  assert.deepEqual(worlds.slice(0, -1).map(shown), [
    ['good', 'answered', ''],
    ['slow', 'late', 'timeout'],
    ['page', 'not_a_world', 'http_404'],
    ['other', 'not_a_world', 'unsupported_protocol'],
    ['down', 'unreachable', 'http_502'],
    ['locked', 'refused', 'unauthenticated'],
    ['list', 'broken', 'invalid_response'],
    ['large', 'broken', 'response_too_large'],
    ['http', 'refused', 'insecure_endpoint'],
    ['loop', 'not_a_world', 'http_302'],
    ['cut', 'partial', ''],
    ['gone', 'unreachable', 'network_error'],
  ])
  const invalid = worlds.at(-1)
  assert.deepEqual(
    [invalid?.origin, invalid?.state, invalid?.error?.code],
    ['no address', 'not_a_world', 'invalid_argument'],
  )
  assert.equal(missing.length, 11)
  assert.equal(worlds[10]?.total, undefined)
})

test('worlds that declare no queries are not asked', async () => {
  const worlds = [worldOf('a', [europa, io]), worldOf('b', [io], { actions: [null, 3] as never })]
  const all = connectAll(['https://a.example', 'https://b.example'], { fetch: fetchOf(worlds), ...OPTIONS })
  const where = { op: '=', args: [{ property: 'id' }, 'io'] }
  const answers = await all.query({ types: ['sol:moon'], where }).merged()
  assert.deepEqual(answers.worlds.map(shown), [
    ['a', 'answered', ''],
    ['b', 'unsupported', 'unsupported_extension'],
  ])
  assert.deepEqual(
    answers.hits.map(({ entity }) => entity.id),
    ['io'],
  )
  assert.equal(worlds[1]?.requests.length, 1)
})

test('a reading profile with a place reads a world with other names', async () => {
  const fetch = fetchOf([], {
    'their.example': (path) =>
      path.includes('well-known')
        ? hostile('their', 0)(path)
        : { output: { treffer: [{ kind: 'sol:moon', key: 'io', label: 'Io', of: 'Jupiter' }], other: [{}] } },
  })
  const names = { found: 'treffer', type: 'kind', id: 'key', title: 'label' }
  const profile: ReadingProfile = { profile: READING, names, proved: ['found', 'type', 'id', 'title'] }
  const all = connectAll([{ origin: 'https://their.example', profile }], { fetch, ...OPTIONS })
  const { hits } = await all.discover({ text: 'io' }).merged()
  assert.deepEqual(
    hits.map(({ entity: { type, id, title } }) => [type, id, title]),
    [['sol:moon', 'io', 'Io']],
  )
})

test('a token goes only to its own place, and connections are kept', async () => {
  const worlds = [worldOf('a', [europa]), worldOf('b', [io])]
  const fetch = fetchOf(worlds)
  const all = connectAll([{ origin: 'https://a.example', token: 's3cret' }, 'https://b.example'], {
    fetch,
    ...OPTIONS,
  })
  for (let times = 0; times < 2; times++) await all.discover().merged()
  for (const [index, { requests }] of worlds.entries()) {
    assert.equal(requests.length, 3)
    assert.deepEqual(
      requests.map(({ headers }) => headers['authorization']),
      index === 0 ? [undefined, 'Bearer s3cret', 'Bearer s3cret'] : [undefined, undefined, undefined],
    )
  }
})

test('a reference to a place without a token uses no connection that has one, nor the reverse', async () => {
  const world = worldOf('a', [europa])
  const places = new Map([['urn:a', 'https://a.example']])
  const all = connectAll([{ origin: 'https://a.example', token: 's3cret' }], {
    fetch: fetchOf([world]),
    places,
    ...OPTIONS,
  })
  await all.get({ world: 'urn:a', type: 'sol:moon', id: 'europa' })
  await all.discover().merged()
  await all.get({ world: 'urn:a', type: 'sol:moon', id: 'europa' })
  assert.deepEqual(
    world.requests.map(({ headers }) => headers['authorization']),
    [undefined, undefined, undefined, 'Bearer s3cret', undefined],
  )
})

test('a reference to another world leads to the world of that id, or fails', async () => {
  const fetch = fetchOf([worldOf('a', [europa]), worldOf('b', [io])])
  const places = new Map([
    ['urn:a', 'https://a.example'],
    ['urn:c', 'https://b.example'],
  ])
  const all = connectAll(['https://b.example'], { fetch, places, ...OPTIONS })
  const entity = await all.get({ world: 'urn:a', type: 'sol:moon', id: 'europa' })
  assert.equal(entity.title, 'Europa')
  await assert.rejects(all.get({ world: 'urn:a', type: 'sol:moon', id: 'x' }), { code: 'entity_not_found' })
  await assert.rejects(all.get({ world: 'urn:c', type: 'sol:moon', id: 'io' }), {
    code: 'world_mismatch',
    details: { expected: 'urn:c', actual: 'urn:b' },
  })
  // The world that the list has is not trusted with its id.
  for (const world of ['urn:b', '__proto__', undefined as never])
    await assert.rejects(all.get({ world, type: 'sol:moon', id: 'io' }), { code: 'invalid_argument' })
})

test('silent worlds give their places to the next', async () => {
  const silent = Array.from({ length: 4 }, (_, index) => `silent${index}`)
  const others = Object.fromEntries(silent.map((name) => [`${name}.example`, never]))
  const fetch = fetchOf([worldOf('a', [europa])], others)
  const places = [...silent, 'a'].map((name) => `https://${name}.example`)
  const all = connectAll(places, { fetch, timeout: 60_000, concurrency: 4 })
  for await (const answer of all.discover()) {
    assert.deepEqual(shown(answer), ['a', 'answered', ''])
    break
  }
})

test('by default a call is retried once, and a body has at most 256 KiB', async () => {
  const [once, twice] = [worldOf('once', [io]), worldOf('twice', [io])]
  once.fail({ kind: 'unavailable' })
  twice.fail({ kind: 'unavailable' }, 2)
  const entities = [moon('small', 'x'.repeat(250_000))]
  const fetch = fetchOf([once, twice], {
    'small.example': hostile('small', { entities }),
    'large.example': hostile('large', { entities: [...entities, moon('x', 'x'.repeat(13_000))] }),
  })
  const places = ['once', 'twice', 'small', 'large'].map((name) => `https://${name}.example`)
  const { worlds } = await connectAll(places, { fetch }).discover().merged()
  assert.deepEqual(worlds.map(shown), [
    ['once', 'answered', ''],
    ['twice', 'unreachable', 'unavailable'],
    ['small', 'answered', ''],
    ['large', 'broken', 'response_too_large'],
  ])
})

test('a question without a usable limit is refused before anything is sent', () => {
  const all = connectAll([])
  for (const limit of [0, -1, 1.5, Number.NaN])
    assert.throws(() => all.discover({ limit }), { code: 'invalid_argument' })
})
