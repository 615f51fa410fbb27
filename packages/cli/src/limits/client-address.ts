/** Who asks: the address of a connection, or behind trusted proxies, the one that they name. */
import { BlockList, isIP } from 'node:net'
import type { WorldRequest } from '@worldwright/server'
import { UsageFault } from '../terminal/io.ts'

/** Which proxies are trusted, and where they name the client. */
export interface ProxyOptions {
  /** Addresses, and networks such as `10.0.0.0/8`. */
  readonly trustedProxies: readonly string[]
  /** The one header field that they write. Any other may be the client's own. */
  readonly proxyHeader: 'x-forwarded-for' | 'forwarded'
}

/** The address of the client of a request; undefined where the adapter does not know. */
export type AddressOf = (request: Pick<WorldRequest, 'headers' | 'client'>) => string | undefined

/**
 * Reads the header from its end, as long as the address that wrote it is a trusted proxy. What stands before it anybody
 * may have written.
 * @throws UsageFault for a proxy that is no address and no network
 */
export function clientAddresses({ trustedProxies, proxyHeader }: ProxyOptions): AddressOf {
  const isTrusted = trustOf(trustedProxies)
  return ({ headers, client }) => {
    if (client === undefined) return undefined
    let address = plainAddress(client.address)
    if (!isTrusted(address)) return address
    const named = (headers[proxyHeader] ?? '').split(',')
    while (named.length > 0) {
      const next = namedAddress(named.pop() ?? '', proxyHeader)
      // Nobody who is known wrote what stands before this.
      if (next === undefined) return address
      address = next
      if (!isTrusted(address)) return address
    }
    return address
  }
}

/** Whether an address is one of these, or in one of these networks. @throws UsageFault naming `trustedProxies` */
export function trustOf(trustedProxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of trustedProxies) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const bits = prefix === undefined ? undefined : Number(prefix)
    if (isIP(address) === 0 || (bits ?? 0) > LARGEST[family])
      throw new UsageFault(`trustedProxies are addresses, and networks such as 10.0.0.0/8; this is ${entry}`)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, bits, family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

const LARGEST = { ipv4: 32, ipv6: 128 } as const

/** What stands for an address where limits are counted: of IPv6 the network of one customer, 64 bits. */
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

function namedAddress(entry: string, header: ProxyOptions['proxyHeader']): string | undefined {
  const value = header === 'forwarded' ? /(?:^|;)\s*for=("[^"]*"|[^;\s]+)/i.exec(entry)?.[1] : entry.trim()
  const text = value?.replace(/^"|"$/g, '') ?? ''
  const address =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^[\d.]+:\d+$/.test(text) ? text.split(':')[0] : text)
  return address !== undefined && isIP(address) !== 0 ? plainAddress(address) : undefined
}

/** A socket for both families says IPv4 addresses in the form of IPv6. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
