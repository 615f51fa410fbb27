/** Finds the words in displayed text that match a search. */
import { cutAt } from './visible.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu

const ASCII = /^[\0-\x7f]*$/

/** Folds text as the index does: removes case and accents. */
function folded(text: string): string {
  // Fast path, since every keystroke folds all words and nearly every word is ASCII.
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase('en')
}

/**
 * Splits text into pieces that match and pieces that do not. A word matches if it begins with a word in `matched`. A
 * one-letter word in `matched` must match exactly. In scripts without spaces, only the matching part of a word is marked.
 */
export function markedPieces(text: string, matched: readonly string[]) {
  return cutAt(text, spansIn(text, matched))
}

/** Reports whether `markedPieces` would mark any part of the text. */
export function hasMark(text: string, matched: readonly string[]): boolean {
  return spansIn(text, matched).next().done !== true
}

/** Yields the start and end of each match, in text order. */
function* spansIn(text: string, matched: readonly string[]): Generator<readonly [number, number]> {
  const wanted = [...new Set(matched.map(folded))].filter((word) => word !== '')
  if (wanted.length === 0) return
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const span = spanIn(word, wanted)
    if (span !== undefined) yield [index + span[0], index + span[1]]
  }
}

/** Number of characters that are sure to fit on two lines. */
const SEEN = 110
/** Number of characters to keep before the match. */
const BEFORE = 50

/** Returns the text, shortened at the beginning if the first match would otherwise not be visible. */
export function excerpt(text: string, matched: readonly string[]): string {
  const [first, second] = markedPieces(text, matched)
  if (first === undefined || second === undefined || first.isMatch || first.text.length < SEEN) return text
  const from = text.indexOf(' ', first.text.length - BEFORE)
  return from < 0 || from > first.text.length ? text : `…${text.slice(from)}`
}

const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

function spanIn(word: string, wanted: readonly string[]): readonly [number, number] | undefined {
  if (WITHOUT_SPACES.test(word)) {
    const hit = wanted.toSorted((a, b) => b.length - a.length).find((part) => word.includes(part))
    return hit === undefined ? undefined : [word.indexOf(hit), word.indexOf(hit) + hit.length]
  }
  const flat = folded(word)
  const fits = wanted.some((part) => (part.length < 2 ? flat === part : flat.startsWith(part)))
  return fits ? [0, word.length] : undefined
}
