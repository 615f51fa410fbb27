/** Classes of characters in folded text, which determine where words begin and end. */

/** Class of characters that end a word, such as spaces and most punctuation. */
const OTHER = 0
/** A letter or mark of a script written with spaces. */
export const LETTER = 1
/** A digit, in any script. */
export const DIGIT = 2
/** A character of a script written without spaces, or a pictograph. */
export const UNSPACED = 3
/** Character that belongs to a word if letters surround it. */
export const APOSTROPHE = 4
/** Character that joins words into a compound. */
export const JOINER = 5
/** First half of a surrogate pair. `astralClass` returns the class of the character. */
export const HIGH_SURROGATE = 6
const UNKNOWN = 255

const UNSPACED_SCRIPT =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u
const WORD_CHARACTER = /[\p{L}\p{M}]/u
const NUMBER_CHARACTER = /\p{N}/u
const PICTOGRAPH = /\p{Extended_Pictographic}/u
const APOSTROPHES = "'\u2018\u2019\u02b9\u02bb\u02bc\u02bf\u0060\u00b4\u2032\u05f3\u05f4\uff07"
const JOINERS = '-._\u2010\u2011'

/** Class of every UTF-16 code unit, filled in lazily. */
const classes = new Uint8Array(0x10000).fill(UNKNOWN)

/** Returns the class of a UTF-16 code unit. */
export function classOf(unit: number): number {
  const known = classes[unit] as number
  if (known !== UNKNOWN) return known
  const found = unit >= 0xd800 && unit < 0xdc00 ? HIGH_SURROGATE : classOfCharacter(String.fromCharCode(unit))
  classes[unit] = found
  return found
}

/** Returns the class of the character whose high surrogate is at `at`. */
export function astralClass(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0
  return code < 0x10000 ? OTHER : classOfCharacter(String.fromCodePoint(code))
}

function classOfCharacter(character: string): number {
  if (APOSTROPHES.includes(character)) return APOSTROPHE
  if (JOINERS.includes(character)) return JOINER
  if (NUMBER_CHARACTER.test(character)) return UNSPACED_SCRIPT.test(character) ? UNSPACED : DIGIT
  if (WORD_CHARACTER.test(character)) return UNSPACED_SCRIPT.test(character) ? UNSPACED : LETTER
  return PICTOGRAPH.test(character) && character > '\u00ff' ? UNSPACED : OTHER
}
