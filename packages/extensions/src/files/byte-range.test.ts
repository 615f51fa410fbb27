import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { rangedResponse } from './byte-range.ts'

const ETAG = '"abc"'
const MODIFIED = 'Sun, 01 Mar 2026 09:00:00 GMT'
const BEFORE = 'Sun, 01 Mar 2026 08:59:59 GMT'
const AFTER = 'Sun, 01 Mar 2026 09:00:01 GMT'
const PART = { range: 'bytes=0-1' }

const handler = createWorld({
  id: 'urn:example:sol',
  types: [],
  store: createMemoryStore(),
  publicUrl: 'https://sol.example',
  extensions: [
    () => ({
      name: 'sol:file',
      routes: [
        {
          path: '/file',
          methods: {
            GET: (request) =>
              rangedResponse(request, {
                size: 4,
                etag: ETAG,
                headers: { 'last-modified': MODIFIED },
                async *bytes(start, end) {
                  yield Buffer.from('file').subarray(start, end)
                },
              }),
          },
        },
      ],
    }),
  ],
})

test('tags take precedence over dates, and preconditions are evaluated before ranges', async () => {
  const statuses: readonly (readonly [Record<string, string>, number])[] = [
    [{ 'if-modified-since': MODIFIED }, 304],
    [{ 'if-modified-since': AFTER, ...PART }, 304],
    [{ 'if-modified-since': BEFORE }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
    [{ 'if-modified-since': MODIFIED, 'if-none-match': '"other"' }, 200],
    [{ 'if-modified-since': BEFORE, 'if-none-match': `W/${ETAG}` }, 304],
    [{ 'if-match': ETAG }, 200],
    [{ 'if-match': `"other", ${ETAG}` }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': `W/${ETAG}` }, 412],
    [{ 'if-unmodified-since': MODIFIED }, 200],
    [{ 'if-unmodified-since': BEFORE }, 412],
    [{ 'if-unmodified-since': BEFORE, 'if-match': ETAG }, 200],
    [{ 'if-range': MODIFIED, ...PART }, 206],
    [{ 'if-range': BEFORE, ...PART }, 200],
    [{ 'if-range': ETAG, ...PART }, 206],
    [{ 'if-range': `W/${ETAG}`, ...PART }, 200],
  ]
  for (const [headers, status] of statuses) {
    const response = await handler.handle({ method: 'GET', target: '/file', headers })
    assert.equal(response.status, status, JSON.stringify(headers))
  }
})

test('HEAD ignores ranges', async () => {
  const { status, headers } = await handler.handle({ method: 'HEAD', target: '/file', headers: PART })
  assert.deepEqual([status, headers['content-length'], headers['content-range']], [200, '4', undefined])
})

test('a range beyond the end gets 416 with the size and a complete error body', async () => {
  const asked = { method: 'GET', target: '/file', headers: { range: 'bytes=4-' } }
  const { status, headers, body } = await handler.handle(asked)
  assert.deepEqual([status, headers['content-range']], [416, 'bytes */4'])
  const { message, requestId, ...rest } = JSON.parse(new TextDecoder().decode(body as Uint8Array))
  assert.deepEqual(rest, { code: 'invalid_request', details: {} })
  assert.match(message, /4 bytes/)
  assert.match(requestId, /^[\w-]+$/)
  assert.equal(headers['request-id'], requestId)
  const own = await handler.handle({ ...asked, headers: { ...asked.headers, 'request-id': 'mine' } })
  assert.equal(own.headers['request-id'], 'mine')
})
