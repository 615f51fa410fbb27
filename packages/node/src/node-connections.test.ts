import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { limitConnections } from '../../serve/src/overload/limit-connections.ts'
import { answerConnections } from './node-http.ts'

const GET = 'GET / HTTP/1.1\r\nHost: sol\r\n\r\n'

/** Serves at most three connections. `/slow` is answered only after the test calls `finish`. */
async function three(t: TestContext) {
  const slow = Promise.withResolvers<void>()
  let handled = 0
  const heard: (() => void)[] = []
  const connections = answerConnections(
    {
      async handle({ target }) {
        handled += 1
        for (const hear of heard.splice(0)) hear()
        if (target === '/slow') await slow.promise
        return { status: 200, headers: { 'content-length': '2' }, body: 'ok' }
      },
    },
    { origin: 'http://sol', maxConnections: 3, limits: limitConnections() },
  )
  const server = createServer({ pauseOnConnect: true }, connections.take)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.after(async () => {
    slow.resolve()
    server.close()
    await connections.close()
  })
  const open = async (said: string) => {
    const taken = once(server, 'connection')
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    if (said !== '') socket.write(said)
    await taken
    return socket
  }
  const reached = async (count: number) => {
    while (handled < count) await new Promise<void>((resolve) => heard.push(resolve))
  }
  return { open, reached, finish: slow.resolve, close: () => connections.close() }
}

async function answered(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, 'data')
  return String(bytes).slice(9, 12)
}

test('at the connection limit, the oldest idle connection is closed for the next one', async (t) => {
  const { open, reached, finish } = await three(t)
  const slow = await open('GET /slow HTTP/1.1\r\nHost: sol\r\n\r\n')
  await reached(1)
  const silent = await open('')
  const kept = await open(GET)
  assert.equal(await answered(kept), '200')
  const silentEnds = once(silent.resume(), 'close')
  assert.equal(await answered(await open(GET)), '200')
  await silentEnds
  const keptEnds = once(kept, 'close')
  assert.equal(await answered(await open(GET)), '200')
  await keptEnds
  finish()
  assert.equal(await answered(slow), '200')
})

test('at the connection limit, a new connection is closed if no other is idle', async (t) => {
  const { open, reached, finish } = await three(t)
  const slow: Socket[] = []
  for (let count = 0; count < 3; count++) slow.push(await open('GET /slow HTTP/1.1\r\nHost: sol\r\n\r\n'))
  await reached(3)
  const next = await open('')
  await once(next.resume(), 'close')
  const answers = slow.map(answered)
  finish()
  assert.deepEqual(await Promise.all(answers), ['200', '200', '200'])
})

test('a half-closed connection can still be answered, but is closed after the time limit', async (t) => {
  const { open, reached, finish } = await three(t)
  const patient = await open(GET.replace('/', '/slow'))
  await reached(1)
  patient.end()
  await once(patient, 'finish')
  // Once this response arrives, the server has seen the end of the other connection.
  assert.equal(await answered(await open(GET)), '200')
  finish()
  assert.equal(await answered(patient), '200')

  const other = await three(t)
  const gone = await other.open('')
  gone.end(GET.replace('/', '/slow'))
  await other.reached(1)
  gone.resume()
  await once(gone, 'close')
})

test('closing ends idle connections at once and others after their response', {
  timeout: 20_000,
}, async (t) => {
  const { open, reached, finish, close } = await three(t)
  const [silent, slow] = [await open(''), await open(GET.replace('/', '/slow'))]
  await reached(1)
  const closed = close()
  await once(silent.resume(), 'close')
  const answer = answered(slow)
  finish()
  assert.equal(await answer, '200')
  await closed
})
