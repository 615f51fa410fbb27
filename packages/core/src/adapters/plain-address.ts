/** Canonical form of IPv4 addresses. */

/** Returns an IPv4 address in dotted form, also if a dual-stack socket reports it as IPv6 (`::ffff:192.0.2.1`). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
