/** Canonical form of IPv4 addresses. */

/** Converts an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) to dotted form. Returns any other address unchanged. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
