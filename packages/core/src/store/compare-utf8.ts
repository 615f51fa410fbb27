/** Order of ids: by UTF-8 bytes (decisions 3), computed on UTF-16 strings. */

const FIRST_SURROGATE = 0xd800
const FIRST_AFTER_SURROGATES = 0xe000

/**
 * Compares two strings by their UTF-8 bytes. Returns a negative number, zero, or a positive number.
 * The order can differ from that of JavaScript's `<` if one side contains a character beyond U+FFFF.
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

/** Ranks surrogates above all other code units, because they encode characters beyond U+FFFF. */
function weight(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit
  return unit < FIRST_AFTER_SURROGATES ? unit + 0x10000 : unit
}
