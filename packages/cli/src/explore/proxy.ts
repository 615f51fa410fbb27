/** Forwards a page's requests to one world, and to no other address. */

/** Request to forward to the world. */
export interface ProxyRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Forwards a request and returns the response, or undefined if the request is not for this world. */
export type WorldProxy = (request: ProxyRequest, signal: AbortSignal) => Promise<Response | undefined>

const SENT = ['accept', 'content-type', 'authorization', 'if-none-match']
const KEPT = [
  'age',
  'cache-control',
  'content-type',
  'etag',
  'expires',
  'request-id',
  'retry-after',
  'www-authenticate',
]
/** Matches names of headers that may hold the cursor of the next page. */
const CURSOR = /^link$|^x-|next|after|contin|cursor|token/

/**
 * Creates a proxy for the world at `origin`, whose API is at `api`. It forwards only GET and POST requests, and only to the
 * origins of the two. If the discovery document names a new API address, the proxy switches to that address.
 */
export function createProxy(origin: string, api: string, fetch: typeof globalThis.fetch): WorldProxy {
  let apiOrigin = URL.parse(api)?.origin
  return async ({ method, url, headers, body }, signal) => {
    const target = URL.parse(url)
    const isOfWorld = target !== null && (target.origin === origin || target.origin === apiOrigin)
    if (!isOfWorld || !/^(?:GET|POST)$/.test(method) || target.username || target.password) return undefined
    const sent = SENT.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []))
    const response = await fetch(target.href, {
      method,
      headers: Object.fromEntries(sent),
      ...(method === 'POST' && { body }),
      redirect: 'manual',
      signal,
    })
    if (target.href !== `${origin}/.well-known/world.json` || !response.ok)
      return answerFrom(response, target)
    const text = await response.text()
    apiOrigin = apiOriginIn(text) ?? apiOrigin
    return answerFrom(new Response(text, response), target)
  }
}

/** Returns the response for the page. Redirects are rewritten to the proxy, and cookies are dropped. */
function answerFrom(response: Response, target: URL): Response {
  const headers = new Headers()
  for (const [name, value] of response.headers)
    if (KEPT.includes(name) || CURSOR.test(name)) headers.set(name, value)
  const location = URL.parse(response.headers.get('location') ?? '', target.href)
  if (response.headers.has('location') && location)
    headers.set('location', `/_proxy/${encodeURIComponent(location.href)}`)
  const isEmpty = [204, 205, 304].includes(response.status)
  return new Response(isEmpty ? null : response.body, { status: response.status, headers })
}

function apiOriginIn(document: string): string | undefined {
  try {
    return URL.parse(JSON.parse(document)?.endpoints?.api)?.origin
  } catch {
    return undefined
  }
}
