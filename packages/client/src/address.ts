/**
 * Addresses: what is an origin, what is an API endpoint, and how a name becomes a path component.
 * Nothing is repaired and nothing is guessed (Level 1, versioning 2 and 3).
 */
import { assertArgument, attempt, isText } from './error.ts'
import { WELL_KNOWN_PATH } from './protocol.ts'

// Read from the text as given: `URL` would quietly drop an empty query, white space and dot segments.
const HTTP_URL = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i
const INSECURE = /^http:(?!\/\/((.+\.)?localhost|127(\.\d+){3}|\[::1\])(:\d+)?$)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what no name may hold.
const NO_COMPONENT = /[\0-\x1f\x7f-\x9f\u2028\u2029]|(^|[/\\])\.\.?($|[/\\])/

/**
 * The world origin (scheme, host, port) that a caller means: an origin, or the full well-known URL on it.
 * Everything else, a path, query, fragment or userinfo among it, is `invalid_argument`.
 */
export function originFrom(text: string): string {
  const origin = httpOrigin(text)
  assertArgument(origin && ['/', WELL_KNOWN_PATH].includes(HTTP_URL.exec(text)?.[1] ?? '/'), {
    origin: 'not http(s)://host[:port]',
  })
  return origin
}

/**
 * The origin of an `endpoints.api` value. `undefined` where the value is no absolute http or https URL, or has
 * userinfo, a query or a fragment.
 */
export function httpOrigin(text: unknown): string | undefined {
  return isText(text) && HTTP_URL.test(text) ? attempt(() => new URL(text).origin) : undefined
}

/** Whether a secret sent to this origin could be read on the way: plain http beyond loopback. */
export function isInsecure(origin: string): boolean {
  return INSECURE.test(origin)
}

/** A route below `endpoints.api`: plain string append, since resolving a relative URL would drop its prefix. */
export function apiUrl(api: string, route: string): string {
  return api.replace(/\/?$/, '/') + route
}

/**
 * A type, id or action name as one percent-encoded path component, `:` always as `%3A` (Level 1, rules 2 and 3).
 * It goes out in the form given, not normalised. What no path can carry, in any world, is `invalid_argument`,
 * details `name`.
 */
export function component(name: string): string {
  // Nothing comes of a lone surrogate or of an empty name.
  const part = isText(name) && !NO_COMPONENT.test(name) && attempt(() => encodeURIComponent(name))
  assertArgument(part, { name })
  return part
}
