/** Tokens of private worlds, kept for each origin until the tab is closed. */
import { attempt } from '../text/attempt.ts'

const PREFIX = 'worldwright.token.'

/** In-memory copy of the tokens, since the browser may refuse to store them. */
const given = new Map<string, string>()

/** Returns the token for a world, or undefined if the user has entered none. */
export function tokenFor(origin: string): string | undefined {
  return given.get(origin) ?? attempt(() => sessionStorage.getItem(PREFIX + origin)) ?? undefined
}

/** Stores the token for a world, or removes it if `token` is undefined. */
export function keepToken(origin: string, token: string | undefined): void {
  if (token === undefined) given.delete(origin)
  else given.set(origin, token)
  if (token === undefined) attempt(() => sessionStorage.removeItem(PREFIX + origin))
  else attempt(() => sessionStorage.setItem(PREFIX + origin, token))
}

/** Returns a typed or pasted token without surrounding whitespace, or undefined if a header cannot contain it. */
export function tokenTyped(text: string): string | undefined {
  const token = text.trim()
  return /^[\x21-\x7e]+$/.test(token) ? token : undefined
}
