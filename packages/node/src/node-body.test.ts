import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { WorldRequest } from '../../core/src/handler/http.ts'
import { listen } from './node-http.ts'

/** Serves a body and returns the client's response as soon as its header fields arrive. */
async function answered(t: TestContext, body: AsyncIterable<string>): Promise<IncomingMessage> {
  const server = await listen({ handle: () => ({ status: 200, headers: {}, body }) }, { port: 0 })
  const sent = get(server.url, { agent: false })
  t.after(async () => {
    sent.destroy()
    await server.close()
  })
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer.setEncoding('utf8')
}

test('a slow reader receives a body of many chunks completely', async (t) => {
  const piece = 'x'.repeat(50_000)
  const pieces = async function* () {
    for (let count = 0; count < 200; count++) yield piece
  }
  let length = 0
  for await (const chunk of await answered(t, pieces())) {
    length += chunk.length
    await new Promise(setImmediate)
  }
  assert.equal(length, 10_000_000)
})

test('a body is produced no faster than the client reads it, and ends if the client disconnects', async (t) => {
  let made = 0
  const ended = Promise.withResolvers<void>()
  const pieces = async function* () {
    try {
      for (;;) {
        made += 1
        yield 'x'.repeat(1_000_000)
        await new Promise(setImmediate)
      }
    } finally {
      ended.resolve()
    }
  }
  const answer = await answered(t, pieces())
  await once(answer, 'readable')
  let before = -1
  for (let turns = 0; before < made; turns++) {
    assert.ok(turns < 100, `${made} pieces`)
    before = made
    for (let count = 0; count < 50; count++) await new Promise(setImmediate)
  }
  answer.destroy()
  await ended.promise
})

test('header fields are sent before the first chunk, and a failing body closes the connection', async (t) => {
  const fail = Promise.withResolvers<void>()
  const pieces = async function* () {
    await fail.promise
    yield 'some'
    throw new Error('the source is gone')
  }
  const answer = await answered(t, pieces())
  assert.equal(answer.statusCode, 200)
  fail.resolve()
  await assert.rejects(async () => {
    for await (const _ of answer);
  })
  assert.equal(answer.complete, false)
})

test('a body that ends prematurely without an error closes the connection', async (t) => {
  const body = new Readable({ read() {} })
  const answer = await answered(t, body)
  body.destroy()
  await assert.rejects(once(answer, 'end'))
  assert.equal(answer.complete, false)
})

test('an answer that waits for the rest of a body is aborted when the rest cannot arrive', async (t) => {
  const handle = async ({ body = Readable.from([]) }: WorldRequest) => ({ status: 200, headers: {}, body })
  const server = await listen({ handle }, { port: 0 })
  t.after(() => server.close())
  for (const rest of ['', 'not a chunk\r\n']) {
    const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {})
    client.on('end', () => client.end())
    client.write('POST / HTTP/1.1\r\nHost: sol\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n')
    let answer = ''
    client.setEncoding('latin1').on('data', (piece) => (answer += piece))
    while (!answer.includes('first')) await once(client, 'data')
    if (rest === '') client.end()
    else client.write(rest)
    await once(client, 'close')
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.doesNotMatch(answer, /\r\n0\r\n\r\n$/)
  }
})
