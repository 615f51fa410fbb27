import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorldRequest, WorldResponse } from '@worldwright/core'
import { type AccessEntry, AccessLog, pathOf } from './access-log.ts'

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function accessLog() {
  const entries: AccessEntry[] = []
  let now = 0
  const log = new AccessLog({
    write: (entry) => entries.push(entry),
    now: () => (now += 12.34),
  })
  const ask = (headers: WorldRequest['headers'], response: WorldResponse, target = '/a') =>
    log.handle(
      { handle: () => response },
      { method: 'GET', target, headers, client: { address: '192.0.2.7', connection: 1 } },
    ) as WorldResponse
  return { log, entries, ask }
}

test('an access record contains the request, its client and the outcome', () => {
  const { entries, ask } = accessLog()
  const headers = { 'request-id': 'mine', 'user-agent': 'x/1\u0085', traceparent: TRACE }
  ask(headers, { status: 404, headers: { 'world-error-code': 'not_found' }, body: 'é' }, '/a?b=c')
  assert.deepEqual(entries, [
    {
      event: 'request',
      requestId: 'mine',
      method: 'GET',
      path: '/a',
      route: '',
      status: 404,
      code: 'not_found',
      ms: 12.3,
      bytes: 2,
      address: '192.0.2.7',
      userAgent: 'x/1\\u0085',
      traceparent: TRACE,
    },
  ])
})

test('secrets and invalid trace contexts are not logged', () => {
  const { entries, ask } = accessLog()
  const headers = {
    authorization: 'Bearer hush',
    cookie: 'hush',
    traceparent: 'hush\n',
    'request-id': 'a\nhush',
  }
  ask(headers, { status: 200, headers: {} }, 'http://me:hush@sol.example/a?token=hush')
  assert.equal(entries[0]?.path, '/a')
  assert.ok(!JSON.stringify(entries).includes('hush'))
})

test('control characters in a path are escaped, and a long path is truncated', () => {
  assert.equal(pathOf('/a\u009b2J\u2028b#c'), '/a\\u009b2J\\u2028b')
  assert.equal(pathOf(`/${'x'.repeat(5_000)}`).length, 1_025)
})

test('the handler receives the request unchanged except for its id', async () => {
  const { log } = accessLog()
  const { signal } = new AbortController()
  const body = (async function* () {
    yield Buffer.from('in')
  })()
  const headers = { accept: 'a/b' }
  const asked: WorldRequest = { method: 'PUT', target: '/a', headers, origin: 'http://o', body, signal }
  const got: WorldRequest[] = []
  const handle = async (request: WorldRequest) => {
    got.push(request)
    return { status: 204, headers: {} }
  }
  await log.handle({ handle }, asked)
  const [request = assert.fail()] = got
  assert.match(request.id ?? '', /^[\w-]+$/)
  assert.equal(request.headers['accept'], 'a/b')
  assert.deepEqual([request.origin, request.body, request.signal], ['http://o', body, signal])
})

test('a streamed response is logged when it ends or when its client disconnects', async () => {
  const { entries, ask } = accessLog()
  const pieces = async function* () {
    yield 'abc'
    yield Buffer.from('de')
  }
  const whole = ask({}, { status: 200, headers: {}, body: pieces() })
  assert.equal(entries.length, 0)
  for await (const _ of whole.body as AsyncIterable<string>);
  assert.deepEqual([entries[0]?.bytes, entries[0]?.aborted], [5, undefined])
  const left = ask({}, { status: 200, headers: {}, body: pieces() })
  for await (const _ of left.body as AsyncIterable<string>) break
  assert.deepEqual([entries[1]?.bytes, entries[1]?.aborted], [3, true])
})
