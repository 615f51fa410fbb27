import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitedAddress } from './limited-address.ts'

test('IPv6 is limited by the network of a customer', () => {
  assert.equal(limitedAddress('203.0.113.9'), '203.0.113.9')
  assert.equal(limitedAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(limitedAddress('2001:db8:1:2::1'), limitedAddress('2001:DB8:0001:2:ffff::'))
  assert.equal(limitedAddress('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(limitedAddress('fe80::1%eth0'), 'fe80:0:0:0::/64')
})
