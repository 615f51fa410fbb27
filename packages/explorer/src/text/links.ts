/** Decides which URLs in a world's data may be followed, and which pictures may be shown. */

const MAY_FOLLOW = new Set(['http:', 'https:', 'mailto:'])
const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s]+$/i
const PICTURE = /\.(?:avif|gif|jpe?g|png|webp|svg)$/i

const OWN_PATH = /^\/(?:attachments|(v))\/[^\s\\]+$/

/** Returns `text` as a normalized URL for links, or undefined if it is not an http, https or mailto URL. */
export function safeHref(text: string): string | undefined {
  if (!ADDRESS.test(text)) return undefined
  const url = URL.parse(text)
  // A user name or password in a URL can disguise the host.
  if (url === null || !MAY_FOLLOW.has(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return url.href
}

/** Resolves the path of an attachment, or of a view if there are any, against the first of `origins`, and no other text. */
export function addressOf(text: string, [origin]: readonly string[], hasViews = false): string {
  const found = OWN_PATH.exec(text)
  return found && (hasViews || found[1] === undefined) && origin !== undefined ? origin + text : text
}

/** A picture in a world's data. */
export interface Picture {
  readonly href: string
  readonly host: string
  /** True if the picture is on an origin of the world, so that loading it reveals nothing to third parties. */
  readonly isOwn: boolean
}

/**
 * Returns the picture at a URL or attachment path, or undefined if it is not a picture. Unless it is `declared`, a picture
 * is recognised by its file extension. `origins` are the world's own origins.
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
