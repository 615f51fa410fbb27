import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { WorldResponse } from '../../core/src/handler/http.ts'
import { listen } from './node-http.ts'

/** Sends the requests over one connection and returns all responses. */
async function answers(t: TestContext, given: readonly WorldResponse[], ...requests: readonly string[]) {
  const left = [...given]
  const { port, close } = await listen({ handle: () => left.shift() ?? assert.fail() }, { port: 0 })
  t.after(() => close())
  const socket = connect(port, '127.0.0.1')
  const all = text(socket)
  for (const request of requests) socket.write(`${request}\r\n\r\n`)
  return (await all).split(/(?=HTTP\/1\.1 )/)
}

const GET = 'GET / HTTP/1.1\r\nHost: h'
const LAST = `${GET}\r\nConnection: close`

test('a response with changed fields or a different status does not reuse a cached head', async (t) => {
  const headers = { 'content-length': '2', x: 'one' }
  const frozen = Object.freeze({ 'content-length': '2', x: 'kept' })
  const { port, close } = await listen(
    {
      handle({ target }) {
        if (target === '/changed') headers.x = 'two'
        const fields = target === '/kept' || target === '/failed' ? frozen : headers
        return { status: target === '/failed' ? 503 : 200, headers: fields, body: 'ok' }
      },
    },
    { port: 0 },
  )
  t.after(() => close())
  const seen: string[] = []
  for (const path of ['/', '/', '/changed', '/kept', '/kept', '/failed', '/kept']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    seen.push(`${response.status} ${response.headers.get('x')} ${await response.text()}`)
  }
  const kept = '200 kept ok'
  assert.deepEqual(seen, ['200 one ok', '200 one ok', '200 two ok', kept, kept, '503 kept ok', kept])
})

test('each response has its own request id and date', async (t) => {
  const headers = Object.freeze({ 'content-length': '2' })
  const given = ['a', 'b', undefined].map((requestId) => ({ status: 200, headers, body: 'ok', requestId }))
  const [first = '', second = '', last = ''] = await answers(t, given, GET, GET, LAST)
  for (const [answer, id] of [
    [first, 'a'],
    [second, 'b'],
  ] as const) {
    assert.match(answer, new RegExp(`\r\nrequest-id: ${id}\r\n`))
    assert.match(answer, /\r\nDate: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/)
    assert.match(answer, /\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\nok$/)
  }
  assert.doesNotMatch(last, /request-id/)
  assert.match(last, /\r\nconnection: close\r\n/i)
})

test('a response with a line break in a header value is replaced by a server error', async (t) => {
  const warned = t.mock.method(process, 'emitWarning', () => {})
  for (const length of [{ 'content-length': '0' }, {}]) {
    const response = { status: 200, headers: { ...length, x: 'a\r\nset-cookie: b' } }
    const { port, close } = await listen({ handle: async () => ({ ...response }) }, { port: 0 })
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [500, null])
    assert.equal(((await answer.json()) as { code: string }).code, 'internal_error')
    await close()
  }
  assert.equal(warned.mock.callCount(), 2)
})
