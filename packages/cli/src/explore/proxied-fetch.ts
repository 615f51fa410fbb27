/** How the world of an origin is reached for a page: never into this machine's own network, unless it stands there. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { guardedFetch, isPublicAddress } from '@worldwright/client/guard'
import { originFrom } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'

/**
 * A `fetch` for the world at an origin. A world on the public Internet cannot lead it to private addresses, neither by a
 * redirect nor by the place of its API; one that stands at a private address itself may.
 */
export async function proxiedFetch(typed: string, io: Io): Promise<typeof fetch> {
  if (io.fetch) return io.fetch
  const host = URL.parse(originFrom(typed))?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const addresses = isIP(host) ? [host] : await addressesOf(host)
  const isPrivate = addresses.length > 0 && !addresses.some(isPublicAddress)
  const guarded = guardedFetch(isPrivate ? { allowAddress: () => true } : {})
  return (input, init) => guarded(String(input), init ?? {})
}

/** Empty if nothing is known of a name: the connection says why. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
