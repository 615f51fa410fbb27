/** Finds words by their ends: the dictionary also holds compounds and codes backwards, so a part is found as a prefix. */

/** Begins the key of a word that is written backwards; no word begins with it. */
const MARK = '\u0002'
/** Minimum letters of a compound: shorter words are no compounds, or their parts are too short for a query. */
const SHORTEST_COMPOUND = 7
/** Minimum letters of the end of a compound: shorter ends are endings, not words. */
const SHORTEST_END = 4
/** Minimum characters of the end of a code: shorter ones are sizes and versions, which too many codes have. */
const SHORTEST_CODE_END = 3
const DIGIT = /\p{N}/u

/** Returns the key of a folded word by its end; undefined if it has no end that can be searched for. */
export function endingKey(word: string): string | undefined {
  return (DIGIT.test(word) ? isCompoundCode(word) : word.length >= SHORTEST_COMPOUND)
    ? MARK + backwards(word)
    : undefined
}

/** Returns the prefix of the keys of words that end with `end`; undefined if the end is too short. */
export function endingPrefix(end: string): string | undefined {
  const shortest = DIGIT.test(end) ? SHORTEST_CODE_END : SHORTEST_END
  return end.length < shortest ? undefined : MARK + backwards(end)
}

/**
 * Reports whether the word of a key is found by an end of this length: a word by any, a code only if letters and digits meet
 * before it, as people read `22LV505` as 22, LV and 505.
 */
export function isFoundByEnd(key: string, length: number): boolean {
  const word = wordOfEnding(key)
  return !DIGIT.test(word) || isBorder(word, word.length - length)
}

function isCompoundCode(code: string): boolean {
  for (let at = code.length - SHORTEST_CODE_END; at > 0; at--) if (isBorder(code, at)) return true
  return false
}

/** Reports whether letters and digits meet before a character. */
function isBorder(code: string, at: number): boolean {
  return DIGIT.test(code[at - 1] as string) !== DIGIT.test(code[at] as string)
}

/** Returns the word of a key that `endingKey` returned. */
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
