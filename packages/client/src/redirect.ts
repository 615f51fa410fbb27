/**
 * Redirects, followed by this client if the runtime exposes them, so that no secret is sent along.
 */
import { attempt, WorldError } from './error.ts'

/** The part of `fetch` that this client needs: any `fetch` fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Sends a request and follows at most three redirects. A POST is followed only if method and body are kept (307, 308).
 * Beyond the first origin, only the headers in `plain` are sent. A redirect from https to http is `insecure_endpoint`.
 * A redirect that is not followed is returned as the response.
 * Browsers hide redirects: there the platform follows them, and the Fetch standard drops `Authorization` on leaving
 * the origin.
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
      // No other scheme, no userinfo.
      !(target && /^https?:\/\/[^/@]*\//.test(target.href))
    )
      return response
    if (from.protocol > target.protocol) throw new WorldError('insecure_endpoint', undefined, { status })
    if (from.origin !== target.origin) init = { ...init, headers: plain }
    await response.body?.cancel()
    at = target.href
  }
}
