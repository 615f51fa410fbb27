import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { type AddressInfo, createServer, connect as openSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { DiscoveryDocument, Entity } from '@worldwright/client/protocol'
import { createWorld } from '../../core/src/handler/handler.ts'
import type { Store } from '../../core/src/store/contract.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { limitConnections } from '../../serve/src/overload/limit-connections.ts'
import { answerConnections, type ListenOptions, listen, listening, type RequestHandler } from './node-http.ts'

const DESCRIPTION = { id: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001', types: [{ type: 'sol:moon' }] }
const MOON = '/api/world/v0/entities/sol%3Amoon/europa'

async function served(context: TestContext, options: Partial<ListenOptions> = {}) {
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:moon', id: 'europa', title: 'Europa', attributes: {} } }])
  const listening = await listen(createWorld({ ...DESCRIPTION, store }), {
    port: 0,
    limits: limitConnections(),
    ...options,
  })
  context.after(() => listening.close())
  return listening
}

/** Sends raw bytes and returns everything received until the server closes the connection. */
async function raw(port: number, ...pieces: string[]): Promise<string> {
  const socket = openSocket(port, '127.0.0.1')
  const received: Buffer[] = []
  for (const piece of pieces) socket.write(piece)
  for await (const chunk of socket) received.push(chunk)
  return Buffer.concat(received).toString()
}

/** Returns the status and error code of the last response received. */
function outcome(received: string): [number, string] {
  const [head = '', body = ''] = received.split('\r\n\r\n').slice(-2)
  const { code, message } = JSON.parse(body)
  assert.ok(typeof message === 'string')
  assert.match(head, new RegExp(`world-error-code: ${code}`, 'i'))
  assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(body)}`, 'i'))
  return [Number(head.split(' ')[1]), code]
}

test('a server listens on a free port and reports its address', async (t) => {
  const { url, port } = await served(t)
  assert.equal(url, `http://127.0.0.1:${port}`)
  const document: unknown = await (await fetch(`${url}/.well-known/world.json`)).json()
  assert.equal((document as DiscoveryDocument).endpoints.api, `${url}/api/world/v0`)
  const entity: unknown = await (await fetch(url + MOON)).json()
  assert.equal((entity as Entity).title, 'Europa')
})

test('the body of a response returned in a promise is sent completely and then released', async (t) => {
  const answers = ['text', Buffer.alloc(10_000, 'x')].map((body) => ({ status: 200, headers: {}, body }))
  for (const answer of answers) {
    const { body } = answer
    const listening = await listen({ handle: async () => answer }, { port: 0 })
    t.after(() => listening.close())
    assert.equal(await (await fetch(listening.url)).text(), body.toString())
    assert.equal(answer.body, undefined)
  }
})

test('requests that the parser rejects are answered with an error code and message', async (t) => {
  const { port } = await served(t)
  const long = 'x'.repeat(20_000)
  const close = 'Connection: close\r\n\r\n'
  const cases = [
    ['missing Host', `GET ${MOON} HTTP/1.1\r\n${close}`, 400, 'invalid_request'],
    ['two Hosts', `GET ${MOON} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}`, 400, 'invalid_request'],
    ['Host with a path', `GET ${MOON} HTTP/1.1\r\nHost: a/b\r\n${close}`, 400, 'invalid_request'],
    ['no request line', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    ['unknown version', `GET ${MOON} HTTP/9.9\r\nHost: h\r\n\r\n`, 400, 'invalid_request'],
    ['unknown method', `FROBNICATE ${MOON} HTTP/1.1\r\nHost: h\r\n\r\n`, 501, 'not_implemented'],
    ['large headers', `GET ${MOON} HTTP/1.1\r\nHost: h\r\nX: ${long}\r\n\r\n`, 431, 'headers_too_large'],
    ['expectation', `GET ${MOON} HTTP/1.1\r\nHost: h\r\nExpect: tea\r\n${close}`, 417, 'expectation_failed'],
    ['tunnel', 'CONNECT sol.example:443 HTTP/1.1\r\nHost: h\r\n\r\n', 405, 'method_not_allowed'],
    [
      'bad length',
      'POST /api/world/v0/actions/wp%3Adiscover HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'two framings',
      'POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'invalid_request',
    ],
  ] as const
  for (const [name, request, status, code] of cases) {
    assert.deepEqual(outcome(await raw(port, request)), [status, code], name)
  }
})

test('a stalled request is answered with 408', async (t) => {
  const { port } = await served(t, { requestTimeoutMs: 40 })
  assert.deepEqual(outcome(await raw(port, `GET ${MOON} HTTP/1.1\r\nHost: h\r\nX-Slow`)), [
    408,
    'request_timeout',
  ])
  const head = 'POST /api/world/v0/actions/wp%3Adiscover HTTP/1.1\r\nHost: h\r\n'
  const stalled = `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"input":`
  assert.deepEqual(outcome(await raw(port, stalled)), [408, 'request_timeout'])
})

test('connections accepted by another process have the same timeouts', async (t) => {
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:moon', id: 'europa', title: 'Europa', attributes: {} } }])
  const handler = createWorld({ ...DESCRIPTION, store })
  const connections = answerConnections(handler, {
    origin: 'http://sol.example',
    requestTimeoutMs: 40,
    limits: limitConnections(),
  })
  const server = createServer({ pauseOnConnect: true }, connections.take)
  t.after(() => server.close())
  await listening(server, 0, '127.0.0.1')
  const { port } = server.address() as AddressInfo
  const stalled = await raw(port, `GET ${MOON} HTTP/1.1\r\nHost: h\r\nX-Slow`)
  assert.deepEqual(outcome(stalled), [408, 'request_timeout'])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const connectionField = async () => {
    const [response] = await once(get({ port, host: '127.0.0.1', path: MOON, agent }), 'response')
    await text(response)
    return response.headers.connection
  }
  assert.equal(await connectionField(), 'keep-alive')
  const closed = connections.close({ drainMs: 5_000 })
  assert.equal(await connectionField(), 'close')
  await closed
})

test('HTTP/1.0 requests need no Host, and absolute and asterisk targets are accepted', async (t) => {
  const { port } = await served(t)
  assert.match(await raw(port, `GET ${MOON} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 200 /)
  const absolute = `GET http://elsewhere.example${MOON} HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n`
  assert.match(await raw(port, absolute), /^HTTP\/1\.1 200 /)
  assert.match(
    await raw(port, 'OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 204 /,
  )
})

test('dot segments in a raw target do not reach another route', async (t) => {
  const { port } = await served(t)
  const request =
    'GET /api/world/v0/entities/x/../sol%3Amoon/europa HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
  assert.deepEqual(outcome(await raw(port, request)), [404, 'not_found'])
})

test('an unsupported upgrade is served as an ordinary request', async (t) => {
  const { port } = await served(t)
  const request = `GET ${MOON} HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: close, Upgrade\r\n\r\n`
  assert.match(await raw(port, request), /^HTTP\/1\.1 200 /)
})

test('a client that expects 100 Continue receives it unless its body is too large', async (t) => {
  const { port } = await served(t)
  const head =
    'POST /api/world/v0/actions/wp%3Adiscover HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n'
  const body = '{"input":{}}'
  const expecting = `${head}Expect: 100-continue\r\nConnection: close\r\nContent-Length: `
  const received = await raw(port, `${expecting}${body.length}\r\n\r\n`, body)
  assert.match(received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  assert.match(await raw(port, `${expecting}70000\r\n\r\n`), /^HTTP\/1\.1 413 /)
})

test('a body over the limit is answered with 413 while the client is still sending', async (t) => {
  const { url } = await served(t)
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(16_384).fill(32))
    },
  })
  const response = await fetch(`${url}/api/world/v0/actions/wp%3Adiscover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: endless,
    duplex: 'half',
  } as RequestInit)
  assert.equal(response.status, 413)
  assert.equal(((await response.json()) as { code: string }).code, 'payload_too_large')
})

test('bodies of any length are sent unchanged, including views into a larger buffer', async (t) => {
  const bodies = [1, 4_096, 4_097, 200_000].map((length) =>
    Uint8Array.from({ length }, (_, index) => (255 - index) % 256),
  )
  bodies.push(Uint8Array.of(9, 1, 2, 9).subarray(1, 3))
  const handler: RequestHandler = {
    handle: ({ target }) => ({ status: 200, headers: {}, body: bodies[Number(target.slice(1))] }),
  }
  const { url, close } = await listen(handler, { port: 0 })
  t.after(() => close())
  for (const [index, body] of bodies.entries()) {
    const response = await fetch(`${url}/${index}`)
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), body)
  }
})

test('a missing body is read as an empty one, and the connection stays usable', async (t) => {
  const { port } = await served(t)
  const post =
    'POST /api/world/v0/actions/wp%3Adiscover HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n\r\n'
  const received = await raw(port, `${post}GET ${MOON} HTTP/1.1\r\nHost: h\r\n\r\nnonsense\r\n\r\n`)
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+|"code":"\w+"/g), [
    'HTTP/1.1 400',
    '"code":"invalid_json"',
    'HTTP/1.1 200',
    'HTTP/1.1 400',
    '"code":"invalid_request"',
  ])
})

test('listening on a port in use rejects with the system error code', async (t) => {
  const { port } = await served(t)
  const handler = createWorld({ ...DESCRIPTION, store: createMemoryStore() })
  await assert.rejects(listen(handler, { port }), { code: 'EADDRINUSE' })
})

test('a search is aborted if its client disconnects, and no error is logged', async (t) => {
  const begun = Promise.withResolvers<AbortSignal | undefined>()
  const logged: unknown[] = []
  const store: Store = {
    ...createMemoryStore(),
    // Settles only when its signal is aborted, like a long search.
    find: ({ signal }) => {
      begun.resolve(signal)
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    },
  }
  const handler = createWorld({ ...DESCRIPTION, store, log: (event) => logged.push(event) })
  const answers: number[] = []
  const answered = Promise.withResolvers<void>()
  const watched: RequestHandler = {
    async handle(request) {
      const response = await handler.handle(request)
      answers.push(response.status)
      answered.resolve()
      return response
    },
  }
  const listening = await listen(watched, { port: 0 })
  t.after(() => listening.close())
  const body = '{"input":{"text":"europa"}}'
  const head = `POST /api/world/v0/actions/wp:discover HTTP/1.1\r\nHost: h\r\nContent-Type: application/json`
  const socket = openSocket(listening.port, '127.0.0.1')
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  const signal = await begun.promise
  assert.equal(signal?.aborted, false)
  socket.destroy()
  await answered.promise
  assert.equal(signal?.aborted, true)
  assert.deepEqual([answers, logged], [[408], []])
})

test('the signal of a completed request is not aborted', async () => {
  const signals: (AbortSignal | undefined)[] = []
  const handler: RequestHandler = {
    handle({ signal }) {
      signals.push(signal)
      return { status: 204, headers: {} }
    },
  }
  const listening = await listen(handler, { port: 0 })
  const received = await raw(listening.port, 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
  assert.match(received, /^HTTP\/1.1 204/)
  await listening.close()
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [false],
  )
})
