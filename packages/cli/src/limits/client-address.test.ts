import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddresses, limitedAddress, type ProxyOptions } from './client-address.ts'

const PROXIES = ['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48']

function addressOf(from: string, headers: Record<string, string>, options: Partial<ProxyOptions> = {}) {
  const find = clientAddresses({ trustedProxies: PROXIES, proxyHeader: 'x-forwarded-for', ...options })
  return find({ headers, client: { address: from, connection: 1 } })
}

test('only a trusted proxy names the client, and nothing before what it wrote counts', () => {
  const spoofed = { 'x-forwarded-for': '198.51.100.66, 203.0.113.9' }
  assert.equal(addressOf('127.0.0.1', spoofed), '203.0.113.9')
  assert.equal(addressOf('::ffff:127.0.0.1', spoofed), '203.0.113.9')
  assert.equal(addressOf('192.0.2.1', spoofed), '192.0.2.1')
  assert.equal(addressOf('127.0.0.1', spoofed, { trustedProxies: [] }), '127.0.0.1')
})

test('a chain of trusted proxies is followed to its first address that is none', () => {
  assert.equal(addressOf('127.0.0.1', { 'x-forwarded-for': '1.2.3.4, 203.0.113.9, 10.1.2.3' }), '203.0.113.9')
  assert.equal(addressOf('2001:db8:1::5', { 'x-forwarded-for': '10.1.2.3' }), '10.1.2.3')
})

test('what is no address ends the search', () => {
  for (const named of ['', 'unknown', '203.0.113.9, evil\n', '203.0.113.9, ', '999.1.1.1'])
    assert.equal(addressOf('127.0.0.1', { 'x-forwarded-for': named }), '127.0.0.1')
})

test('Forwarded is read where the proxies write it, and the other header is not', () => {
  const headers = {
    forwarded: 'for=198.51.100.66, For="[2001:db8:2::1]:4711";proto=https;by=127.0.0.1',
    'x-forwarded-for': '203.0.113.9',
  }
  assert.equal(addressOf('127.0.0.1', headers, { proxyHeader: 'forwarded' }), '2001:db8:2::1')
  assert.equal(addressOf('127.0.0.1', headers), '203.0.113.9')
  const hidden = { forwarded: 'for=203.0.113.9, for=_secret' }
  assert.equal(addressOf('127.0.0.1', hidden, { proxyHeader: 'forwarded' }), '127.0.0.1')
})

test('a proxy that is no address and no network is refused', () => {
  for (const proxy of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', ''])
    assert.throws(() => clientAddresses({ trustedProxies: [proxy], proxyHeader: 'forwarded' }), {
      name: 'UsageFault',
      message: /trustedProxies/,
    })
})

test('IPv6 is limited by the network of a customer', () => {
  assert.equal(limitedAddress('203.0.113.9'), '203.0.113.9')
  assert.equal(limitedAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(limitedAddress('2001:db8:1:2::1'), limitedAddress('2001:DB8:0001:2:ffff::'))
  assert.equal(limitedAddress('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(limitedAddress('fe80::1%eth0'), 'fe80:0:0:0::/64')
})
