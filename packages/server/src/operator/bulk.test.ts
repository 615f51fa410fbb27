import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operated } from './operator.fixture.ts'

const MOON = '/api/operator/v0/entities/sol%3Amoon'
const NDJSON = { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' }

function rows(...ids: string[]): string {
  return ids.map((id) => `${JSON.stringify({ id, attributes: { radiusKm: 1 } })}\n`).join('')
}

function lines(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('rows are staged one by one, and the last line alone acknowledges them', async () => {
  const { send, storage } = await operated()
  const { status, headers, text } = await send('POST', MOON, rows('a', 'b'), NDJSON)
  assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson'])
  assert.deepEqual(lines(text), [
    { line: 1, id: 'a', status: 'staged' },
    { line: 2, id: 'b', status: 'staged' },
    { committed: true, created: 2, changed: 0, unchanged: 0, deleted: 0, rejected: 0 },
  ])
  assert.ok(await storage.get('sol:moon', 'b'))
})

test('bad rows are rejected with their faults; with onInvalid=stop nothing is written', async () => {
  const { send, storage } = await operated()
  const body = `${rows('a')}{\n{"id":"x","attributes":{}}\n`
  const [, broken, invalid, last] = lines((await send('POST', MOON, body, NDJSON)).text)
  assert.equal(broken?.['status'], 'rejected')
  assert.deepEqual(invalid?.['fields'], [
    { pointer: '/attributes/radiusKm', reason: 'required', message: 'is missing' },
  ])
  assert.deepEqual([last?.['committed'], last?.['rejected']], [true, 2])
  const stopped = lines((await send('POST', `${MOON}?onInvalid=stop`, `${rows('new')}{\n`, NDJSON)).text)
  assert.deepEqual(stopped.at(-1), { committed: false, code: 'invalid_entity', rejected: 1 })
  assert.equal(await storage.get('sol:moon', 'new'), undefined)
})

test('replace deletes what is not among the rows; gzip is unpacked', async () => {
  const { send, storage } = await operated()
  const headers = { ...NDJSON, 'content-encoding': 'gzip' }
  const { text } = await send('POST', `${MOON}?replace=true`, gzipSync(rows('a')), headers)
  assert.deepEqual(lines(text).at(-1), {
    committed: true,
    created: 1,
    changed: 0,
    unchanged: 0,
    deleted: 1,
    rejected: 0,
  })
  assert.equal(await storage.get('sol:moon', 'io'), undefined)
})

test('a body that breaks in the middle writes nothing and says so in its last line', async () => {
  const { send, storage } = await operated()
  const broken = gzipSync(rows('a')).subarray(0, 30)
  const { text } = await send('POST', MOON, broken, { ...NDJSON, 'content-encoding': 'gzip' })
  const last = lines(text).at(-1)
  assert.deepEqual([last?.['committed'], last?.['code']], [false, 'invalid_request'])
  assert.equal(await storage.get('sol:moon', 'a'), undefined)
})

test('an export is everything, or one type, a line each', async () => {
  const { send } = await operated()
  await send('PUT', '/api/operator/v0/entities/sol%3Anote/1', { attributes: {} })
  const all = await send('GET', '/api/operator/v0/export', undefined, { accept: 'application/x-ndjson' })
  assert.deepEqual(
    lines(all.text).map(({ id }) => id),
    ['io', '1'],
  )
  assert.deepEqual(lines((await send('GET', '/api/operator/v0/export?type=sol%3Anote')).text).length, 1)
  assert.equal((await send('GET', '/api/operator/v0/export?type=sol%3Anone')).json().code, 'unknown_type')
})

test('parameters that are not understood, and other bodies, are refused before anything is read', async () => {
  const { send } = await operated()
  assert.equal(
    (await send('POST', `${MOON}?replace=yes`, rows('a'), NDJSON)).json().code,
    'invalid_parameter',
  )
  assert.equal((await send('POST', MOON, rows('a'))).json().code, 'unsupported_media_type')
})
