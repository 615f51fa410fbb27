import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { WorldRequest } from '../../../core/src/handler/http.ts'
import type { Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { behindProxies, type ProxyOptions } from './behind-proxies.ts'

const PROXIES = ['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48']

function addressOf(address: string, headers: Record<string, string>, options: Partial<ProxyOptions> = {}) {
  let seen: WorldRequest['client']
  const handle = ({ client }: WorldRequest) => {
    seen = client
    return { status: 204, headers: {} }
  }
  const front = behindProxies({ handle }, { trustedProxies: PROXIES, ...options })
  front.handle({ method: 'GET', target: '/', headers, client: { address, connection: 1 } })
  assert.equal(seen?.connection, 1)
  return seen.address
}

test('only the entry of a trusted proxy determines the client address', () => {
  const spoofed = { 'x-forwarded-for': '198.51.100.66, 203.0.113.9' }
  assert.equal(addressOf('127.0.0.1', spoofed), '203.0.113.9')
  assert.equal(addressOf('::ffff:127.0.0.1', spoofed), '203.0.113.9')
  assert.equal(addressOf('192.0.2.1', spoofed), '192.0.2.1')
  assert.equal(addressOf('127.0.0.1', spoofed, { trustedProxies: [] }), '127.0.0.1')
})

test('a chain of trusted proxies leads to the first untrusted address', () => {
  assert.equal(addressOf('127.0.0.1', { 'x-forwarded-for': '1.2.3.4, 203.0.113.9, 10.1.2.3' }), '203.0.113.9')
  assert.equal(addressOf('2001:db8:1::5', { 'x-forwarded-for': '10.1.2.3' }), '10.1.2.3')
})

test('an entry that is not an address ends the chain', () => {
  for (const named of ['', 'unknown', '203.0.113.9, evil\n', '203.0.113.9, ', '999.1.1.1'])
    assert.equal(addressOf('127.0.0.1', { 'x-forwarded-for': named }), '127.0.0.1')
})

test('only the configured proxy header is read', () => {
  const headers = {
    forwarded: 'for=198.51.100.66, For="[2001:db8:2::1]:4711";proto=https;by=127.0.0.1',
    'x-forwarded-for': '203.0.113.9',
  }
  assert.equal(addressOf('127.0.0.1', headers, { proxyHeader: 'forwarded' }), '2001:db8:2::1')
  assert.equal(addressOf('127.0.0.1', headers), '203.0.113.9')
  const hidden = { forwarded: 'for=203.0.113.9, for=_secret' }
  assert.equal(addressOf('127.0.0.1', hidden, { proxyHeader: 'forwarded' }), '127.0.0.1')
})

test('a proxy that is neither an address nor a network is refused', () => {
  for (const proxy of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', ''])
    assert.throws(() => behindProxies({ handle: () => assert.fail() }, { trustedProxies: [proxy] }), {
      name: 'TypeError',
      message: /trustedProxies/,
    })
})

test('searches take turns by the client address that a trusted proxy reports', async () => {
  const heard: unknown[] = []
  const empty = createMemoryStore()
  const store: Store = {
    ...empty,
    find(query) {
      heard.push(query.client?.address)
      return empty.find(query)
    },
  }
  const description = { id: 'urn:example:sol', types: [] }
  const ask = async (trustProxy: boolean, trustedProxies: readonly string[]) => {
    const world = createWorld({
      ...description,
      store,
      publicUrl: 'https://sol.example',
      trustProxy,
    })
    async function* body() {
      yield Buffer.from('{"input":{"text":"io"}}')
    }
    await behindProxies(world, { trustedProxies }).handle({
      method: 'POST',
      target: '/api/world/v0/actions/wp:discover',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' },
      client: { address: '10.0.0.1', connection: 1 },
      body: body(),
    })
  }
  await ask(true, [])
  await ask(false, PROXIES)
  assert.deepEqual(heard, ['10.0.0.1', '198.51.100.7'])
})
