/** Words by their ends: the dictionary holds long ones backwards, too, so that a part of a compound is found by its beginning. */

/** Begins the key of a word that is written backwards; no word begins with it. */
const MARK = '\u0002'
/** Shorter words are no compounds, or their parts are too short to be asked for. In letters. */
const SHORTEST_COMPOUND = 7
/** Shorter ends are endings, not words. */
const SHORTEST_END = 4

/** The key of a folded word by its end; undefined if it is too short to be a compound. */
export function endingKey(word: string): string | undefined {
  return word.length < SHORTEST_COMPOUND ? undefined : MARK + backwards(word)
}

/** With what the keys of compounds begin that end with a word; undefined if that is too short. */
export function endingPrefix(end: string): string | undefined {
  return end.length < SHORTEST_END ? undefined : MARK + backwards(end)
}

/** The word of a key that `endingKey` gave. */
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
