import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { WorldResponse } from '../../../core/src/handler/http.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { positionNow } from '../../../core/src/store/positions.ts'
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

async function* body(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

async function piecesOf(response: Promise<WorldResponse>): Promise<AsyncGenerator<string>> {
  return (await response).body as AsyncGenerator<string>
}

/** Counts aborted imports. */
function watchAborts(store: Store): { count: number } {
  const aborted = { count: 0 }
  const begin = store.bulk
  store.bulk = async () => {
    const staged = await begin()
    return {
      ...staged,
      abort() {
        aborted.count += 1
        return staged.abort()
      },
    }
  }
  return aborted
}

/** Runs all pending work that does not depend on a timer. */
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await new Promise((resolve) => setImmediate(resolve))
}

function outcome(answer: readonly Record<string, unknown>[]) {
  const last = answer.at(-1)
  return [last?.['committed'], last?.['code'], last?.['rejected']]
}

test('rows are staged as they arrive, and only the last line acknowledges them', async () => {
  const { send, store } = await operated()
  const { status, headers, text } = await send('POST', MOON, rows('a', 'b'), NDJSON)
  assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson'])
  assert.deepEqual(lines(text), [
    { line: 1, id: 'a', status: 'staged' },
    { line: 2, id: 'b', status: 'staged' },
    {
      committed: true,
      created: 2,
      changed: 0,
      unchanged: 0,
      deleted: 0,
      rejected: 0,
      position: await positionNow(store),
    },
  ])
  assert.ok(await store.get('sol:moon', 'b'))
})

test('invalid rows are rejected with their faults, and onInvalid=stop prevents the write', async () => {
  const { send, store } = await operated()
  const body = `${rows('a')}{\n{"id":"x","attributes":{}}\n`
  const [, broken, invalid, last] = lines((await send('POST', MOON, body, NDJSON)).text)
  assert.equal(broken?.['status'], 'rejected')
  assert.deepEqual(invalid?.['fields'], [
    { pointer: '/attributes/radiusKm', reason: 'required', message: 'is missing' },
  ])
  assert.deepEqual([last?.['committed'], last?.['rejected']], [true, 2])
  const stopped = lines((await send('POST', `${MOON}?onInvalid=stop`, `${rows('new')}{\n`, NDJSON)).text)
  assert.deepEqual(outcome(stopped), [false, 'invalid_entity', 1])
  assert.equal(await store.get('sol:moon', 'new'), undefined)
})

test('replace deletes entities that are not in the body', async () => {
  const { send, store } = await operated()
  const headers = { ...NDJSON, 'content-encoding': 'gzip' }
  const { text } = await send('POST', `${MOON}?replace=true`, gzipSync(rows('a')), headers)
  assert.deepEqual(lines(text).at(-1), {
    committed: true,
    created: 1,
    changed: 0,
    unchanged: 0,
    deleted: 1,
    rejected: 0,
    position: await positionNow(store),
  })
  assert.equal(await store.get('sol:moon', 'io'), undefined)
})

test('with replace, one invalid row prevents all writes and deletions', async () => {
  const { send, store } = await operated()
  const body = `${rows('a')}{"id":"io","attributes":{}}\n{\n${rows('b')}`
  const answer = lines((await send('POST', `${MOON}?replace=true`, body, NDJSON)).text)
  const statuses = answer.slice(0, -1).map(({ status }) => status)
  assert.deepEqual(statuses, ['staged', 'rejected', 'rejected', 'staged'])
  assert.deepEqual(outcome(answer), [false, 'invalid_entity', 2])
  assert.ok(await store.get('sol:moon', 'io'))
  assert.equal(await store.get('sol:moon', 'a'), undefined)
})

test('with replace, a body without rows deletes nothing', async () => {
  const { send, store } = await operated()
  for (const body of ['', '\n\n']) {
    const answer = lines((await send('POST', `${MOON}?replace=true`, body, NDJSON)).text)
    assert.deepEqual(outcome(answer), [false, 'invalid_request', 0])
    assert.match(String(answer.at(-1)?.['message']), /one by one/)
  }
  assert.ok(await store.get('sol:moon', 'io'))
})

test('of several rows with the same id, only the first is accepted', async () => {
  const { send } = await operated()
  const answer = lines((await send('POST', MOON, rows('a', 'b', 'a'), NDJSON)).text)
  assert.deepEqual(answer[2]?.['fields'], [
    { pointer: '/id', reason: 'repeated', message: 'line 1 has the id "a" already' },
  ])
  assert.deepEqual(outcome(answer), [true, undefined, 1])
})

test('an endless body of invalid rows is answered in small chunks and then cut off', async () => {
  const { ask } = await operated()
  const bomb = gzipSync('{\n'.repeat(1_000_000))
  const packed = { ...NDJSON, 'content-encoding': 'gzip' }
  let text = ''
  let largest = 0
  for await (const piece of await piecesOf(ask('POST', MOON, packed, body(bomb)))) {
    largest = Math.max(largest, piece.length)
    text += piece
  }
  assert.ok(largest < 100_000, `${largest}`)
  const answer = lines(text)
  const [committed, code, rejected] = outcome(answer)
  assert.deepEqual([committed, code, rejected], [false, 'invalid_entity', answer.length - 1])
  assert.ok(answer.length > 10_000 && answer.length < 11_000, `${answer.length}`)
})

test('large rows are answered before the whole body has arrived', async () => {
  const { ask } = await operated()
  const large = (id: number) =>
    `${JSON.stringify({ id: `${id}`, attributes: { radiusKm: 1, note: 'x'.repeat(200_000) } })}\n`
  let sent = 0
  async function* sending() {
    for (; sent < 100; sent++) yield Buffer.from(large(sent))
  }
  const answer = await piecesOf(ask('POST', MOON, NDJSON, sending()))
  assert.match((await answer.next()).value ?? '', /"staged"/)
  assert.ok(sent < 10, `${sent}`)
  await answer.return(undefined)
})

test('the decompressed size of a gzipped body is limited', async () => {
  const { send } = await operated()
  const block = gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '))
  const bomb = Buffer.concat(Array.from({ length: 33 }, () => block))
  const { text } = await send('POST', MOON, bomb, { ...NDJSON, 'content-encoding': 'gzip' })
  assert.deepEqual(outcome(lines(text)), [false, 'payload_too_large', 0])
})

test('a bulk write is aborted if its client stops sending for a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { ask, store } = await operated()
  const aborted = watchAborts(store)
  async function* silent() {
    yield Buffer.from(rows('a'))
    await new Promise(() => {})
  }
  const answer = await piecesOf(ask('POST', MOON, NDJSON, silent()))
  const last = answer.next()
  await turns()
  t.mock.timers.tick(59_999)
  await turns()
  assert.equal(aborted.count, 0)
  t.mock.timers.tick(1)
  assert.deepEqual(outcome(lines((await last).value ?? '')), [false, 'request_timeout', 0])
  assert.equal((await answer.next()).done, true)
  assert.equal(aborted.count, 1)
})

test('a bulk write is aborted if its client does not read for a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { ask, store } = await operated()
  const aborted = watchAborts(store)
  const many = rows(...Array.from({ length: 2_000 }, (_, at) => `m${at}`))
  const answer = await piecesOf(ask('POST', MOON, NDJSON, body(many)))
  await answer.next()
  await turns()
  assert.equal(aborted.count, 0)
  t.mock.timers.tick(60_000)
  await turns()
  assert.equal(aborted.count, 1)
  assert.equal((await answer.next()).done, true)
})

test('an internal error is logged with the same request id as in the last line', async () => {
  const { send, store, logged } = await operated()
  const broken = new Error('disk on fire')
  store.bulk = () => {
    throw broken
  }
  const { text } = await send('POST', MOON, rows('a'), NDJSON)
  const last = lines(text).at(-1)
  assert.deepEqual([last?.['code'], text.includes('fire')], ['internal_error', false])
  const [event] = logged
  assert.deepEqual(
    [event?.event, event?.requestId, event?.error],
    ['internal_error', last?.['requestId'], broken],
  )
})

test('nothing is written from a truncated body, and the last line reports the error', async () => {
  const { send, store } = await operated()
  const broken = gzipSync(rows('a')).subarray(0, 30)
  const { text } = await send('POST', MOON, broken, { ...NDJSON, 'content-encoding': 'gzip' })
  const last = lines(text).at(-1)
  assert.deepEqual([last?.['committed'], last?.['code']], [false, 'invalid_request'])
  assert.equal(await store.get('sol:moon', 'a'), undefined)
})

test('an export contains all entities, or those of one type, one per line', async () => {
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

test('unknown parameters and unsupported media types are refused before the body is read', async () => {
  const { send } = await operated()
  assert.equal(
    (await send('POST', `${MOON}?replace=yes`, rows('a'), NDJSON)).json().code,
    'invalid_parameter',
  )
  assert.equal((await send('POST', MOON, rows('a'))).json().code, 'unsupported_media_type')
})
