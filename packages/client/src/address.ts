/**
 * Addresses: origins, API endpoints, and names as path components.
 * Nothing is repaired and nothing is guessed (Level 1, versioning 2 and 3).
 */
import { assertArgument, attempt, isText } from './error.ts'
import { WELL_KNOWN_PATH } from './protocol.ts'

// Parsed from the text as given: `URL` would silently drop an empty query, white space and dot segments.
const HTTP_URL = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i
const INSECURE = /^http:(?!\/\/((.+\.)?localhost|127(\.\d+){3}|\[::1\])(:\d+)?$)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what no name may hold.
const NO_COMPONENT = /[\0-\x1f\x7f-\x9f\u2028\u2029]|(^|[/\\])\.\.?($|[/\\])/

/**
 * Returns the world origin (scheme, host, port) that a caller means: an origin, or the full well-known URL on it.
 * Anything else, such as a path, a query, a fragment or userinfo, is `invalid_argument`.
 */
export function originFrom(text: string): string {
  const origin = httpOrigin(text)
  assertArgument(origin && ['/', WELL_KNOWN_PATH].includes(HTTP_URL.exec(text)?.[1] ?? '/'), {
    origin: 'not http(s)://host[:port]',
  })
  return origin
}

/**
 * Returns the origin of an `endpoints.api` value. `undefined` if the value is not an absolute http or https URL, or has
 * userinfo, a query or a fragment.
 */
export function httpOrigin(text: unknown): string | undefined {
  return isText(text) && HTTP_URL.test(text) ? attempt(() => new URL(text).origin) : undefined
}

/** Reports whether a secret sent to this origin could be read in transit: plain http beyond loopback. */
export function isInsecure(origin: string): boolean {
  return INSECURE.test(origin)
}

/** Appends a route to `endpoints.api` as plain text, since resolving a relative URL would drop its prefix. */
export function apiUrl(api: string, route: string): string {
  return api.replace(/\/?$/, '/') + route
}

/**
 * Returns a type, id or action name as one percent-encoded path component, `:` always as `%3A` (Level 1, rules 2 and 3).
 * The name is sent in the form given, not normalised. A name that no path can carry, in any world, is
 * `invalid_argument`, details `name`.
 */
export function component(name: string): string {
  // A lone surrogate or an empty name yields nothing.
  const part = isText(name) && !NO_COMPONENT.test(name) && attempt(() => encodeURIComponent(name))
  assertArgument(part, { name })
  return part
}
