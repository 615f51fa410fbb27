/** The client's address behind proxies: found once, before anything else sees the request. */
import { BlockList, isIP } from 'node:net'
import type { WorldHandler } from '@worldwright/core'
import { PassedRequest, plainAddress } from '@worldwright/core'

/** Trusted proxies, and the header field in which they name the client. */
export interface ProxyOptions {
  /** Addresses, and networks such as `10.0.0.0/8`. */
  readonly trustedProxies: readonly string[]
  /** Header field that they write; default `x-forwarded-for`. Any other field may come from the client itself. */
  readonly proxyHeader?: 'x-forwarded-for' | 'forwarded'
}

/**
 * Returns the same handler behind these proxies: `client` of its requests has the address that the proxies name. The header is
 * read from its end, as long as the writer of an entry is a trusted proxy: anybody may have written the entries before.
 * @throws TypeError for a proxy that is neither an address nor a network
 */
export function behindProxies(
  handler: Pick<WorldHandler, 'handle'>,
  { trustedProxies, proxyHeader = 'x-forwarded-for' }: ProxyOptions,
): Pick<WorldHandler, 'handle'> {
  if (trustedProxies.length === 0) return handler
  const isTrusted = trustOf(trustedProxies)
  return {
    handle(request) {
      const { client } = request
      if (client === undefined) return handler.handle(request)
      const address = namedClient(client.address, request.headers[proxyHeader], proxyHeader, isTrusted)
      return handler.handle(new PassedRequest(request, { client: { ...client, address } }))
    },
  }
}

/** Returns a predicate for addresses that are listed or in a listed network. @throws TypeError naming `trustedProxies` */
export function trustOf(trustedProxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of trustedProxies) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const bits = prefix === undefined ? undefined : Number(prefix)
    if (isIP(address) === 0 || (bits ?? 0) > LARGEST[family])
      throw new TypeError(`trustedProxies are addresses, and networks such as 10.0.0.0/8; this is ${entry}`)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, bits, family)
  }
  return (text) => {
    const address = plainAddress(text)
    return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}

const LARGEST = { ipv4: 32, ipv6: 128 } as const

function namedClient(
  peer: string,
  field: string | undefined,
  header: ProxyOptions['proxyHeader'],
  isTrusted: (address: string) => boolean,
): string {
  let address = plainAddress(peer)
  const named = (field ?? '').split(',')
  while (named.length > 0 && isTrusted(address)) {
    const next = namedAddress(named.pop() ?? '', header)
    // An unknown writer may have written the entries before this one.
    if (next === undefined) return address
    address = next
  }
  return address
}

function namedAddress(entry: string, header: ProxyOptions['proxyHeader']): string | undefined {
  const value = header === 'forwarded' ? /(?:^|;)\s*for=("[^"]*"|[^;\s]+)/i.exec(entry)?.[1] : entry.trim()
  const text = value?.replace(/^"|"$/g, '') ?? ''
  const address =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^[\d.]+:\d+$/.test(text) ? text.split(':')[0] : text)
  return address !== undefined && isIP(address) !== 0 ? plainAddress(address) : undefined
}
