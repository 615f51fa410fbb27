import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../rounds.ts'
import { errorIn, open, outcome, received, requestText, responsesIn, talk } from './raw.fixture.ts'
import { API, DISCOVER, served } from './served.fixture.ts'

const token = fc.constantFrom(
  'GET',
  'POST',
  'OPTIONS',
  'PUT',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PRI',
  'X',
  'get',
  '',
  '\0',
)
const target = fc.oneof(
  fc.constantFrom(
    '/',
    '*',
    '/.well-known/world.json',
    `${API}/entities/sol:moon`,
    `${API}/entities/sol:moon/io`,
    DISCOVER,
    'http://h/',
    'http://',
    '//',
    '?',
    '#',
    `${API}/entities/%`,
    'h:443',
  ),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }).map((text) => `/${text}`),
)
const field = fc.oneof(
  fc.constantFrom(
    'Host: h',
    'Host: h',
    'Host: ',
    'Connection: close',
    'Connection: keep-alive',
    'Connection: upgrade',
    'Upgrade: h2c',
    'Content-Length: 0',
    'Content-Length: 12',
    'Content-Length: 3',
    'Content-Length: 99999',
    'Content-Length: x',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip',
    'Expect: 100-continue',
    'Expect: x',
    'Content-Type: application/json',
    'Accept: text/html',
    'Accept-Encoding: br, gzip',
    'If-None-Match: *',
    'Range: bytes=0-1',
    'X: \xff',
    ' fold',
    'no colon',
    ': x',
    'Trailer: Host',
    '__proto__: x',
    'constructor: y',
  ),
  fc
    .tuple(fc.string({ maxLength: 10 }), fc.string({ maxLength: 10 }))
    .map(([name, value]) => `${name}: ${value}`),
)
const body = fc.oneof(
  fc.constantFrom(
    '',
    '{"input":{}}',
    'c\r\n{"input":{}}\r\n0\r\n\r\n',
    '0\r\n\r\n',
    'zz\r\n',
    '5\r\nab',
    '{',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
)
const request = fc
  .tuple(
    token,
    target,
    fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2', ''),
    fc.tuple(fc.constantFrom('Host: h', 'Host: h', 'Host: h', 'X: y'), fc.array(field, { maxLength: 3 })),
    body,
    fc.constantFrom('\r\n', '\r\n', '\r\n', '\n'),
  )
  .map(([method, path, version, [host, fields], content, end]) =>
    [`${method} ${path} ${version}`, host, ...fields, '', content].join(end),
  )

/** Generates requests in which some bytes are replaced, duplicated or removed. */
const damaged = fc
  .tuple(request, fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { maxLength: 4 }))
  .map(([text, changes]) => {
    const bytes = [...Buffer.from(text, 'latin1')]
    for (const [at, byte, kind] of changes) {
      const index = at % Math.max(1, bytes.length)
      if (kind === 0) bytes[index] = byte
      else bytes.splice(index, kind === 1 ? 1 : 0, ...(kind === 1 ? [] : [byte]))
    }
    return Buffer.from(bytes)
  })

const anything = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(damaged, { minLength: 1, maxLength: 4 }).map((some) => Buffer.concat(some)),
  },
  {
    weight: 3,
    arbitrary: fc.array(request, { maxLength: 4 }).map((some) => Buffer.from(some.join(''), 'latin1')),
  },
  { weight: 1, arbitrary: fc.constant(Buffer.from(requestText(`GET ${API}/entities/sol:moon`))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
)

test('any bytes get complete responses, each error with code and message, or none', async (t) => {
  const { port, events } = await served(t)
  const before = process.memoryUsage().rss
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(anything, fc.boolean(), async (bytes, halves) => {
      // A response to HEAD has no body, and here it cannot be known which response is to a HEAD.
      if (bytes.includes('HEAD')) return
      const socket = await open(port)
      const middle = halves ? bytes.length >> 1 : 0
      if (halves) socket.write(bytes.subarray(0, middle))
      socket.end(bytes.subarray(middle))
      const responses = responsesIn(await received(socket))
      socket.destroy()
      for (const response of responses) {
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        assert.ok(response.status < 500 || response.status === 501, String(response.status))
        if (response.status >= 400) errorIn(response)
      }
    }),
    { numRuns: rounds(800, 5_000) },
  )
  for (const status of [200, 400, 404, 501]) assert.ok(statuses.has(status), `never ${status}`)
  assert.equal(outcome(await talk(port, requestText(`GET ${API}/entities/sol:moon/io`))), '200')
  assert.deepEqual(events, [])
  assert.ok(process.memoryUsage().rss - before < 300 * 1024 * 1024, 'memory grew by more than 300 MiB')
})

test('thousands of different targets, field names and header values do not accumulate in memory', async (t) => {
  const { handler } = await served(t, undefined, {
    world: { publicUrl: 'https://sol.example', cacheBytes: 2 ** 20 },
  })
  for (let index = 0; index < 30_000; index += 1) {
    const headers = { accept: `application/json;x=${index}`, 'accept-encoding': `gzip;q=0.${index}` }
    const target = `${API}/entities/sol:moon?x=${index}`
    assert.equal((await handler.handle({ method: 'GET', target, headers })).status, 200)
  }
  assert.ok(handler.cacheStatistics().bytes <= 2 ** 20)
})
