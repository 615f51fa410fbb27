import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { connect } from './connect.ts'

/** Starts an HTTP server on a free port for the duration of a test. `requests` records its requests. */
async function serve(t: TestContext, listener: RequestListener) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  t.after(stop)
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, stop }
}

const documentOf = (api: string) => JSON.stringify({ protocol: 'world/0.1', endpoints: { api } })

test('over real sockets: the request target contains %3A and the body wraps the input', async (t) => {
  let body = ''
  const { origin, requests } = await serve(t, async (request, response) => {
    for await (const part of request) body += part
    response.end(
      request.url === '/.well-known/world.json' ? documentOf(`${origin}/w`) : '{"output":{"entities":[]}}',
    )
  })
  const world = await connect(origin)
  await world.discover({ types: ['sol:moon'] })
  await world.get('sol:moon', "it's/a é(x)")
  assert.deepEqual(
    requests.map(({ method, url }) => `${method} ${url}`),
    [
      'GET /.well-known/world.json',
      'POST /w/actions/wp%3Adiscover',
      "GET /w/entities/sol%3Amoon/it's%2Fa%20%C3%A9(x)",
    ],
  )
  assert.ok(requests.every(({ headers }) => headers.accept === 'application/json'))
  assert.equal(requests[1]?.headers['content-type'], 'application/json')
  assert.equal(body, '{"input":{"types":["sol:moon"]}}')
})

test('over real sockets: a small gzip body that decodes to a large one fails with response_too_large', async (t) => {
  const { origin } = await serve(t, (_, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync(Buffer.alloc(2 ** 23, ' ')))
  })
  await assert.rejects(connect(origin), { code: 'response_too_large', status: 200 })
})

test('over real sockets: a token is not sent to another origin', async (t) => {
  const other = await serve(t, (_, response) => void response.end('{"id":"europa"}'))
  const { origin, requests } = await serve(t, (request, response) => {
    if (request.url === '/.well-known/world.json') return void response.end(documentOf(`${origin}/w`))
    response.writeHead(307, { location: `${other.origin}/there` }).end()
  })
  const world = await connect(origin, { token: 's3cret' })
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  assert.equal(requests[1]?.headers.authorization, 'Bearer s3cret')
  assert.equal(other.requests[0]?.headers.authorization, undefined)
})

test('over real sockets: discovery is reread without caches if the API is gone', async (t) => {
  const old = await serve(t, () => {})
  const next = await serve(t, (_, response) => void response.end('{"id":"europa"}'))
  let api = old.origin
  const { origin, requests } = await serve(t, (_, response) => void response.end(documentOf(`${api}/w`)))
  const world = await connect(origin)
  await old.stop()
  api = next.origin
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  assert.equal(requests[0]?.headers['cache-control'], undefined)
  assert.equal(requests[1]?.headers['cache-control'], 'no-cache')
})

test('over real sockets: an abort closes the connection', async (t) => {
  const controller = new AbortController()
  let closed = (_: unknown) => {}
  const gone = new Promise((resolve) => {
    closed = resolve
  })
  const { origin } = await serve(t, (request, response) => {
    if (request.url === '/.well-known/world.json') return void response.end(documentOf(`${origin}/w`))
    response.on('close', closed)
    response.write('{"id":')
    controller.abort()
  })
  const world = await connect(origin)
  await assert.rejects(world.get('sol:moon', 'europa', { signal: controller.signal }), {
    code: 'aborted',
    status: 0,
  })
  await gone
})

test('over real sockets: a stored world is revalidated with its entity tag and kept on a 304', async (t) => {
  const { origin, requests } = await serve(t, (request, response) => {
    response.setHeader('etag', 'W/"1"').setHeader('cache-control', 'max-age=0')
    if (request.headers['if-none-match'] === 'W/"1"') return void response.writeHead(304).end()
    response.end(request.url === '/.well-known/world.json' ? documentOf(`${origin}/w`) : '{"id":"europa"}')
  })
  const stored = JSON.stringify(await connect(origin))
  const world = await connect(JSON.parse(stored))
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  assert.deepEqual(
    requests.map(({ url, headers }) => `${url} ${headers['if-none-match'] ?? '-'}`),
    ['/.well-known/world.json -', '/.well-known/world.json W/"1"', '/w/entities/sol%3Amoon/europa -'],
  )
})
