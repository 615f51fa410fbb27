import assert from 'node:assert/strict'
import { connect as openSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { WorldFault } from '../../core/src/world/errors.ts'
import { limitConnections } from '../../serve/src/overload/limit-connections.ts'
import { listen, type RequestHandler } from './node-http.ts'

test('a body sent byte by byte is answered with 408, whatever the request timeout', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const reads: number[] = []
  const handle: RequestHandler['handle'] = async ({ body }) => {
    try {
      for await (const piece of body ?? []) reads.push(piece.byteLength)
      return { status: 204, headers: {} }
    } catch (error) {
      const { code, headers } = error as WorldFault
      return { status: 408, headers: { ...headers, 'content-length': '15' }, body: code }
    }
  }
  const { port, close } = await listen({ handle }, { port: 0, limits: limitConnections() })
  const socket = openSocket(port, '127.0.0.1')
  socket.write('PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n')
  for (let count = 1; count <= 3; count++) {
    socket.write('x')
    while (reads.length < count) await new Promise((resume) => setImmediate(resume))
    t.mock.timers.tick(1_000)
  }
  t.mock.timers.tick(4_999)
  const answered = text(socket)
  t.mock.timers.tick(2)
  assert.match(await answered, /^HTTP\/1\.1 408 [\s\S]*\r\n\r\nrequest_timeout$/)
  // Lets the linger timeout expire.
  t.mock.timers.tick(1_000)
  t.mock.timers.reset()
  await close()
})
