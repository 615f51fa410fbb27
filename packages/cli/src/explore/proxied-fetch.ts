/** Fetches the world of an origin for a page: never from this machine's private network, unless the world is there. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { guardedFetch, isPublicAddress } from '@worldwright/client/guard'
import { originFrom } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'

/**
 * Returns a `fetch` for the world at an origin. A world on the public Internet cannot lead it to private addresses, neither
 * by a redirect nor by its API address; a world at a private address may.
 */
export async function proxiedFetch(typed: string, io: Io): Promise<typeof fetch> {
  if (io.fetch) return io.fetch
  const host = URL.parse(originFrom(typed))?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const addresses = isIP(host) ? [host] : await addressesOf(host)
  const isPrivate = addresses.length > 0 && !addresses.some(isPublicAddress)
  const guarded = guardedFetch(isPrivate ? { allowAddress: () => true } : {})
  return (input, init) => guarded(String(input), init ?? {})
}

/** Resolves a host name. Empty if it is unknown: the connection then reports why. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
