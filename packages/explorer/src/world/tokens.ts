/** Tokens of private worlds, kept for each origin until the tab is closed. */
import { createKept } from '../text/kept.ts'

const tokens = createKept('token', () => sessionStorage)

/** Returns the token for a world, or undefined if the user has entered none. */
export const tokenFor = tokens.of

/** Stores the token for a world, or removes it if it is undefined. */
export const keepToken = tokens.set

/** Returns a typed or pasted token without surrounding whitespace, or undefined if a header cannot contain it. */
export function tokenTyped(text: string): string | undefined {
  const token = text.trim()
  return /^[\x21-\x7e]+$/.test(token) ? token : undefined
}
