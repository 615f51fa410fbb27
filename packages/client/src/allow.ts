/**
 * URL policy, implemented as a `fetch` wrapper.
 */
import { fail } from './error.ts'
import type { Fetch } from './redirect.ts'

/** Reports whether a request may be sent to a URL. */
export type Allow = (url: URL) => boolean | Promise<boolean>

/**
 * Returns a `fetch` that calls `allow` before every request, including redirects if the runtime exposes them. If `allow`
 * refuses the URL, nothing is sent, and the call fails with `insecure_endpoint` (details `refused`). `allow` sees host
 * names, not IP addresses: to refuse names that resolve to a private address, use `@worldwright/client/guard`.
 */
export function allowing(allow: Allow, fetch?: Fetch): Fetch {
  return async (url, init) => {
    const target = new URL(url)
    if ((await allow(target)) !== true) fail('insecure_endpoint', { refused: target.origin })
    return (fetch ?? (globalThis.fetch as Fetch))(url, init)
  }
}
