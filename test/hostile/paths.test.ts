import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorIn, outcome, requestText, responsesIn, talk } from './raw.fixture.ts'
import { API, DISCOVER, moon, served } from './served.fixture.ts'

const MOONS = `${API}/entities/sol:moon`

test('no spelling of a path reaches another resource: dot segments, empty components, foreign separators', async (t) => {
  const { port, events } = await served(t, ['io', 'a/b', '%2e%2e', '...', 'x.', 'a%2Fb'].map(moon))
  const cases: Record<string, string> = {
    [`${API}/entities/x/../sol:moon/io`]: '404 not_found',
    [`${API}/./entities/sol:moon/io`]: '404 not_found',
    [`/x/..${MOONS}/io`]: '404 not_found',
    [`/..${MOONS}/io`]: '404 not_found',
    [`${MOONS}/..`]: '400 invalid_id',
    [`${MOONS}/.`]: '400 invalid_id',
    [`${MOONS}/%2e`]: '400 invalid_id',
    [`${MOONS}/%2E%2e`]: '400 invalid_id',
    [`${MOONS}/.%2e`]: '400 invalid_id',
    [`${MOONS}/io%2F..`]: '400 invalid_id',
    [`${MOONS}/..%2Fio`]: '400 invalid_id',
    [`${MOONS}/io%5C..%5Cio`]: '400 invalid_id',
    [`${MOONS}/a%2F.%2Fb`]: '400 invalid_id',
    [`${API}/entities/..`]: '400 invalid_type',
    [`${API}/entities/%2e%2e/io`]: '400 invalid_type',
    [`${API}/entities/sol:moon%2Fio`]: '400 invalid_type',
    [`${MOONS}/`]: '404 not_found',
    [`${MOONS}//`]: '404 not_found',
    [`${MOONS}/?limit=1`]: '404 not_found',
    [`${MOONS}//io`]: '404 not_found',
    [`${MOONS}/io/`]: '404 not_found',
    [`${API}/entities/`]: '404 not_found',
    [`${API}/entities//io`]: '404 not_found',
    [`${API}/entities`]: '404 not_found',
    [`/${MOONS}`]: '404 not_found',
    [`//h${MOONS}`]: '404 not_found',
    [`${API}//entities/sol:moon`]: '404 not_found',
    [MOONS.toUpperCase()]: '404 not_found',
    [MOONS.replace('entities', '%65ntities')]: '404 not_found',
    '/.well-known/world.json/': '404 not_found',
    '/.well-known%2Fworld.json': '404 not_found',
    '/.well-known/./world.json': '404 not_found',
    [`${MOONS};x=y`]: '400 invalid_type',
    [`${MOONS}/io;x=y`]: '404 entity_not_found',
    [`${MOONS}/io%00`]: '400 invalid_id',
    [`${MOONS}/io%0d%0aX:%20y`]: '400 invalid_id',
    [`${MOONS}/%20io`]: '400 invalid_id',
    [`${MOONS}/%ed%a0%80`]: '400 invalid_request',
    [`${MOONS}/%c0%ae%c0%ae`]: '400 invalid_request',
    [`${MOONS}/%`]: '400 invalid_request',
    [`${MOONS}/%u0069o`]: '400 invalid_request',
    [`${MOONS}/%e2%82`]: '400 invalid_request',
    [`${MOONS}/\xc3\xa9`]: '400 invalid_request',
    [`${MOONS}?x=\xff`]: '400 invalid_request',
    [`${MOONS}/%F0%9F%8C%8D`]: '404 entity_not_found',
    [`${MOONS}/a%2Fb`]: '200',
    [`${MOONS}/a%252Fb`]: '200',
    [`${MOONS}/a%25252Fb`]: '404 entity_not_found',
    [`${MOONS}/%252e%252e`]: '200',
    [`${MOONS}/%69%6f`]: '200',
    [`${MOONS}/io?`]: '200',
    [`${MOONS}/io?/../x`]: '200',
    [`${MOONS}/...`]: '200',
    [`${MOONS}/x.`]: '200',
    [`http://elsewhere.example${MOONS}/io`]: '200',
    [`HTTPS://u:p@elsewhere.example:1${MOONS}/io`]: '200',
    'http://elsewhere.example': '404 not_found',
    '*': '404 not_found',
  }
  for (const [target, expected] of Object.entries(cases)) {
    assert.equal(outcome(await talk(port, requestText(`GET ${target}`))), expected, target)
  }
  // Longest id that a client may request, fully escaped.
  const longest = `${MOONS}/${'%F4%8F%BF%BF'.repeat(128)}`
  assert.equal(outcome(await talk(port, requestText(`GET ${longest}`))), '404 entity_not_found')
  assert.equal(outcome(await talk(port, requestText(`GET ${longest}a`))), '400 invalid_id')
  assert.deepEqual(events, [])
})

test('HEAD returns the same status and header fields as GET, but no body, for every target', async (t) => {
  const { port } = await served(t)
  const targets = [
    '/.well-known/world.json',
    MOONS,
    `${MOONS}?limit=0`,
    `${MOONS}?limit=x`,
    `${MOONS}?cursor=x`,
    `${MOONS}/io`,
    `${MOONS}/none`,
    `${MOONS}/%ff`,
    `${API}/entities/sol:none`,
    '/nowhere',
  ]
  for (const target of targets) {
    for (const fields of [[], ['Accept-Encoding: br'], ['Accept: text/html']]) {
      const [got] = responsesIn(
        await talk(port, requestText(`GET ${target}`, [...fields, 'Request-Id: same'])),
      )
      const bytes = await talk(port, requestText(`HEAD ${target}`, [...fields, 'Request-Id: same']))
      const [head] = responsesIn(bytes, ['HEAD'])
      assert.ok(got !== undefined && head !== undefined)
      assert.equal(head.status, got.status, target)
      const plain = ({ headers }: typeof got) => [...headers].filter(([name]) => name !== 'date')
      assert.deepEqual(plain(head), plain(got), target)
      assert.ok(bytes.toString('latin1').endsWith('\r\n\r\n'))
    }
  }
  const [head] = responsesIn(await talk(port, requestText(`HEAD ${DISCOVER}`)), ['HEAD'])
  assert.deepEqual([head?.status, head?.headers.get('world-error-code')], [405, 'method_not_allowed'])
})

test('OPTIONS returns 204 with CORS headers on any path, even in a private world', async (t) => {
  const admit = () => {
    throw new Error('nobody')
  }
  const { port } = await served(t, undefined, {
    world: { extensions: [() => ({ name: 'sol:guard', admit })], retiredApiPaths: ['/api/world/old'] },
  })
  const paths = [
    '*',
    '/',
    '/nowhere',
    MOONS,
    `${MOONS}/io`,
    `${MOONS}/`,
    DISCOVER,
    '/.well-known/world.json',
    '/api/world/old/x',
    `${MOONS}/%ff`,
  ]
  for (const path of paths) {
    const fields = [
      'Origin: https://a.example',
      'Access-Control-Request-Method: GET',
      'Access-Control-Request-Headers: if-none-match',
    ]
    const [response] = responsesIn(await talk(port, requestText(`OPTIONS ${path}`, fields)))
    assert.equal(response?.status, 204, path)
    assert.equal(response?.headers.get('access-control-allow-origin'), '*')
    assert.match(
      response?.headers.get('access-control-allow-methods') ?? '',
      path === DISCOVER ? /^POST, OPTIONS$/ : /^GET, HEAD, OPTIONS$/,
    )
    assert.equal(
      response?.headers.get('access-control-allow-headers'),
      'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Request-Id, Range, If-Range, Last-Event-ID, Worldwright-After',
    )
  }
})

test('every method on every path below a retired prefix gets 410 api_moved', async (t) => {
  const { port } = await served(t, undefined, { world: { retiredApiPaths: ['/api/old', '/api/older/'] } })
  for (const path of [
    '/api/old',
    '/api/old/',
    '/api/old/entities/sol:moon',
    '/api/older/x?y',
    '/api/old//',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const [response] = responsesIn(await talk(port, requestText(`${method} ${path}`)))
      assert.ok(response !== undefined)
      assert.deepEqual([response.status, errorIn(response).code], [410, 'api_moved'], path)
    }
  }
  for (const path of ['/api/oldest', '/api', '/api/ol', '/x/api/old']) {
    assert.equal(outcome(await talk(port, requestText(`GET ${path}`))), '404 not_found', path)
  }
})
