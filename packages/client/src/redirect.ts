/**
 * Redirects, followed by hand where the runtime shows them, so that no secret travels along.
 */
import { WorldError } from './error.ts'

/** The part of `fetch` this client needs: any `fetch` fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const MAX_HOPS = 3
const ANYWHERE = ['accept', 'content-type']

/**
 * Sends a request and follows at most three redirects. A POST is followed only where method and body stay (307, 308).
 * Beyond the first origin the token and the caller's headers stay behind. From https to http is `insecure_endpoint`.
 * A redirect that is not followed comes back as the response.
 * Browsers show no redirects: there the platform follows, and the Fetch standard drops `Authorization` on leaving
 * the origin.
 */
export async function follow(
  fetch: Fetch,
  url: string,
  init: RequestInit & { headers: Headers },
): Promise<Response> {
  let at = url
  const headers = new Headers(init.headers)
  for (let hops = 0; ; hops++) {
    const response = await fetch(at, { ...init, headers, redirect: 'manual' })
    if (response.type === 'opaqueredirect') return fetch(at, init)
    const target = hops < MAX_HOPS ? targetOf(response, at, init.method) : undefined
    if (!target) return response
    if (at.startsWith('https:') && target.protocol === 'http:') {
      throw new WorldError('insecure_endpoint', 'Redirected from https to http.', { status: response.status })
    }
    if (target.origin !== new URL(at).origin) {
      for (const name of [...headers.keys()]) if (!ANYWHERE.includes(name)) headers.delete(name)
    }
    await response.body?.cancel()
    at = target.href
  }
}

function targetOf({ status, headers }: Response, base: string, method?: string): URL | undefined {
  const location = headers.get('location')
  if (!location || !(method === 'GET' ? [301, 302, 303, 307, 308] : [307, 308]).includes(status))
    return undefined
  try {
    const target = new URL(location, base)
    return /^https?:$/.test(target.protocol) && !target.username && !target.password ? target : undefined
  } catch {
    return undefined
  }
}
