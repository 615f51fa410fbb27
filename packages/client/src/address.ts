/**
 * Addresses: what is an origin, what is an API endpoint, and how a name becomes a path component.
 * Nothing is repaired and nothing is guessed (Level 1, versioning 2 and 3).
 */
import { need } from './error.ts'
import { addressFault, WELL_KNOWN_PATH } from './protocol.ts'

// Read from the text as given: `URL` would quietly drop an empty query, white space and dot segments.
const HTTP_URL = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i
const LOOPBACK = /^http:\/\/(([^/]+\.)?localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/

/**
 * The world origin (scheme, host, port) that a caller means: an origin, or the full well-known URL on it.
 * Everything else, a path, query, fragment or userinfo among it, is `invalid_argument`.
 */
export function originFrom(text: string | URL): string {
  const origin = httpOrigin(`${text}`)
  const path = HTTP_URL.exec(`${text}`)?.[1] ?? '/'
  need(
    origin && (path === '/' || path === WELL_KNOWN_PATH),
    'An origin is http(s)://host[:port] and no more.',
  )
  return origin
}

/**
 * The origin of an `endpoints.api` value. `undefined` where the value is no absolute http or https URL, or has
 * userinfo, a query or a fragment.
 */
export function httpOrigin(text: unknown): string | undefined {
  try {
    return typeof text === 'string' && HTTP_URL.test(text) ? new URL(text).origin : undefined
  } catch {
    return undefined
  }
}

/** Whether a secret sent to this origin could be read on the way: plain http beyond loopback. */
export function isInsecure(origin: string): boolean {
  return origin.startsWith('http:') && !LOOPBACK.test(origin)
}

/** A route below `endpoints.api`: plain string append, since resolving a relative URL would drop its prefix. */
export function apiUrl(api: string, route: string): string {
  return api + (api.endsWith('/') ? '' : '/') + route
}

/**
 * A type, id or action name as one percent-encoded path component, `:` always as `%3A` (Level 1, rules 2 and 3).
 * It goes out in the form given, not normalised. What no path can carry is `invalid_argument`, details `reason`
 * and the name itself.
 */
export function component(kind: 'type' | 'id' | 'action', name: string): string {
  const reason = typeof name === 'string' ? addressFault(name) : 'wrong_type'
  need(!reason, `This ${kind} cannot be addressed: ${reason}.`, { details: { [kind]: name, reason } })
  return encodeURIComponent(name)
}
