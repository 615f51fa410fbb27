import assert from 'node:assert/strict'
import { test } from 'node:test'
import { action, allowing, connect, discover, entities, get, list } from './functions.ts'
import { DOCUMENT, SECRET, scriptedFetch } from './scripted-fetch.fixture.ts'

const ORIGIN = 'https://sol.example'
const moon = { type: 'sol:moon', id: 'europa' }

test('functions return the same results as the methods of a world', async () => {
  const page = { entities: [moon] }
  const { fetch, urls } = scriptedFetch(DOCUMENT, moon, page, page, { output: page }, { output: 7 })
  const world = await connect(ORIGIN, { fetch })
  assert.deepEqual(await get(world, 'sol:moon', 'europa'), moon)
  assert.deepEqual(await list(world, 'sol:moon', { limit: 1 }), page)
  assert.deepEqual(await entities(world, 'sol:moon').toArray({ max: 5 }), [moon])
  assert.deepEqual(await discover(world, { text: 'ice' }), page)
  assert.deepEqual(await action(world, 'sol:count', {}), { output: 7 })
  assert.deepEqual(
    urls().map((url) => new URL(url).pathname.replace('/w/v3', '')),
    [
      '/.well-known/world.json',
      '/entities/sol%3Amoon/europa',
      '/entities/sol%3Amoon',
      '/entities/sol%3Amoon',
      '/actions/wp%3Adiscover',
      '/actions/sol%3Acount',
    ],
  )
})

test('connect returns plain data', async () => {
  const world = await connect(ORIGIN, { fetch: scriptedFetch(DOCUMENT).fetch, ...SECRET })
  assert.deepEqual({ ...world }, { origin: ORIGIN, document: DOCUMENT, id: DOCUMENT.world.id })
  assert.equal(Object.getPrototypeOf(world), Object.prototype)
})

test('a stored world that was not reconnected is refused', async () => {
  const world = await connect(ORIGIN, { fetch: scriptedFetch(DOCUMENT).fetch })
  await assert.rejects(get(JSON.parse(JSON.stringify(world)), 'sol:moon', 'europa'), {
    code: 'invalid_argument',
  })
})

test('allowing checks every URL and redirect before it is requested', async () => {
  const asked: string[] = []
  const redirect = () => new Response(null, { status: 302, headers: { location: 'https://inner.example/x' } })
  const { fetch, sent } = scriptedFetch(DOCUMENT, redirect)
  const allow = ({ hostname }: URL) => {
    asked.push(hostname)
    return hostname !== 'inner.example'
  }
  const world = await connect(ORIGIN, { fetch: allowing(allow, fetch) })
  await assert.rejects(get(world, 'sol:moon', 'europa'), {
    code: 'insecure_endpoint',
    status: 0,
    details: { refused: 'https://inner.example' },
  })
  assert.deepEqual(asked, ['sol.example', 'data.sol.example', 'inner.example'])
  assert.equal(sent.length, 2)
})
