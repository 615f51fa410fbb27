import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connect, isWorldError } from '@worldwright/client'
import type { DiscoveryDocument } from '@worldwright/client/protocol'
import type { Route, WorldOptions } from '@worldwright/core'
import { changes } from '@worldwright/extensions/changes'
import fc from 'fast-check'
import { freePort } from '../free-port.ts'
import { rounds } from '../rounds.ts'
import { anyId, longId } from './ids.fixture.ts'
import { PROXIES, startProxy } from './proxy.fixture.ts'
import { outcome, requestText, responsesIn, talk } from './raw.fixture.ts'
import { API, DISCOVER, fill, moon, served } from './served.fixture.ts'

const MOONS = `${API}/entities/sol%3Amoon`

/** Starts a world behind a proxy. If the proxy is not installed, skips the test and returns undefined. */
async function behind(context: TestContext, name: keyof typeof PROXIES, world?: Partial<WorldOptions>) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const behind = await served(context, undefined, { world: world ?? { publicUrl: origin } })
  if (!(await startProxy(context, name, port, behind.port))) return undefined
  return { ...behind, port, origin }
}

/** Request whose body exceeds every limit except that for operators. */
const LARGE = requestText(
  `POST ${DISCOVER}`,
  ['Content-Type: application/json', 'Content-Length: 2000000'],
  'x'.repeat(2_000_000),
)

/** Requests that each proxy itself refuses, with the error that it must return as the protocol requires. */
const REFUSALS: Partial<Record<keyof typeof PROXIES, readonly (readonly [string, string])[]>> = {
  nginx: [
    [requestText(`GET ${MOONS}/${'x'.repeat(20_000)}`), '414 uri_too_long'],
    [requestText(`GET ${MOONS}`, [`X-Long: ${'x'.repeat(40_000)}`]), '431 headers_too_large'],
    [requestText(`GET ${MOONS}`, ['Host: a', 'Host: b']), '400 invalid_request'],
    [LARGE, '413 payload_too_large'],
  ],
  caddy: [[LARGE, '413 payload_too_large']],
}

async function assertRefused(port: number, request: string, expected: string): Promise<void> {
  const [response] = responsesIn(await talk(port, request), ['GET'])
  assert.ok(response !== undefined)
  const { code, message, details } = JSON.parse(response.body.toString())
  assert.deepEqual(
    [`${response.status} ${code}`, typeof message, typeof details],
    [expected, 'string', 'object'],
  )
  assert.equal(response.headers.get('world-error-code'), code)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
}

for (const name of Object.keys(PROXIES) as (keyof typeof PROXIES)[]) {
  test(`${name}: any valid id round-trips through the proxy`, async (t) => {
    const world = await behind(t, name)
    if (world === undefined) return
    const client = await connect(world.origin)
    assert.equal(client.document.endpoints.api, `${world.origin}/api/world/v0`)
    const ids = fc.oneof({ weight: 9, arbitrary: anyId() }, { weight: 1, arbitrary: longId() })
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        await fill(world.store, [moon(id)])
        assert.equal((await client.get('sol:moon', id)).id, id)
      }),
      { numRuns: rounds(120, 400) },
    )
    const came: string[] = []
    for await (const { id } of client.entities('sol:moon', { pageSize: 41 })) came.push(id)
    assert.equal(came.length, (await client.discover({ limit: 0 })).total)
  })

  test(`${name}: forwards the real client address, not one that the client claims`, async (t) => {
    const who: Route = {
      path: '/who',
      answers: ['text/plain'],
      methods: {
        GET: ({ headers }) => ({
          status: 200,
          headers: { 'content-type': 'text/plain' },
          body: headers['x-forwarded-for'] ?? '',
        }),
      },
    }
    const world = await behind(t, name, {
      publicUrl: 'https://world.example',
      extensions: [() => ({ name: 'sol:who', routes: [who] })],
    })
    if (world === undefined) return
    const said = await fetch(`${world.origin}/who`, { headers: { 'x-forwarded-for': '198.51.100.66' } })
    assert.equal(await said.text(), '127.0.0.1')
  })

  test(`${name}: targets arrive unchanged and reach no other resource`, async (t) => {
    const world = await behind(t, name)
    if (world === undefined) return
    await fill(world.store, ['a/b', 'a%2Fb', 'a//b', '//', 'a\\b', 'a+b', 'a?b', 'a#b', 'é'].map(moon))
    const targets = {
      [`${MOONS}/a%2Fb`]: '200',
      [`${MOONS}/a%252Fb`]: '200',
      [`${MOONS}/a%2F%2Fb`]: '200',
      [`${MOONS}/%2F%2F`]: '200',
      [`${MOONS}/a%5Cb`]: '200',
      [`${MOONS}/a+b`]: '200',
      [`${MOONS}/a%20b`]: '404 entity_not_found',
      [`${MOONS}/a%3Fb`]: '200',
      [`${MOONS}/a%23b`]: '200',
      [`${MOONS}/e%CC%81`]: '200',
      [`${MOONS}/a/b`]: '404 not_found',
      [`${MOONS}//io`]: '404 not_found',
      [`${MOONS}/`]: '404 not_found',
      [`/${MOONS}`]: '404 not_found',
      [`${MOONS}/x/../io`]: '404 not_found',
      [`${API}/entities/x/%2e%2e/sol:moon/io`]: '404 not_found',
      [`${MOONS}/%2e%2e`]: '400 invalid_id',
      [`${MOONS}/%ff`]: '400 invalid_request',
      [`${MOONS}?limit=2&cursor=%3D`]: '400 invalid_cursor',
    }
    for (const [target, expected] of Object.entries(targets)) {
      assert.equal(outcome(await talk(world.port, requestText(`GET ${target}`))), expected, target)
    }
  })

  test(`${name}: tags, codings, HEAD and errors pass through unchanged`, async (t) => {
    const world = await behind(t, name)
    if (world === undefined) return
    const ask = async (line: string, fields: readonly string[] = [], body = '') => {
      const [response] = responsesIn(await talk(world.port, requestText(line, fields, body)), [
        line.split(' ')[0] ?? '',
      ])
      assert.ok(response !== undefined)
      return response
    }
    const plain = await ask(`GET ${MOONS}`)
    const etag = plain.headers.get('etag') ?? ''
    assert.match(etag, /^W\/"/)
    assert.equal((await ask(`GET ${MOONS}`, [`If-None-Match: "x", ${etag}`])).status, 304)
    assert.equal((await ask(`HEAD ${MOONS}`)).headers.get('content-length'), String(plain.body.length))
    assert.equal((await ask('OPTIONS /anywhere')).status, 204)
    for (const coding of ['br', 'gzip', 'zstd']) {
      const coded = await ask('GET /.well-known/world.json', [`Accept-Encoding: ${coding}`])
      assert.equal(coded.headers.get('content-encoding'), coding)
      assert.equal(coded.headers.get('vary'), 'Accept-Encoding')
    }
    // The world refuses while the proxy is still sending. The proxy must not take this for a failure of the world.
    for (const length of [65_537, 200_000, 1_000_000]) {
      const fields = ['Content-Type: application/json', `Content-Length: ${length}`]
      assert.equal((await ask(`POST ${DISCOVER}`, fields, 'x'.repeat(length))).status, 413)
    }
    assert.equal((await ask(`DELETE ${MOONS}`)).headers.get('allow'), 'GET, HEAD, OPTIONS')
  })

  const refusals = REFUSALS[name] ?? []
  if (refusals.length > 0)
    test(`${name}: errors of the proxy itself follow the protocol`, async (t) => {
      const world = await behind(t, name)
      if (world === undefined) return
      for (const [request, expected] of refusals) await assertRefused(world.port, request, expected)
    })

  test(`${name}: does not buffer event streams`, async (t) => {
    const world = await behind(t, name, { extensions: [changes()] })
    if (world === undefined) return
    const response = await fetch(`${world.origin}${API}/changes?since=now`, {
      headers: { accept: 'text/event-stream' },
    })
    let said = ''
    let isWritten = false
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      said += piece
      if (said.includes('"id":"callisto"')) break
      if (!isWritten && said.includes('event: position')) await fill(world.store, [moon('callisto')])
      isWritten = said.includes('event: position')
    }
    assert.match(said, /event: change\n/)
  })

  test(`${name}: with trustProxy, the document contains the address that was requested, not a forged one`, async (t) => {
    const world = await behind(t, name, { trustProxy: true })
    if (world === undefined) return
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const response = await fetch(`${world.origin}/.well-known/world.json`, { headers: forged })
    assert.equal(response.headers.get('cache-control'), 'private, no-store')
    const { endpoints } = (await response.json()) as DiscoveryDocument
    assert.equal(endpoints.api, `${world.origin}/api/world/v0`)
  })

  test(`${name}: returns the error unavailable if the world is down`, async (t) => {
    const port = await freePort()
    if (!(await startProxy(t, name, port, await freePort()))) return
    const error: unknown = await connect(`http://127.0.0.1:${port}`, { retries: 0 }).catch(
      (thrown: unknown) => thrown,
    )
    assert.ok(isWorldError(error))
    assert.deepEqual([error.status, error.code, error.retryAfter], [503, 'unavailable', 5])
    assert.equal(outcome(await talk(port, requestText(`GET ${MOONS}`))), '503 unavailable')
  })
}

test('nginx: excess requests from one address are refused as the protocol requires', async (t) => {
  const { port: worldPort } = await served(t)
  const port = await freePort()
  const slow = (block: string) => block.replace('rate=1000r/s', 'rate=1r/m').replace('burst=2000', 'burst=1')
  if (!(await startProxy(t, 'nginx', port, worldPort, slow))) return
  for (const _ of [1, 2]) assert.equal(outcome(await talk(port, requestText(`GET ${MOONS}`))), '200')
  await assertRefused(port, requestText(`GET ${MOONS}`), '429 rate_limited')
})
