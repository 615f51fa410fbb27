/** Suffix search for words. The dictionary also contains compounds and codes reversed, so a suffix becomes a prefix. */

/** First character of a reversed word's key. No word begins with it. */
const MARK = '\u0002'
/** Minimum length of a compound. Shorter words are not compounds, or have parts too short to search for. */
const SHORTEST_COMPOUND = 7
/** Minimum length of a compound's suffix. Shorter suffixes are inflections rather than words. */
const SHORTEST_END = 4
/** Minimum length of a code's suffix. Shorter suffixes are sizes and versions, which too many codes share. */
const SHORTEST_CODE_END = 3
const DIGIT = /\p{N}/u

/** Returns the suffix key of a folded word, or undefined if the word has no searchable suffix. */
export function endingKey(word: string): string | undefined {
  return (DIGIT.test(word) ? isCompoundCode(word) : word.length >= SHORTEST_COMPOUND)
    ? MARK + backwards(word)
    : undefined
}

/** Returns the key prefix shared by all words that end with `end`, or undefined if `end` is too short. */
export function endingPrefix(end: string): string | undefined {
  const shortest = DIGIT.test(end) ? SHORTEST_CODE_END : SHORTEST_END
  return end.length < shortest ? undefined : MARK + backwards(end)
}

/**
 * Reports whether the word with this suffix key is found by its last `length` characters. A word without digits always is.
 * A code is found only if they start at a boundary between letters and digits: people read `22LV505` as 22, LV and 505.
 */
export function isFoundByEnd(key: string, length: number): boolean {
  const word = wordOfEnding(key)
  return !DIGIT.test(word) || isBorder(word, word.length - length)
}

function isCompoundCode(code: string): boolean {
  for (let at = code.length - SHORTEST_CODE_END; at > 0; at--) if (isBorder(code, at)) return true
  return false
}

/** Reports whether `at` is a boundary between letters and digits. */
function isBorder(code: string, at: number): boolean {
  return DIGIT.test(code[at - 1] as string) !== DIGIT.test(code[at] as string)
}

/** Returns the word from which `endingKey` made a key. */
export function wordOfEnding(key: string): string {
  return backwards(key.slice(MARK.length))
}

const SURROGATE = /[\ud800-\udfff]/

function backwards(text: string): string {
  if (SURROGATE.test(text)) return [...text].reverse().join('')
  let reversed = ''
  for (let at = text.length - 1; at >= 0; at--) reversed += text[at]
  return reversed
}
