/** Tokens for private worlds: kept until the tab is closed, for one origin each, and sent only by the client. */
import { attempt } from '../text/attempt.ts'

const PREFIX = 'worldwright.token.'

/** Kept in memory as well: a browser may refuse to store anything. */
const given = new Map<string, string>()

/** Returns the token that was given for a world; `undefined` without one. */
export function tokenFor(origin: string): string | undefined {
  return given.get(origin) ?? attempt(() => sessionStorage.getItem(PREFIX + origin)) ?? undefined
}

/** Keeps a token for a world, or forgets it. */
export function keepToken(origin: string, token: string | undefined): void {
  if (token === undefined) given.delete(origin)
  else given.set(origin, token)
  if (token === undefined) attempt(() => sessionStorage.removeItem(PREFIX + origin))
  else attempt(() => sessionStorage.setItem(PREFIX + origin, token))
}

/** Returns a token as it was typed or pasted; `undefined` if it cannot be sent. */
export function tokenTyped(text: string): string | undefined {
  const token = text.trim()
  return /^[\x21-\x7e]+$/.test(token) ? token : undefined
}
