/**
 * Distinguishes public Internet addresses from all others.
 */
import { BlockList, isIP } from 'node:net'

// Ranges from IANA's special-purpose registries, and addresses that only look public.
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Public address of a large provider's metadata service.
  ['168.63.129.16', 32],
] as const

// Ranges within 2000::/3, the only part of IPv6 allocated for public use. Includes ranges that embed IPv4 addresses.
const NOT_PUBLIC_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const notPublic = new BlockList()
for (const [net, prefix] of NOT_PUBLIC_4) notPublic.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of NOT_PUBLIC_6) notPublic.addSubnet(net, prefix, 'ipv6')

/**
 * Reports whether an IP address is public: not loopback, private, link-local, shared, multicast, reserved, a metadata
 * service, or an IPv6 form of an IPv4 address. A string that is not an IP address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}
