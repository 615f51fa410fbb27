import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { listen } from '../../../node/src/node-http.ts'
import { limitConnections, type UnreadLimits } from './limit-connections.ts'

/** Body larger than what the system buffers for a connection that is not read. */
const LARGE = Buffer.alloc(16 * 1024 * 1024)
const GET = 'GET / HTTP/1.1\r\nHost: sol\r\n\r\n'

async function large(t: TestContext, options: Partial<UnreadLimits> = {}) {
  let handled = 0
  const heard: (() => void)[] = []
  const handle = () => {
    handled += 1
    for (const hear of heard.splice(0)) hear()
    return { status: 200, headers: { 'content-length': String(LARGE.byteLength) }, body: LARGE }
  }
  const server = await listen({ handle }, { port: 0, limits: limitConnections(options) })
  t.after(() => server.close())
  const reached = async (count: number) => {
    while (handled < count) await new Promise<void>((resolve) => heard.push(resolve))
  }
  const client = (text: string) => {
    const connection = connect(server.port, '127.0.0.1')
    connection.on('error', () => {})
    t.after(() => connection.destroy())
    connection.write(text)
    return connection
  }
  return { client, reached, handled: () => handled }
}

async function readFrom(connection: Socket): Promise<number> {
  let bytes = 0
  connection.on('data', (piece) => (bytes += piece.byteLength))
  await once(connection, 'close')
  return bytes
}

test('pipelined requests begin when the previous answer has been read', async (t) => {
  const { client, reached, handled } = await large(t)
  const connection = client(GET.repeat(3))
  await reached(1)
  await after(50)
  assert.equal(handled(), 1)
  let bytes = 0
  connection.on('data', (piece) => (bytes += piece.byteLength))
  await reached(3)
  while (bytes < 3 * LARGE.byteLength) await once(connection, 'data')
})

test('a connection with a thousand pipelined requests is closed after the first few hundred', async (t) => {
  let count = 0
  const handle = () => ({
    status: 200,
    headers: { 'content-length': '4' },
    body: String(count++).padStart(4),
  })
  const server = await listen({ handle }, { port: 0, limits: limitConnections() })
  t.after(() => server.close())
  const connection = connect(server.port, '127.0.0.1')
  connection.write(GET.repeat(1_000))
  const answers = (await text(connection)).split('HTTP/1.1 200 OK').slice(1)
  assert.ok(answers.length >= 256 && answers.length < 1_000, `${answers.length} answers`)
  for (const [at, answer] of answers.entries())
    assert.ok(answer.endsWith(String(at).padStart(4)), `answer ${at}`)
  assert.match(answers.at(-1) ?? '', /connection: close/i)
})

test('a client that reads nothing of its answer is disconnected', async (t) => {
  const { client, reached } = await large(t, { readTimeoutMs: 100 })
  const connection = client(GET)
  await reached(1)
  await after(400)
  assert.ok((await readFrom(connection)) < LARGE.byteLength)
})

test('if many answers are not read, the oldest are aborted', async (t) => {
  const { client, reached } = await large(t, { maxUnreadBytes: 20 * 1024 * 1024 })
  const oldest = client(GET)
  await reached(1)
  const others = [client(GET), client(GET)]
  await reached(3)
  assert.ok((await readFrom(oldest)) < LARGE.byteLength)
  const [, newest] = others as [Socket, Socket]
  let bytes = 0
  newest.on('data', (piece) => (bytes += piece.byteLength))
  while (bytes < LARGE.byteLength) await once(newest, 'data')
})

test('a client that keeps sending a refused body gets the answer, and most of the body is not read', async () => {
  const handle = () => ({
    status: 413,
    headers: { connection: 'close', 'content-length': '9' },
    body: 'too large',
  })
  const accepted: Socket[] = []
  const admitConnection = (socket: Socket) => accepted.push(socket) > 0
  const server = await listen({ handle }, { port: 0, admitConnection })
  for (let round = 0; round < 10; round++) {
    // The client keeps sending after it has received the response, and is then cut off.
    const connection = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    connection.on('error', () => {})
    const piece = Buffer.alloc(64 * 1024)
    let sent = 0
    const more = () => {
      while (sent++ < 400 && connection.write(piece));
      if (sent > 400) connection.end()
    }
    connection.on('drain', more)
    connection.write('PUT / HTTP/1.1\r\nHost: sol\r\nContent-Length: 26214400\r\n\r\n')
    more()
    assert.match(await text(connection), /^HTTP\/1\.1 413 [\s\S]*too large$/)
  }
  // Wait until the last connection is cut off.
  await server.close()
  const most = Math.max(...accepted.map(({ bytesRead }) => bytesRead))
  assert.ok(most < 10_000_000, `${most} bytes of 26,214,400 were read`)
})
