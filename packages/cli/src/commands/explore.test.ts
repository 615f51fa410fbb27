import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { createProxy } from '../explore/proxy.ts'
import { runWith } from '../memory-io.fixture.ts'

/** Serves a world without CORS whose API is on a different origin. `asked` records the requests that the world receives. */
async function closedWorld(t: TestContext) {
  const asked: { url: string; headers: Record<string, unknown> }[] = []
  const start = async () => {
    const server = createServer((request, response) => {
      asked.push({ url: `${request.url}`, headers: request.headers })
      const send = (status: number, body: object, headers = {}) =>
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(body))
      if (request.url === '/.well-known/world.json')
        return send(200, { protocol: 'world/0.1', endpoints: { api: `${api}/api` } })
      if (request.url === '/api/moved') return send(302, {}, { location: 'http://127.0.0.1:1/inner' })
      return send(200, { path: request.url }, { 'set-cookie': 'a=b', etag: '"x"', 'x-next': 'c' })
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const api = await start()
  return { origin: await start(), api, asked }
}

/** Runs `world explore` until the test ends, and returns the URL that it prints. */
async function exploring(t: TestContext, ...argv: string[]) {
  const ending = new AbortController()
  const stderr = new PassThrough()
  const ended = runWith(['explore', ...argv], { stderr, signal: ending.signal }).finally(() => stderr.end())
  t.after(async () => {
    ending.abort()
    assert.equal((await ended).code, 0)
  })
  let printed = ''
  for await (const chunk of stderr) {
    printed += String(chunk)
    const url = /(http:\/\/127\.0\.0\.1:\d+)\/\n/.exec(printed)?.[1]
    if (url) return url
  }
  throw new Error(`it printed no address: ${printed}`)
}

const through = (page: string, url: string, init?: RequestInit) =>
  fetch(`${page}/_proxy/${encodeURIComponent(url)}`, { redirect: 'manual', ...init })

test('explore serves the page and forwards its requests to one world only', async (t) => {
  const { origin, api, asked } = await closedWorld(t)
  const page = await exploring(t, origin, '--names', 'cursor=after')
  const html = await (await fetch(page)).text()
  const content = /<meta name="worldwright-world" content="([^"]+)"/.exec(html)?.[1] ?? ''
  assert.deepEqual(JSON.parse(content.replaceAll('&quot;', '"')), { origin, names: { cursor: 'after' } })
  const script = /src="\.(\/_explorer\/[^"]+\.js)"/.exec(html)?.[1]
  assert.equal(
    (await fetch(`${page}${script}`)).headers.get('content-type'),
    'text/javascript; charset=utf-8',
  )
  const document = await through(page, `${origin}/.well-known/world.json`)
  assert.equal(Object(await document.json()).protocol, 'world/0.1')
  const answer = await through(page, `${api}/api/entities/a%3Ab?limit=2`, {
    headers: { authorization: 'Bearer t', cookie: 'c=d' },
  })
  assert.deepEqual(await answer.json(), { path: '/api/entities/a%3Ab?limit=2' })
  assert.deepEqual(
    ['etag', 'set-cookie', 'x-next'].map((name) => answer.headers.get(name)),
    ['"x"', null, 'c'],
  )
  const sent = asked.at(-1)?.headers
  assert.deepEqual([sent?.['authorization'], sent?.['cookie']], ['Bearer t', undefined])
  for (const other of [
    'http://127.0.0.1:1/',
    'file:///etc/passwd',
    `${origin.replace('//', '//a:b@')}/`,
    'x',
    '',
  ])
    assert.equal((await through(page, other)).status, 403, other)
  assert.equal((await through(page, `${origin}/`, { method: 'DELETE' })).status, 403)
  assert.equal(
    (await through(page, `${api}/x`, { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) })).status,
    413,
  )
  assert.equal((await fetch(`${page}/etc/passwd`)).status, 404)
})

test('a redirect goes through the proxy and cannot reach another origin', async (t) => {
  const { origin, api } = await closedWorld(t)
  const page = await exploring(t, origin)
  const moved = await through(page, `${api}/api/moved`)
  assert.equal(moved.status, 302)
  const location = moved.headers.get('location') ?? ''
  assert.equal(location, `/_proxy/${encodeURIComponent('http://127.0.0.1:1/inner')}`)
  assert.equal((await fetch(page + location)).status, 403)
})

test('requests from pages of other sites are refused, even after DNS rebinding', async (t) => {
  const { origin } = await closedWorld(t)
  const page = await exploring(t, origin)
  const url = `${origin}/.well-known/world.json`
  assert.equal((await through(page, url, { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403)
  const { status } = await new Promise<{ status: number | undefined }>((resolve, reject) => {
    import('node:http').then(({ get }) => {
      get(`${page}/`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume()
        resolve({ status: response.statusCode })
      }).on('error', reject)
    })
  })
  assert.equal(status, 403)
})

test('explore fails if there is no world at the origin', async () => {
  const fetch = async () => new Response('<html>')
  const { code, err } = await runWith(['explore', 'https://a.example'], { fetch })
  assert.equal(code, 1)
  assert.match(err, /There is no world at https:\/\/a\.example/)
})

test('the proxy follows an API that has moved', async () => {
  const asked: string[] = []
  let api = 'https://one.example/api'
  const fetch = async (input: string | URL | Request) => {
    asked.push(String(input))
    return Response.json({ endpoints: { api } })
  }
  const proxy = createProxy('https://a.example', api, fetch)
  const ask = (url: string) =>
    proxy({ method: 'GET', url, headers: {}, body: '' }, new AbortController().signal)
  assert.equal(await ask('https://two.example/api/x'), undefined)
  api = 'https://two.example/api'
  await ask('https://a.example/.well-known/world.json')
  assert.equal((await ask('https://two.example/api/x'))?.status, 200)
  assert.equal(await ask('https://one.example/api/x'), undefined)
  assert.deepEqual(asked, ['https://a.example/.well-known/world.json', 'https://two.example/api/x'])
})
