import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import type { Action } from '../../../core/src/world/action.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { attachments } from '../attachments/routes.ts'
import type { Clock } from '../changes/event-streams.ts'
import { changes } from '../changes/routes.ts'
import { downloads } from '../downloads/routes.ts'
import { openApi } from '../openapi/routes.ts'
import { query } from '../query/query-extension.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { results } from '../results/results.ts'
import { operator } from './routes.ts'
import { createToken, revokeToken, type Scope } from './tokens.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    by: { type: 'object', properties: { type: { const: 'sol:probe' }, id: { type: 'string' } } },
    mass: { type: 'number' },
  },
}
const TYPES = [
  { type: 'sol:moon', schema: SCHEMA },
  { type: 'sol:probe', schema: { type: 'object', properties: { secretPlan: { type: 'string' } } } },
]
/** JSON member that references a probe. */
const REFERENCE = '"by":{"type":"sol:probe","id":"p"}'
const NDJSON = { name: 'ndjson', title: 'NDJSON', mediaType: 'application/x-ndjson' }

function action(name: string, safe: boolean): Action {
  return {
    description: { name, safe, inputSchema: {}, outputSchema: {} },
    call: async () => ({ output: '"done"', warnings: [] }),
  }
}

async function world(isPrivate: boolean, clock?: Clock) {
  const store = createMemoryStore({ search: memorySearch })
  await store.write([
    { put: { type: 'sol:moon', id: 'io', attributes: { by: { type: 'sol:probe', id: 'p' }, mass: 1 } } },
    { put: { type: 'sol:probe', id: 'p', title: 'Hidden', attributes: { secretPlan: 'land' } } },
  ])
  const { handle, cacheStatistics } = createWorld({
    id: 'urn:x:sol',
    types: TYPES,
    store,
    publicUrl: 'https://sol.example',
    actions: [action('sol:look', true), action('sol:touch', false)],
    extensions: [
      query(),
      openApi(),
      attachments({ folder: '/nowhere' }),
      downloads({
        files: { file: async () => 'full' },
        formats: [{ ...NDJSON, holdsTypes: true }],
      }),
      results({
        formats: [
          {
            ...NDJSON,
            async *write(snapshot) {
              for await (const { json } of snapshot.entities()) yield json
            },
          },
        ],
      }),
      reconcile(),
      changes({ ...(clock && { clock }) }),
      operator({ isPrivate, listedTypes: [], pictures: async () => '/attachments/stored.png' }),
    ],
  })
  const tokens = new Map([['', 'none']])
  for (const scopes of SCOPES)
    tokens.set(scopes, (await createToken(store, { scopes: scopes.split(' ') as Scope[] })).token)
  const send = async (scopes: string, method: string, target: string, body?: string, more = {}) => {
    const part = method === 'POST' && /reconcile|pictures|entities/.exec(target)?.[0]
    const type = POSTED[part || ''] ?? JSON_TYPE
    const headers = { 'content-type': type, authorization: `Bearer ${tokens.get(scopes)}`, ...more }
    const answer = await handle({
      method,
      target,
      headers,
      ...(body !== undefined && { body: pieces(body) }),
    })
    return { ...answer, text: await textOf(answer.body) }
  }
  return { send, handle, store, tokens, cacheStatistics }
}

const FORM = 'application/x-www-form-urlencoded'
const LINES = 'application/x-ndjson'
const JSON_TYPE = 'application/json'
const POSTED: Readonly<Record<string, string>> = { reconcile: FORM, pictures: 'image/gif', entities: LINES }

async function textOf(body: unknown): Promise<string> {
  if (body === undefined) return ''
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body).toString()
  let text = ''
  for await (const piece of body as AsyncIterable<string | Uint8Array>) text += Buffer.from(piece).toString()
  return text
}

const ALL = ['admin', 'read']
const MOONS = [...ALL, 'read:sol:moon', 'read:sol:moon write:sol:moon']
const TOUCHES = ['admin', 'call', 'call:sol:touch']
const MOON_WRITES = ['admin', 'write', 'write:sol:moon', 'read:sol:moon write:sol:moon']
const SCOPES = [...new Set([...MOONS, ...TOUCHES, ...MOON_WRITES, 'call:wp:discover', 'read:sol:probe'])]
const ANY = SCOPES
const PROBES = [...ALL, 'read:sol:probe']

const L1 = '/api/world/v0'
const OP = '/api/operator/v0'
const input = (value: object) => JSON.stringify({ input: value })
const ENTITY = '{"attributes":{}}'
const inputOf = (value: object) => `?input=${encodeURIComponent(JSON.stringify(value))}`

/** Requests to a private world, and the scopes of the tokens that may send them. */
const ROUTES: readonly (readonly [
  allowed: readonly string[],
  method: string,
  target: string,
  body?: string,
])[] = [
  [MOONS, 'GET', `${L1}/entities/sol:moon`],
  [MOONS, 'GET', `${L1}/entities/sol:moon/io`],
  [MOONS, 'GET', `${L1}/entities/sol:moon/none`],
  [PROBES, 'GET', `${L1}/entities/sol:probe`],
  [PROBES, 'GET', `${L1}/entities/sol%3Aprobe/p`],
  [ALL, 'GET', `${L1}/entities/sol:moon%0D%0A"x`],
  [ALL, 'POST', `${L1}/actions/wp:discover`, input({})],
  [ALL, 'POST', `${L1}/actions/wp:discover`, input({ types: [] })],
  [ALL, 'POST', `${L1}/actions/wp:discover`, input({ types: null, text: 'io' })],
  [MOONS, 'POST', `${L1}/actions/wp:discover`, input({ types: ['sol:moon'] })],
  [ALL, 'POST', `${L1}/actions/wp:discover`, input({ types: ['sol:moon', 'sol:probe'] })],
  [ALL, 'POST', `${L1}/actions/worldwright:query`, input({})],
  [ALL, 'POST', `${L1}/actions/worldwright:query`, input({ types: [] })],
  [MOONS, 'POST', `${L1}/actions/worldwright:query`, input({ types: ['sol:moon'], include: null })],
  [
    PROBES,
    'POST',
    `${L1}/actions/worldwright:query`,
    input({ types: ['sol:probe'], facets: ['secretPlan'] }),
  ],
  [ALL, 'POST', `${L1}/actions/worldwright:query`, input({ types: ['sol:moon', 'sol:probe'] })],
  [ALL, 'POST', `${L1}/actions/worldwright:query`, input({ types: ['sol:moon'], include: ['by'] })],
  [ALL, 'POST', `${L1}/actions/worldwright:query`, input({ types: ['sol:moon', 'sol:ghost'] })],
  [
    ALL,
    'POST',
    `${L1}/actions/worldwright:query`,
    input({ types: ['sol:moon'], similar: { type: 'sol:probe', id: 'p' } }),
  ],
  [ALL, 'POST', `${L1}/actions/sol:look`, input({})],
  [TOUCHES, 'POST', `${L1}/actions/sol:touch`, input({})],
  [ALL, 'GET', `${L1}/changes?entities=true`],
  [MOONS, 'GET', `${L1}/changes?entities=true&types=sol:moon`],
  [ALL, 'GET', `${L1}/changes?types=sol:moon,sol:probe`],
  [ALL, 'GET', `${L1}/changes?types=sol:moon&types=sol%3Aprobe`],
  [ANY, 'GET', `${L1}/changes?types=`],
  [ALL, 'GET', `${L1}/results/result.ndjson${inputOf({})}`],
  [MOONS, 'GET', `${L1}/results/result.ndjson${inputOf({ types: ['sol:moon'] })}`],
  [PROBES, 'GET', `${L1}/results/result.ndjson${inputOf({ types: ['sol:probe'] })}`],
  [ALL, 'GET', '/download'],
  [ALL, 'GET', '/download/world.ndjson'],
  [MOONS, 'GET', '/download/sol%3Amoon.ndjson'],
  [PROBES, 'GET', '/download/sol:probe.ndjson'],
  [ALL, 'GET', '/reconcile/sol:moon'],
  [ALL, 'GET', '/reconcile/sol:moon/preview/io'],
  [ALL, 'POST', '/reconcile/sol:moon', 'queries={}'],
  [ALL, 'GET', '/attachments/sol:moon/io.png'],
  [MOONS, 'GET', `${OP}/entities/sol:moon`],
  [MOONS, 'GET', `${OP}/entities/sol:moon/io`],
  [PROBES, 'GET', `${OP}/entities/sol:probe/p`],
  [ALL, 'GET', `${OP}/types`],
  [ALL, 'GET', `${OP}/export`],
  [MOONS, 'GET', `${OP}/export?type=sol:moon`],
  [PROBES, 'GET', `${OP}/export?type=sol:probe&type=sol:moon`],
  [ALL, 'POST', `${OP}/actions/wp:discover`, input({})],
  [MOONS, 'POST', `${OP}/actions/wp:discover`, input({ types: ['sol:moon'] })],
  [ALL, 'POST', `${OP}/actions/sol:look`, input({})],
  [TOUCHES, 'POST', `${OP}/actions/sol:touch`, input({})],
  [MOON_WRITES, 'PUT', `${OP}/entities/sol:moon/new`, ENTITY],
  [['admin', 'write'], 'PUT', `${OP}/entities/sol:probe/new`, ENTITY],
  [['admin', 'read:sol:moon write:sol:moon'], 'PATCH', `${OP}/entities/sol:moon/new`, '{}'],
  [['admin'], 'PATCH', `${OP}/entities/sol:probe/new`, '{}'],
  [MOON_WRITES, 'DELETE', `${OP}/entities/sol:moon/none`],
  [MOON_WRITES, 'POST', `${OP}/entities/sol:moon`, '{"id":"a","attributes":{}}\n'],
  [['admin', 'write'], 'POST', `${OP}/entities/sol:probe`, '{"id":"a","attributes":{}}\n'],
  [MOON_WRITES, 'POST', `${OP}/pictures/sol:moon`, 'GIF89a'],
  [['admin', 'write'], 'POST', `${OP}/pictures/sol:probe`, 'GIF89a'],
  [ANY, 'GET', '/nothing/here'],
]

test('a private world answers a request only if its token allows it, even from the cache', async () => {
  const { send, cacheStatistics } = await world(true)
  for (const [allowed, method, target, body] of ROUTES) {
    const about = `${method} ${target} ${body ?? ''}`
    // Repeated requests are served from the cache.
    for (let time = 0; time < 3; time++) await send('admin', method, target, body)
    if (target === `${L1}/entities/sol:moon/io`) assert.ok(cacheStatistics().hits > 0)
    assert.equal((await send('', method, target, body)).status, 401, about)
    for (const scopes of SCOPES) {
      const { status, text, headers } = await send(scopes, method, target, body)
      const seen = `${scopes}: ${about}: ${status} ${text}`
      const isAllowed = allowed.includes(scopes)
      if (isAllowed) assert.ok(status !== 401 && status !== 403 && status !== 500, seen)
      else assert.deepEqual([status, JSON.parse(text).code], [403, 'forbidden'], seen)
      if (!isAllowed) assert.ok(headers['www-authenticate']?.includes(JSON.parse(text).details.scope), seen)
      if (!isAllowed) assert.doesNotMatch(text, /Hidden|secretPlan|land/, seen)
      else if (scopes.startsWith('read:sol:moon'))
        assert.doesNotMatch(text.replaceAll(REFERENCE, ''), /Hidden|secretPlan|land|probe/, seen)
      if (method !== 'GET') continue
      const head = await send(scopes, 'HEAD', target, undefined, { accept: 'text/event-stream, */*' })
      assert.deepEqual([head.status, head.text], [status, ''], `HEAD ${seen}`)
      const known = await send(scopes, method, target, body, { 'if-none-match': headers['etag'] ?? '*' })
      assert.equal(known.status, status === 200 && headers['etag'] ? 304 : status, `304 ${seen}`)
      const lines = await send(scopes, method, target, body, { accept: `${LINES}, */*;q=0.1` })
      assert.equal(lines.status, status, `lines ${seen}`)
    }
  }
})

test('discovery and the OpenAPI description of a private world are public', async () => {
  const { send } = await world(true)
  for (const target of ['/.well-known/world.json', '/openapi.json'])
    for (const scopes of ['', ...SCOPES]) {
      const { status, text } = await send(scopes, 'GET', target)
      assert.equal(status, 200, target)
      assert.doesNotMatch(text, /Hidden|secretPlan|land/, target)
    }
})

test('the error for a forbidden request names the missing scope', async () => {
  const { send } = await world(true)
  const lacking = async (scopes: string, target: string) =>
    JSON.parse((await send(scopes, 'GET', target)).text).details.scope
  assert.equal(await lacking('write:sol:moon', `${L1}/entities/sol:moon/io`), 'read:sol:moon')
  assert.equal(await lacking('read:sol:moon', `${L1}/changes?types=sol:moon,sol:probe`), 'read:sol:probe')
  assert.equal(await lacking('read:sol:moon', `${L1}/changes`), 'read')
  assert.equal(await lacking('read:sol:moon', `${L1}/entities/%22`), 'read')
})

test('a failed precondition reveals nothing to a token without read access', async () => {
  const { send } = await world(true)
  const failed = async (scopes: string, method = 'PUT', condition = { 'if-none-match': '*' } as object) => {
    const body = method === 'PUT' ? ENTITY : undefined
    const { status, text } = await send(scopes, method, `${OP}/entities/sol:moon/io`, body, condition)
    assert.equal(status, 412)
    return JSON.parse(text).details
  }
  assert.deepEqual(await failed('write:sol:moon'), { revision: null })
  assert.deepEqual(await failed('write:sol:moon', 'DELETE', { 'if-match': '"other"' }), { revision: null })
  assert.match((await failed('read:sol:moon write:sol:moon')).revision, /^[\w-]{22}$/)
})

test('a stream of readable types continues until the token is revoked', async () => {
  const beats: (() => void)[] = []
  const { handle, store, tokens } = await world(true, (_, beat) => {
    beats.push(beat)
    return () => {}
  })
  const token = tokens.get('read:sol:moon') ?? ''
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const target = `${L1}/changes?since=now&types=sol:moon&entities=true`
  const { body } = await handle({ method: 'GET', target, headers })
  const events = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const next = async () => String((await events.next()).value)
  assert.match(await next(), /^event: position/)
  await store.write([
    { put: { type: 'sol:probe', id: 'q', attributes: {} } },
    { put: { type: 'sol:moon', id: 'europa', attributes: {} } },
  ])
  const told = await next()
  assert.match(told, /"europa"/)
  assert.doesNotMatch(told, /probe/)
  for (const beat of beats) beat()
  assert.equal(await next(), ':\n\n')
  await revokeToken(store, token.slice(3, 13))
  for (const beat of beats) beat()
  assert.match(await next(), /^event: goodbye/)
})

test('a public world can be read without a token or with any token', async () => {
  const { send } = await world(false)
  for (const [, method, target, body] of ROUTES) {
    if (method === 'PUT' || method === 'PATCH' || method === 'DELETE') continue
    if (body?.startsWith('{"id"') || /pictures|sol:touch/.test(target)) continue
    const expected = (await send('admin', method, target, body)).status
    for (const scopes of ['write:sol:moon', 'call:sol:touch'])
      assert.equal((await send(scopes, method, target, body)).status, expected, `${scopes} ${target}`)
    const isOperators = target.startsWith(OP)
    assert.equal((await send('', method, target, body)).status, isOperators ? 401 : expected, target)
  }
  assert.equal((await send('write:sol:moon', 'PATCH', `${OP}/entities/sol:moon/io`, '{}')).status, 200)
})
