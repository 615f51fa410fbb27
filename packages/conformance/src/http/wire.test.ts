import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { createWire } from './wire.ts'

/** Starts a TCP server that calls `answer` for each chunk received; `chunk` counts from 1 on each connection. */
async function serve(answer: (socket: Socket, chunk: number) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let chunks = 0
    socket.on('error', () => socket.destroy())
    socket.on('data', () => {
      chunks += 1
      answer(socket, chunks)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const REQUEST = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

test('several requests to the same origin reuse one connection', async () => {
  await using server = await serve((socket) => socket.write(OK))
  const wire = createWire()
  for (const _time of [1, 2, 3])
    assert.equal((await wire.send(server.origin, REQUEST, { timeout: 2_000 })).status, 200)
  assert.equal(server.sockets.length, 1)
  wire.close()
})

test('a request is sent again on a new connection if the server closes the reused one', async () => {
  await using server = await serve((socket, chunk) => (chunk === 1 ? socket.write(OK) : socket.destroy()))
  const wire = createWire()
  assert.equal((await wire.send(server.origin, REQUEST, { timeout: 2_000 })).status, 200)
  assert.equal((await wire.send(server.origin, REQUEST, { timeout: 2_000 })).status, 200)
  assert.equal(server.sockets.length, 2)
  wire.close()
})

test('a failed exchange records the error and the bytes received before it', async () => {
  await using silent = await serve(() => undefined)
  await using cut = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a'))
  const wire = createWire()
  const late = await wire.send(silent.origin, REQUEST, { timeout: 50 })
  assert.deepEqual([late.status, late.trouble], [0, 'no whole answer within 50 ms'])
  const broken = await wire.send(cut.origin, REQUEST, { timeout: 2_000 })
  assert.deepEqual(
    [broken.status, broken.text, broken.trouble],
    [200, '{"a', 'the connection ended too early'],
  )
  const nobody = await wire.send('http://127.0.0.1:1', REQUEST, { timeout: 2_000 })
  assert.match(nobody.trouble ?? '', /^connection: /)
})

test('no connection is opened to an address that is not allowed, given or found by its name', async () => {
  await using server = await serve((socket) => socket.write(OK))
  const wire = createWire((address) => !/^(127\.|::1)/.test(address))
  for (const origin of [server.origin, server.origin.replace('127.0.0.1', 'localhost')]) {
    const { trouble } = await wire.send(origin, REQUEST, { timeout: 2_000 })
    assert.match(trouble ?? '', /has no address that is allowed/)
  }
  assert.equal(server.sockets.length, 0)
  wire.close()
})
