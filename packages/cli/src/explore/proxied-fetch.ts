/** Keeps a public world from reaching this machine's private network through the explorer's proxy. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { guardedFetch, isPublicAddress } from '@worldwright/client/guard'
import { originFrom } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'

/**
 * Returns a `fetch` for the world at an origin. If the world has a public address, neither a redirect nor its API address
 * can lead to a private address. A world at a private address is not restricted.
 */
export async function proxiedFetch(typed: string, io: Io): Promise<typeof fetch> {
  if (io.fetch) return io.fetch
  const guarded = guardedFetch({ allowAddress: await addressesAllowed(typed) })
  return (input, init) => guarded(String(input), init ?? {})
}

/** Returns which addresses the world at an origin can lead to: public ones, or any if it has no public address itself. */
export async function addressesAllowed(typed: string): Promise<(address: string) => boolean> {
  const host = URL.parse(originFrom(typed))?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const addresses = isIP(host) ? [host] : await addressesOf(host)
  const isPrivate = addresses.length > 0 && !addresses.some(isPublicAddress)
  return isPrivate ? () => true : isPublicAddress
}

/** Resolves a host name. Returns an empty array on failure: the connection then reports the error. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
