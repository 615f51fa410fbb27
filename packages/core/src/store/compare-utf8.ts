/** The only order of ids: by their UTF-8 bytes (decisions 3), for strings as JavaScript stores them. */

const FIRST_SURROGATE = 0xd800
const FIRST_AFTER_SURROGATES = 0xe000

/**
 * Compares two strings by their UTF-8 bytes: negative, zero or positive.
 * JavaScript's `<` differs if one side contains a character beyond U+FFFF.
 */
export function compareUtf8(left: string, right: string): number {
  const shared = Math.min(left.length, right.length)
  for (let index = 0; index < shared; index++) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return weight(a) - weight(b)
  }
  return left.length - right.length
}

/** Surrogates encode characters beyond U+FFFF, so they weigh more than every other code unit. */
function weight(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit
  return unit < FIRST_AFTER_SURROGATES ? unit + 0x10000 : unit
}
