/** Address keys used by the per-address limits. */
import { isIP } from 'node:net'

/** Returns the key under which an address is counted: for IPv4 the address, for IPv6 its /64 network (one customer). */
export function limitedAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Matches loopback, private, shared and link-local IPv4 addresses, and their IPv6 equivalents. */
const PRIVATE =
  /^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[789]\d|1[01]\d|12[0-7]))\.|^(?:::1$|f[cd]|fe[89ab])/i

/** Reports whether an address is loopback or private. Many clients may share such an address. */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.test(address)
}
