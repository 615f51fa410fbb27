/** The tokeniser: from text to the words that are indexed and looked for. One for both, so that they cannot disagree. */
import { fold } from './fold.ts'

/** What a token is, which decides how it may be matched. */
export const TokenKind = {
  /** A word of letters. */
  word: 0,
  /** Holds a digit: a number, a code, an id. Matched exactly, never guessed. */
  number: 1,
  /** One or two characters of a script written without spaces. */
  gram: 2,
} as const
/** What kind of token one is. */
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind]

/** One word of a question or a text. */
export interface Token {
  /** Folded, not stemmed. */
  readonly text: string
  readonly kind: TokenKind
  /** The token written together with its neighbours (`f-16` → `f16`), where that is another way to write it. */
  readonly joined?: string
}

/** Longer words are cut: nobody types them, and the dictionary's rows must hold many. In UTF-16 units. */
export const MAX_TOKEN = 64
/** How many parts of a compound are joined at most; more are a sentence or a path, not one name. */
const MAX_PARTS = 5

const OTHER = 0
const LETTER = 1
const DIGIT = 2
const UNSPACED = 3
const APOSTROPHE = 4
const JOINER = 5
const HIGH_SURROGATE = 6
const UNKNOWN = 255

const UNSPACED_SCRIPT =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u
const WORD_CHARACTER = /[\p{L}\p{M}]/u
const NUMBER_CHARACTER = /\p{N}/u
const PICTURE = /\p{Extended_Pictographic}/u
const APOSTROPHES = "'\u2018\u2019\u02b9\u02bb\u02bc\u02bf\u0060\u00b4\u2032\u05f3\u05f4\uff07"
const JOINERS = '-._\u2010\u2011'

/** The class of every UTF-16 unit, filled as units are met. */
const classes = new Uint8Array(0x10000).fill(UNKNOWN)

function classOf(code: number): number {
  const known = classes[code] as number
  if (known !== UNKNOWN) return known
  const character = String.fromCharCode(code)
  const found = code >= 0xd800 && code < 0xdc00 ? HIGH_SURROGATE : classOfCharacter(character)
  classes[code] = found
  return found
}

function classOfCharacter(character: string): number {
  if (APOSTROPHES.includes(character)) return APOSTROPHE
  if (JOINERS.includes(character)) return JOINER
  if (NUMBER_CHARACTER.test(character)) return UNSPACED_SCRIPT.test(character) ? UNSPACED : DIGIT
  if (WORD_CHARACTER.test(character)) return UNSPACED_SCRIPT.test(character) ? UNSPACED : LETTER
  return character.codePointAt(0) !== undefined && PICTURE.test(character) && character > '\u00ff'
    ? UNSPACED
    : OTHER
}

/** The class of the character at `at` and its length in units. Surrogates are rare: they take the slow way. */
function astralClass(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0
  return code < 0x10000 ? OTHER : classOfCharacter(String.fromCodePoint(code))
}

/** Takes what the scanner finds. */
export interface TokenSink {
  /** A word or number, `text[start, end)`; `bond`: only a joiner stood between it and the token before. */
  word(text: string, start: number, end: number, hasDigit: boolean, bond: boolean): unknown
  /** Characters of an unspaced script, at least one. */
  run(text: string): unknown
  /** The part of a word after its apostrophe, where what precedes is short (`hare` of `o'hare`). */
  tail(text: string): void
}

/** What may precede an apostrophe as an article or prefix of its own: `l'`, `d'`, `o'`, `qu'`. In letters. */
const SHORT_PREFIX = 2

/** Folds a text and gives its words in order. */
export function scan(text: string, sink: TokenSink): void {
  const folded = fold(text)
  const length = folded.length
  let bond = false
  let at = 0
  while (at < length) {
    let kind = classOf(folded.charCodeAt(at))
    let width = 1
    if (kind === HIGH_SURROGATE) {
      kind = astralClass(folded, at)
      width = 2
    }
    if (kind === LETTER || kind === DIGIT) {
      const end = scanWord(folded, at, bond, sink)
      bond = end < length && classOf(folded.charCodeAt(end)) === JOINER
      at = bond ? end + 1 : end
    } else if (kind === UNSPACED) {
      at = scanRun(folded, at, sink)
      bond = false
    } else {
      at += width
      bond = false
    }
  }
}

function scanWord(text: string, start: number, bond: boolean, sink: TokenSink): number {
  const { length } = text
  let end = start
  let apostrophe = -1
  let hasDigit = false
  while (end < length) {
    let kind = classOf(text.charCodeAt(end))
    let width = 1
    if (kind === HIGH_SURROGATE) {
      kind = astralClass(text, end)
      width = 2
    }
    if (kind === LETTER) end += width
    else if (kind === DIGIT) {
      hasDigit = true
      end += width
    } else if (kind === APOSTROPHE && apostrophe < 0 && joinsLetters(text, end)) {
      apostrophe = end
      end += 1
    } else if (hasDigit && isDecimal(text, end)) end += 1
    else break
  }
  if (apostrophe < 0) sink.word(text, start, cutEnd(text, start, end), hasDigit, bond)
  else {
    const tail = text.slice(apostrophe + 1, end)
    const word = text.slice(start, apostrophe) + tail
    sink.word(word, 0, cutEnd(word, 0, word.length), hasDigit, bond)
    if (apostrophe - start <= SHORT_PREFIX && tail.length > SHORT_PREFIX)
      sink.tail(tail.slice(0, cutEnd(tail, 0, tail.length)))
  }
  return end
}

/** An apostrophe inside a word. */
function joinsLetters(text: string, at: number): boolean {
  return at + 1 < text.length && classOf(text.charCodeAt(at + 1)) === LETTER
}

/** A point or comma between two digits (`4.2`, `10,000`): part of the number. */
function isDecimal(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (
    (code === 0x2e || code === 0x2c) &&
    classOf(text.charCodeAt(at - 1)) === DIGIT &&
    at + 1 < text.length &&
    classOf(text.charCodeAt(at + 1)) === DIGIT
  )
}

function scanRun(text: string, start: number, sink: TokenSink): number {
  let end = start
  while (end < text.length) {
    const kind = classOf(text.charCodeAt(end))
    if (kind === UNSPACED) end += 1
    else if (kind === HIGH_SURROGATE && astralClass(text, end) === UNSPACED) end += 2
    else break
  }
  sink.run(text.slice(start, end))
  return end
}

/** Where a word ends that is cut where it is too long, and not within a character. */
function cutEnd(text: string, start: number, end: number): number {
  if (end - start <= MAX_TOKEN) return end
  const last = start + MAX_TOKEN
  return classOf(text.charCodeAt(last - 1)) === HIGH_SURROGATE ? last - 1 : last
}

/** Collects the parts of compounds (`f-16`, `u.s.a`) and says how they look written together. */
export class Compound {
  /** How many words the compound has so far. */
  size = 0
  readonly #texts: string[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #hasDigit = false
  #longest = 0

  /** Adds the next word of the compound, `text[start, end)`. */
  add(text: string, start: number, end: number, hasDigit: boolean): void {
    this.#hasDigit ||= hasDigit
    this.#longest = Math.max(this.#longest, end - start)
    this.#texts[this.size] = text
    this.#starts[this.size] = start
    this.#ends[this.size++] = end
  }

  /** The parts as one word, where people write it so: codes with a digit, and initials. */
  joined(): string | undefined {
    if (this.size < 2 || this.size > MAX_PARTS) return undefined
    if (!this.#hasDigit && this.#longest > 1) return undefined
    const texts = this.#texts.slice(0, this.size)
    const whole = texts.map((text, at) => text.slice(this.#starts[at], this.#ends[at])).join('')
    return whole.length > MAX_TOKEN ? undefined : whole
  }

  /** Forgets the parts. */
  clear(): void {
    this.size = 0
    this.#hasDigit = false
    this.#longest = 0
  }
}

/** The one- and two-character pieces of an unspaced run. `single` is also given for every character. */
export function grams(run: string, gram: (text: string) => void, single?: (text: string) => void): void {
  let before = ''
  let count = 0
  for (const character of run) {
    single?.(character)
    if (count > 0) gram(before + character)
    before = character
    count += 1
  }
  if (count === 1 && !single) gram(before)
}

/** The words of a question, in order. An unspaced run gives its overlapping pairs; a single character, itself. */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  const compound = new Compound()
  const settle = (): void => {
    const joined = compound.joined()
    if (joined !== undefined) {
      for (let at = found.length - compound.size; at < found.length; at++) {
        found[at] = { ...(found[at] as Token), joined }
      }
    }
    compound.clear()
  }
  scan(text, {
    word(text, start, end, hasDigit, bond) {
      if (!bond) settle()
      compound.add(text, start, end, hasDigit)
      found.push({ text: text.slice(start, end), kind: hasDigit ? TokenKind.number : TokenKind.word })
    },
    run(run) {
      settle()
      grams(run, (gram) => found.push({ text: gram, kind: TokenKind.gram }))
    },
    tail() {},
  })
  settle()
  return found
}
