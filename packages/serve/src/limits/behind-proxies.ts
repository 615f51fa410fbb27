/** Determines the client address of requests that arrive through trusted proxies. */
import { BlockList, isIP } from 'node:net'
import { PassedRequest, type WorldHandler } from '@worldwright/core'
import { plainAddress } from '@worldwright/node'

/** Trusted proxies, and the header field in which they name the client. */
export interface ProxyOptions {
  /** Proxy addresses, or networks such as `10.0.0.0/8`. */
  readonly trustedProxies: readonly string[]
  /** Header field that the proxies set. Default: `x-forwarded-for`. The other field is ignored, since clients can set it. */
  readonly proxyHeader?: 'x-forwarded-for' | 'forwarded'
}

/**
 * Wraps a handler so that the `client` of each request has the address named by the trusted proxies. The header field is
 * read backwards as long as its entries were written by trusted proxies, since a client can forge earlier entries.
 * @throws TypeError if a trusted proxy is neither an address nor a network
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

/** Returns a predicate that matches the listed addresses and networks. @throws TypeError if an entry is invalid */
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
    // Entries before an invalid one cannot be trusted.
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
