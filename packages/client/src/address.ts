/**
 * Parsing of addresses: origins, API endpoints, and names as path components.
 * Invalid input is rejected, never repaired or guessed at (Level 1, versioning 2 and 3).
 */
import { assertArgument, attempt, isText } from './error.ts'
import { WELL_KNOWN_PATH } from './protocol.ts'

// Matched against the original text, because `URL` silently drops empty queries, white space and dot segments.
const HTTP_URL = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what no name may hold.
const NO_COMPONENT = /[\0-\x1f\x7f-\x9f\u2028\u2029]|(^|[/\\])\.\.?($|[/\\])/

/**
 * Returns the origin (scheme, host, port) of a world, given that origin or its full well-known URL.
 * Throws `invalid_argument` for anything else, such as another path, a query, a fragment or userinfo.
 */
export function originFrom(text: string): string {
  const origin = httpOrigin(text)
  assertArgument(origin && ['/', WELL_KNOWN_PATH].includes(HTTP_URL.exec(text)?.[1] ?? '/'), {
    expected: 'http(s)://host(:port)',
  })
  return origin
}

/**
 * Returns the origin of an `endpoints.api` value, or `undefined` if the value is not an absolute http or https URL without
 * userinfo, query or fragment.
 */
export function httpOrigin(text: unknown): string | undefined {
  return isText(text) && HTTP_URL.test(text) ? attempt(() => new URL(text).origin) : undefined
}

/** Reports whether a secret sent to `origin` could be read in transit: true for plain http unless the host is loopback. */
export function isInsecure(origin: string): boolean {
  return /^http:(?!\/\/((.+\.)?localhost|127(\.\d+){3}|\[::1\])(:\d+)?$)/.test(origin)
}

/** Appends `route` to `api` by concatenation: resolving it as a relative URL would drop the path prefix of `api`. */
export function apiUrl(api: string, route: string): string {
  return api.replace(/\/?$/, '/') + route
}

/**
 * Returns a type, id or action name as one percent-encoded path component, with `:` as `%3A` (Level 1, rules 2 and 3). The
 * name is not normalised. Throws `invalid_argument` (details `name`) for a name that can never be a path component.
 */
export function component(name: string): string {
  // `part` is falsy for a lone surrogate or an empty name.
  const part = isText(name) && !NO_COMPONENT.test(name) && attempt(() => encodeURIComponent(name))
  assertArgument(part, { name })
  return part
}
