/**
 * A policy for URLs, as a `fetch` around a `fetch`.
 */
import { fail } from './error.ts'
import type { Fetch } from './redirect.ts'

/** Reports whether a request may go to a URL. */
export type Allow = (url: URL) => boolean | Promise<boolean>

/**
 * Returns a `fetch` that calls `allow` before every request, redirects included if the runtime exposes them. A refused URL
 * is `insecure_endpoint`, details `refused`, and nothing is sent there. `allow` sees names, not addresses: names that resolve
 * to a private address are refused by `@worldwright/client/guard`.
 */
export function allowing(allow: Allow, fetch?: Fetch): Fetch {
  return async (url, init) => {
    const target = new URL(url)
    if ((await allow(target)) !== true) fail('insecure_endpoint', { refused: target.origin })
    return (fetch ?? (globalThis.fetch as Fetch))(url, init)
  }
}
