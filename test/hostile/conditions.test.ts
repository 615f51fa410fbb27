import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { DiscoveryDocument } from '@worldwright/client/protocol'
import { errorIn, outcome, requestText, responsesIn, talk } from './raw.fixture.ts'
import { API, moon, type ServedOptions, served } from './served.fixture.ts'

const MOONS = `${API}/entities/sol:moon`
const DOCUMENT = '/.well-known/world.json'

/** Sends a GET request with these header fields and returns the only response. */
async function get(port: number, target: string, ...fields: readonly string[]) {
  const [response, ...more] = responsesIn(await talk(port, requestText(`GET ${target}`, fields)))
  assert.ok(response !== undefined && more.length === 0)
  return response
}

test('If-None-Match compares weakly, may be a list or repeated, and matches any existing resource if it is *', async (t) => {
  const { port } = await served(t)
  for (const target of [DOCUMENT, MOONS, `${MOONS}?limit=1`, `${MOONS}/io`]) {
    const full = await get(port, target)
    const tag = full.headers.get('etag') ?? ''
    assert.match(tag, /^W\/"[\x21\x23-\x7e]+"$/)
    const strong = tag.slice(2)
    const matching = [tag, strong, '*', ' * ', `"x", ${tag}`, `${strong},"y"`, `W/"a,b",${tag}`, `,, ${tag}`]
    for (const value of matching) {
      const { status, headers, body } = await get(port, target, `If-None-Match: ${value}`)
      assert.deepEqual([status, body.length], [304, 0], `${target}: ${value}`)
      for (const name of [
        'etag',
        'cache-control',
        'vary',
        'access-control-allow-origin',
        'access-control-expose-headers',
      ]) {
        assert.equal(headers.get(name), full.headers.get(name), name)
      }
      assert.equal(headers.get('content-encoding'), undefined)
    }
    assert.equal((await get(port, target, 'If-None-Match: "x"', `If-None-Match: ${tag}`)).status, 304)
    const others = [
      '"x"',
      `W/"x"`,
      '',
      strong.slice(1, -1),
      `"${strong}"`,
      `"*"`,
      strong.toUpperCase(),
      '"',
      'W/',
    ]
    for (const value of others) {
      assert.equal((await get(port, target, `If-None-Match: ${value}`)).status, 200, `${target}: ${value}`)
    }
    const since = await get(
      port,
      target,
      'If-Modified-Since: Fri, 01 Jan 2999 00:00:00 GMT',
      'Range: bytes=0-1',
    )
    assert.deepEqual([since.status, since.body], [200, full.body])
  }
  for (const target of [`${MOONS}/none`, '/nowhere', `${MOONS}?limit=x`]) {
    assert.ok((await get(port, target, 'If-None-Match: *')).status >= 400, target)
  }
})

test('a response uses the preferred available content coding and decodes to the same bytes', async (t) => {
  const entities = Array.from({ length: 30 }, (_, index) => ({
    ...moon(`m${index}`),
    summary: 'the same words '.repeat(9),
  }))
  const { port } = await served(t, entities)
  const decode = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    zstd: zstdDecompressSync,
    identity: (body: Buffer) => body,
  }
  const cases: Record<string, keyof typeof decode> = {
    br: 'br',
    gzip: 'gzip',
    zstd: 'zstd',
    BR: 'br',
    'gzip, br': 'br',
    'gzip;q=1, br;q=0.5': 'gzip',
    'br;q=0, gzip': 'gzip',
    '*': 'br',
    'br;q=0, *': 'zstd',
    'gzip;q=0.5, identity': 'identity',
    identity: 'identity',
    '': 'identity',
    'deflate, compress': 'identity',
    '*;q=0': 'identity',
    'x-gzip': 'identity',
    'gzip;q=0': 'identity',
    'gzip;q=nonsense': 'identity',
  }
  for (const target of [MOONS, DOCUMENT]) {
    const plain = await get(port, target)
    for (const [asked, expected] of Object.entries(cases)) {
      const { headers, body } = await get(port, target, `Accept-Encoding: ${asked}`)
      assert.equal(headers.get('content-encoding') ?? 'identity', expected, asked)
      assert.equal(headers.get('vary'), 'Accept-Encoding')
      assert.equal(headers.get('etag'), plain.headers.get('etag'))
      assert.deepEqual(decode[expected](body), plain.body)
    }
  }
  const small = await get(port, `${MOONS}/m1`, 'Accept-Encoding: br')
  assert.equal(small.headers.get('content-encoding'), undefined)
  assert.equal(small.headers.get('vary'), 'Accept-Encoding')
})

const FORGED = [
  'X-Forwarded-Host: evil.example',
  'X-Forwarded-Proto: https',
  'Forwarded: host=evil.example',
  'X-Original-URL: /nowhere',
]

/** Returns the URL of the API in a discovery document. */
function apiIn(body: Buffer): string {
  return (JSON.parse(body.toString()) as DiscoveryDocument).endpoints.api
}

test('without trustProxy no header field changes the API address, and no field is echoed', async (t) => {
  for (const world of [{}, { publicUrl: 'https://sol.example' }] satisfies ServedOptions['world'][]) {
    const { port, url } = await served(t, undefined, { world })
    const own = `${world.publicUrl ?? url}/api/world/v0`
    const [answer] = responsesIn(
      await talk(
        port,
        `GET ${DOCUMENT} HTTP/1.1\r\nHost: evil.example\r\n${FORGED.join('\r\n')}\r\nConnection: close\r\n\r\n`,
      ),
    )
    assert.ok(answer !== undefined)
    assert.equal(apiIn(answer.body), own)
    assert.equal(apiIn((await get(port, `http://evil.example${DOCUMENT}`)).body), own)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=60, stale-if-error=86400')
    assert.doesNotMatch(JSON.stringify([...answer.headers]), /evil/)
  }
})

test('with trustProxy an answer is valid for its client only, and a field without a host affects no other', async (t) => {
  const { port, url } = await served(t, undefined, { world: { trustProxy: true } })
  const named = ['X-Forwarded-Host: sol.example', 'X-Forwarded-Proto: https']
  const bad = ['a/b', 'u@h', 'h?x', 'h:99999', '', 'h h', '[::', '"h"', 'evil.example#', 'h\\x', '-:-']
  for (const host of bad) {
    const { headers, body } = await get(port, DOCUMENT, `X-Forwarded-Host: ${host}`)
    assert.equal(apiIn(body), `${url}/api/world/v0`, host)
    assert.equal(headers.get('cache-control'), 'private, no-store', host)
    const next = await get(port, DOCUMENT, ...named)
    assert.equal(apiIn(next.body), 'https://sol.example/api/world/v0', host)
  }
  for (const proto of ['ftp', 'javascript', 'HTTPS', 'https:', '']) {
    const { body } = await get(port, DOCUMENT, 'X-Forwarded-Host: sol.example', `X-Forwarded-Proto: ${proto}`)
    assert.equal(apiIn(body), `${url}/api/world/v0`, proto)
  }
  const listed = await get(
    port,
    DOCUMENT,
    'X-Forwarded-Host: sol.example, inner',
    'X-Forwarded-Proto: https, http',
  )
  assert.equal(apiIn(listed.body), 'https://sol.example/api/world/v0')
})

test('a request id is returned only if it is plain, and none can start a header field', async (t) => {
  const { port } = await served(t)
  for (const id of ['a', 'A.b_c~d-1', 'x'.repeat(64)]) {
    assert.equal((await get(port, `${MOONS}/io`, `Request-Id: ${id}`)).headers.get('request-id'), id)
    const failed = await get(port, `${MOONS}/none`, `Request-Id: ${id}`)
    assert.deepEqual([failed.headers.get('request-id'), errorIn(failed).requestId], [id, id])
  }
  const bad = [
    '',
    'x'.repeat(65),
    'a b',
    'a,b',
    'a"b',
    'a%0d%0aX: y',
    'a\tb',
    '\xc3\xa9',
    '<script>',
    'a;b',
    'a\\r\\nX: y',
  ]
  for (const id of bad) {
    assert.equal(
      (await get(port, `${MOONS}/io`, `Request-Id: ${id}`)).headers.get('request-id'),
      undefined,
      id,
    )
    const failed = await get(port, `${MOONS}/none`, `Request-Id: ${id}`)
    assert.match(failed.headers.get('request-id') ?? '', /^[A-Za-z0-9._~-]{1,64}$/)
    assert.equal(errorIn(failed).requestId, failed.headers.get('request-id'))
  }
  const twice = await get(port, `${MOONS}/none`, 'Request-Id: a', 'Request-Id: b')
  assert.notEqual(twice.headers.get('request-id'), 'a')
})

test('limit and cursor are parsed strictly, and every other parameter is ignored', async (t) => {
  const { port } = await served(t)
  const refused = [
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '+5',
    '%205',
    '5%20',
    '',
    'abc',
    '%D9%A1',
    '1&limit=1',
    '1,2',
    '%ff',
    'null',
    '1%00',
    'Infinity',
    '１',
  ]
  for (const value of refused) {
    const target = `${MOONS}?limit=${/[^\x20-\x7e]/.test(value) ? encodeURIComponent(value) : value}`
    assert.equal(outcome(await talk(port, requestText(`GET ${target}`))), '400 invalid_parameter', value)
  }
  const taken = { '0': 0, '007': 7, '200': 200, '201': 200, ['9'.repeat(40)]: 200, '%35': 5 }
  for (const [value, limit] of Object.entries(taken)) {
    const { body } = await get(port, `${MOONS}?limit=${value}`)
    assert.equal((JSON.parse(body.toString()) as { limit: number }).limit, limit, value)
  }
  for (const query of [
    '?',
    '?&&&',
    '?=',
    '?=x',
    '?x=%ff',
    '?%ff=x',
    '?Limit=x',
    '?limit[]=x',
    '?x=1&x=2',
    '?%00',
  ]) {
    assert.equal(outcome(await talk(port, requestText(`GET ${MOONS}${query}`))), '200', query)
  }
  for (const query of [
    '?cursor=',
    '?cursor=x',
    '?cursor',
    `?cursor=${'A'.repeat(1_025)}`,
    '?cursor=AQ%3D%3D',
  ]) {
    assert.equal(outcome(await talk(port, requestText(`GET ${MOONS}${query}`))), '400 invalid_cursor', query)
  }
  assert.equal(
    (await get(port, `${MOONS}?cursor=x&cursor=x`)).headers.get('world-error-code'),
    'invalid_parameter',
  )
  assert.equal((await get(port, `${MOONS}?%6cimit=x`)).headers.get('world-error-code'), 'invalid_parameter')
})
