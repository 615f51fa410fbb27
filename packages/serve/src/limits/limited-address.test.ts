import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateAddress, limitedAddress } from './limited-address.ts'

test('an IPv6 address is limited by its /64 network', () => {
  assert.equal(limitedAddress('203.0.113.9'), '203.0.113.9')
  assert.equal(limitedAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(limitedAddress('2001:db8:1:2::1'), limitedAddress('2001:DB8:0001:2:ffff::'))
  assert.equal(limitedAddress('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(limitedAddress('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

test('only loopback and private network addresses count as private', () => {
  const inside =
    '127.0.0.1 10.1.2.3 172.16.0.1 172.31.9.9 192.168.1.1 169.254.1.1 100.64.0.1 100.127.1.1 ::1 fd00::1 fe80::1'
  const outside =
    '203.0.113.9 172.15.0.1 172.32.0.1 192.169.1.1 100.63.0.1 100.128.0.1 101.0.0.1 1.10.0.1 2001:db8::1 ::2'
  for (const address of inside.split(' ')) assert.equal(isPrivateAddress(address), true, address)
  for (const address of outside.split(' ')) assert.equal(isPrivateAddress(address), false, address)
})
