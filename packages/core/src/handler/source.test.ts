import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arraySource } from '../store/array-source.fixture.ts'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN } from './world.fixture.ts'

const MOONS = ['io', 'europa', 'ganymede'].map((id) => ({
  type: 'sol:moon',
  id,
  title: id,
  summary: 'A moon of Jupiter',
  attributes: { parent: 'jupiter' },
}))

const handler = createWorld({ ...DESCRIPTION, store: arraySource(MOONS), publicUrl: ORIGIN })

async function send(method: string, target: string, headers = {}, input?: object) {
  const body = input && JSON.stringify({ input })
  async function* chunks() {
    yield Buffer.from(body ?? '')
  }
  const response = await handler.handle({
    method,
    target,
    headers: { ...headers, ...(body && JSON_TYPE) },
    ...(body && { body: chunks() }),
  })
  return {
    status: response.status,
    headers: response.headers,
    json: JSON.parse(Buffer.from(response.body as Uint8Array).toString()),
  }
}

test('a world over a plain source serves entities, pages and discovery', async () => {
  assert.equal((await send('GET', '/.well-known/world.json')).json.world.id, DESCRIPTION.id)
  assert.equal((await send('GET', `${API}/entities/sol:moon/io`)).json.title, 'io')
  assert.equal((await send('GET', `${API}/entities/sol:moon/titan`)).status, 404)
  const first = (await send('GET', `${API}/entities/sol:moon?limit=2`)).json
  assert.deepEqual(
    [first.entities.map(({ id }: { id: string }) => id), first.total],
    [['europa', 'ganymede'], 3],
  )
  const second = (await send('GET', `${API}/entities/sol:moon?limit=2&cursor=${first.nextCursor}`)).json
  assert.deepEqual([second.entities[0].id, second.nextCursor], ['io', undefined])
  const { etag } = (await send('GET', `${API}/entities/sol:moon/io`)).headers
  const again = handler.handle({
    method: 'GET',
    target: `${API}/entities/sol:moon/io`,
    headers: { 'if-none-match': String(etag) },
  })
  assert.equal((await again).status, 304)
})

test('a world over a plain source searches by scan, page by page', async () => {
  const discover = async (input: object) =>
    (await send('POST', `${API}/actions/wp%3Adiscover`, {}, input)).json.output
  const io = await discover({ text: 'IO jupiter', matchedIn: true, limit: 1 })
  assert.deepEqual([io.entities[0].id, io.total, io.matched], ['io', 3, ['io', 'jupiter']])
  assert.deepEqual(io.matchedIn, [['/title', '/summary', '/attributes/parent']])
  const next = await discover({ text: 'IO jupiter', cursor: io.nextCursor })
  assert.deepEqual(
    next.entities.map(({ id }: { id: string }) => id),
    ['europa', 'ganymede'],
  )
})

test('a world over a plain source refuses positions, because it has no log', async () => {
  const after = await send('GET', `${API}/entities/sol:moon`, { 'worldwright-after': 'epoch-1' })
  assert.deepEqual([after.status, after.json.code], [400, 'invalid_parameter'])
})

test('a version may be any text', async () => {
  const version = '"é火"'
  const source = arraySource(MOONS)
  const list: typeof source.list = async (type, options) => ({
    ...(await source.list(type, options)),
    version,
  })
  const { handle } = createWorld({ ...DESCRIPTION, store: { ...source, list }, publicUrl: ORIGIN })
  const get = (headers = {}) => handle({ method: 'GET', target: `${API}/entities/sol:moon?limit=1`, headers })
  const etag = String((await get()).headers['etag'])
  assert.match(etag, /^W\/"[\x21\x23-\x7e]+"$/)
  assert.equal((await get({ 'if-none-match': `"other", ${etag}` })).status, 304)
})
