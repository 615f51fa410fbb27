import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { connect } from '../connect.ts'
import { type GuardOptions, guardedFetch, isPublicAddress } from './guard.ts'

async function serve(t: TestContext, listener: RequestListener) {
  let connections = 0
  const server = createServer(listener)
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, connections: () => connections }
}

/** Returns a lookup function that resolves every name to the given addresses. */
function resolving(...addresses: string[]): NonNullable<GuardOptions['lookup']> {
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }))
  return ((_name: string, _options: unknown, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, found)) as unknown as NonNullable<GuardOptions['lookup']>
}

const document = (api: string) => JSON.stringify({ protocol: 'world/0.1', endpoints: { api } })

test('isPublicAddress rejects special addresses and IPv6 forms of IPv4 addresses', () => {
  for (const address of [
    '1.1.1.1',
    '9.255.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '2606:4700::1',
  ]) {
    assert.equal(isPublicAddress(address), true, address)
  }
  for (const address of [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001:0:4136:e378::',
    '::ffff:8.8.8.8',
    'localhost',
    '',
    '1.2.3',
  ]) {
    assert.equal(isPublicAddress(address), false, address)
  }
})

test('no spelling of a private address leads to a connection', async (t) => {
  const { port, connections } = await serve(t, (_, response) => void response.end())
  const fetch = guardedFetch()
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '[::]',
    'localhost',
    '127.0.0.1.',
  ]) {
    await assert.rejects(
      connect(`http://${host}:${port}`, { fetch }),
      { name: 'WorldError', code: 'insecure_endpoint', status: 0 },
      host,
    )
  }
  assert.equal(connections(), 0)
})

test('connections are opened only to the allowed addresses of a host name', async (t) => {
  const { port, connections } = await serve(t, (_, response) => void response.end())
  const refusing = guardedFetch({ lookup: resolving('10.0.0.7', '127.0.0.1') })
  await assert.rejects(connect(`http://inner.example:${port}`, { fetch: refusing }), {
    code: 'insecure_endpoint',
    details: { refused: '10.0.0.7' },
  })
  const tried: string[] = []
  const allowAddress = (address: string) => {
    tried.push(address)
    return address === '127.0.0.1'
  }
  const mixed = guardedFetch({ lookup: resolving('10.0.0.7', '127.0.0.1'), allowAddress })
  await assert.rejects(connect(`http://mixed.example:${port}`, { fetch: mixed }), { code: 'not_a_world' })
  assert.ok(tried.includes('10.0.0.7'))
  assert.equal(connections(), 1)
})

test('a redirect and an endpoints.api to a private address are refused at the socket', async (t) => {
  const inner = await serve(t, (_, response) => void response.end('{"id":"secret"}'))
  const outer = await serve(t, (request, response) => {
    if (request.url === '/.well-known/world.json') return void response.end(document(`${outer.origin}/w`))
    response.writeHead(302, { location: `${inner.origin}/x` }).end()
  })
  const fetch = guardedFetch({ allowAddress: (_, port) => port === outer.port })
  const world = await connect(outer.origin, { fetch })
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'insecure_endpoint' })
  const pointing = await serve(t, (_, response) => void response.end(document(`${inner.origin}/w`)))
  const second = guardedFetch({ allowAddress: (_, port) => port === pointing.port })
  await assert.rejects((await connect(pointing.origin, { fetch: second })).get('sol:moon', 'x'), {
    code: 'insecure_endpoint',
  })
  assert.equal(inner.connections(), 0)
})

test('the guard supports content codings, statuses, bodies and keep-alive', async (t) => {
  const coders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
  let coding: keyof typeof coders = 'gzip'
  let posted = ''
  const { origin, connections } = await serve(t, async (request, response) => {
    for await (const part of request) posted += part
    const body = request.method === 'POST' ? '{"output":{"entities":[]}}' : document(`${origin}/w`)
    response.setHeader('content-encoding', coding)
    response.end(coders[coding](body))
  })
  const fetch = guardedFetch({ allowAddress: () => true })
  for (const name of ['gzip', 'deflate', 'br'] as const) {
    coding = name
    await (await connect(origin, { fetch })).discover({ text: 'ice' })
  }
  assert.equal(posted, '{"input":{"text":"ice"}}'.repeat(3))
  assert.equal(connections(), 1)
})

test('the guard limits the size of a decoded body and reports an undecodable body as network_error', async (t) => {
  const bodies: Record<string, Buffer> = {
    big: gzipSync(Buffer.alloc(2 ** 26, ' ')),
    broken: gzipSync('{}').subarray(0, 12),
  }
  let which = 'big'
  const { origin } = await serve(t, (_, response) => {
    response.setHeader('content-encoding', 'gzip').end(bodies[which])
  })
  const fetch = guardedFetch({ allowAddress: () => true })
  await assert.rejects(connect(origin, { fetch }), { code: 'response_too_large' })
  which = 'broken'
  await assert.rejects(connect(origin, { fetch, retries: 0 }), { code: 'network_error' })
})

test('the guard closes the connection on an abort', async (t) => {
  let closed = () => {}
  const gone = new Promise<void>((resolve) => {
    closed = resolve
  })
  const aborting = new AbortController()
  const { origin } = await serve(t, (_, response) => {
    response.on('close', closed)
    response.write('{')
    aborting.abort()
  })
  const fetch = guardedFetch({ allowAddress: () => true })
  await assert.rejects(connect(origin, { fetch, signal: aborting.signal }), { code: 'aborted' })
  await gone
})
