/**
 * Redirect handling. The client follows redirects itself if the runtime exposes them, so that no secret is forwarded.
 */
import { attempt, WorldError } from './error.ts'

/** The subset of `fetch` that this client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Sends a request and follows at most three redirects. A POST is redirected only if its method and body are kept (307, 308).
 * Once a redirect leaves the origin, only the headers in `plain` are sent. A redirect from https to http fails with
 * `insecure_endpoint`. Any other redirect that is not followed is returned as the response.
 * Browsers hide redirects and follow them themselves. By the Fetch standard, they drop `Authorization` when the origin
 * changes.
 */
export async function follow(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  plain: Record<string, string>,
): Promise<Response> {
  const MAX_HOPS = 3
  let at = url
  for (let hops = 0; ; hops++) {
    const response = await fetch(at, { ...init, redirect: 'manual' })
    const { status, type } = response
    if (type === 'opaqueredirect') return fetch(at, init)
    const from = new URL(at)
    const target = attempt(() => new URL(response.headers.get('location') || 'x:', from))
    if (
      hops >= MAX_HOPS ||
      !(init.body ? /30[78]/ : /30[12378]/).test(`${status}`) ||
      // Only http and https, without userinfo.
      !(target && /^https?:\/\/[^/@]*\//.test(target.href))
    )
      return response
    if (from.protocol > target.protocol) throw new WorldError('insecure_endpoint', undefined, { status })
    if (from.origin !== target.origin) init = { ...init, headers: plain }
    await response.body?.cancel()
    at = target.href
  }
}
