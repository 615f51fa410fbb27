/** Tokenizer for both documents and queries. */
import {
  APOSTROPHE,
  astralClass,
  classOf,
  DIGIT,
  HIGH_SURROGATE,
  JOINER,
  LETTER,
  UNSPACED,
} from './characters.ts'
import { Compound, MAX_TOKEN } from './compound.ts'
import { fold } from './fold.ts'
import { stem } from './stem.ts'

/** Kinds of tokens, which determine how a token may be matched. */
export const TokenKind = {
  /** A word of letters. */
  word: 0,
  /** A token with a digit, such as a number, code or id. Its spelling is never corrected. */
  number: 1,
  /** One or two characters of a script written without spaces. */
  gram: 2,
} as const
/** A token kind, one of the values of `TokenKind`. */
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind]

/** One word of a query. */
export interface Token {
  /** The word, folded but not stemmed. */
  readonly text: string
  readonly kind: TokenKind
  /** If the token is part of a compound, the term of the joined compound (`f-16` → `f16`). */
  readonly joined?: string
  /** If the word has an apostrophe, the term of the part that may stand alone (`ankara'da` → `ankara`). */
  readonly part?: string
}

/** Receives the tokens that `scan` finds, in order. */
export interface TokenSink {
  /** Receives a word or number, `text[start, end)`. `bond` is set if only a joiner separates it from the previous word. */
  word(text: string, start: number, end: number, hasDigit: boolean, bond: boolean): unknown
  /** Receives a nonempty run of characters of unspaced scripts. */
  run(text: string): unknown
  /**
   * For a word with an apostrophe, receives the part that may stand alone. It either follows a short article (`hare` of
   * `o'hare`) or precedes an ending of two to five letters (`ankara` of `ankara'da`).
   */
  part(text: string): void
}

/** Maximum length of an article or prefix before an apostrophe, in letters: `l'`, `d'`, `o'`, `qu'`. */
const SHORT_PREFIX = 2
/** Maximum length of an ending after an apostrophe, in letters. Turkish adds such endings to names. */
const LONGEST_ENDING = 5

/** Folds `text` and passes its tokens to the sink. */
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
    const part = partOf(text.slice(start, apostrophe), tail)
    if (part !== undefined) sink.part(part.slice(0, cutEnd(part, 0, part.length)))
  }
  return end
}

/** Returns the part before or after an apostrophe that may stand alone, or undefined if neither may. */
function partOf(head: string, tail: string): string | undefined {
  if (head.length <= SHORT_PREFIX) return tail.length > SHORT_PREFIX ? tail : undefined
  return tail.length > 1 && tail.length <= LONGEST_ENDING ? head : undefined
}

/** Reports whether the apostrophe at `at` is followed by a letter and is therefore part of a word. */
function joinsLetters(text: string, at: number): boolean {
  return at + 1 < text.length && classOf(text.charCodeAt(at + 1)) === LETTER
}

/** Reports whether the character at `at` is a point or comma between two digits, as in `4.2` and `10,000`. */
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

/** Returns the end of a word after truncation to `MAX_TOKEN` code units, without splitting a character. */
function cutEnd(text: string, start: number, end: number): number {
  if (end - start <= MAX_TOKEN) return end
  const last = start + MAX_TOKEN
  return classOf(text.charCodeAt(last - 1)) === HIGH_SURROGATE ? last - 1 : last
}

/** Passes each pair of adjacent characters of an unspaced run to `gram`, and each single character to `single`. */
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

/** Returns the words of a query, in order. An unspaced run yields overlapping pairs, or its only character. */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  const compound = new Compound()
  const endCompound = (): void => {
    const whole = compound.joined()
    if (whole !== undefined) {
      const joined = compound.isCode ? whole : stem(whole)
      for (let at = found.length - compound.size; at < found.length; at++) {
        found[at] = { ...(found[at] as Token), joined }
      }
    }
    compound.clear()
  }
  scan(text, {
    word(text, start, end, hasDigit, bond) {
      if (!bond) endCompound()
      compound.add(text, start, end, hasDigit)
      found.push({ text: text.slice(start, end), kind: hasDigit ? TokenKind.number : TokenKind.word })
    },
    run(run) {
      endCompound()
      grams(run, (gram) => found.push({ text: gram, kind: TokenKind.gram }))
    },
    part(part) {
      const last = found.length - 1
      found[last] = { ...(found[last] as Token), part: stem(part) }
    },
  })
  endCompound()
  return found
}
