/** IPv4 in one form only. */

/** The address as IPv4 says it, where a socket for both families says it in the form of IPv6 (`::ffff:192.0.2.1`). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
