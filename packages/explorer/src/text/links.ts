/** Decides which addresses in a world's data may be followed, and which pictures may be shown. */

const MAY_FOLLOW = new Set(['http:', 'https:', 'mailto:'])
const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s]+$/i
const PICTURE = /\.(?:avif|gif|jpe?g|png|webp|svg)$/i

const OWN_PATH = /^\/attachments\/[^\s\\]+$/

/** Returns an address that a link may lead to, as the browser will read it; undefined for every scheme but three. */
export function safeHref(text: string): string | undefined {
  if (!ADDRESS.test(text)) return undefined
  const url = URL.parse(text)
  // A user in an address makes it look like one of another host.
  if (url === null || !MAY_FOLLOW.has(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return url.href
}

/** Returns the address that a text stands for: an attachment is a path at the world's origin, the first of `origins`. */
export function addressOf(text: string, [origin]: readonly string[]): string {
  return origin !== undefined && OWN_PATH.test(text) ? origin + text : text
}

/** A picture in a world's data. */
export interface Picture {
  readonly href: string
  readonly host: string
  /** True if it is on a host of the world, so that showing it reveals nothing to others. */
  readonly isOwn: boolean
}

/**
 * Returns the picture that an address, or the path of an attachment, names: by its ending, or because it is `declared`.
 * `origins` are the world's own; a picture from another host is fetched only at the user's request.
 */
export function pictureFrom(
  text: string,
  origins: readonly string[],
  declared: boolean,
): Picture | undefined {
  const href = safeHref(addressOf(text, origins))
  const url = href === undefined ? null : URL.parse(href)
  if (url === null || url.protocol === 'mailto:') return undefined
  if (!declared && !PICTURE.test(url.pathname)) return undefined
  return { href: url.href, host: url.host, isOwn: origins.includes(url.origin) }
}
