/** Finds the words that matched a search in displayed text. */

import { cutAt } from './visible.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu

const ASCII = /^[\0-\x7f]*$/

/** Folds a text as the index does: without case and accents. */
function folded(text: string): string {
  // Nearly every word is ASCII, and all of them are folded for every typed key.
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase('en')
}

/**
 * Splits a text into matching and other pieces. A word matches if it begins with one of the index's words that
 * matched (they may be stems), or with the typed text: `matched` words of one letter must be the whole word.
 * In scripts written without spaces the matching part itself is marked.
 */
export function markedPieces(text: string, matched: readonly string[]) {
  return cutAt(text, spansIn(text, matched))
}

/** Reports whether anything in the text would be marked. */
export function hasMark(text: string, matched: readonly string[]): boolean {
  return spansIn(text, matched).next().done !== true
}

/** Yields the start and end of each match, in the order of the text. */
function* spansIn(text: string, matched: readonly string[]): Generator<readonly [number, number]> {
  const wanted = [...new Set(matched.map(folded))].filter((word) => word !== '')
  if (wanted.length === 0) return
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const span = spanIn(word, wanted)
    if (span !== undefined) yield [index + span[0], index + span[1]]
  }
}

/** Characters of a text that are certainly visible on two lines. */
const SEEN = 110
/** Characters kept before the match. */
const BEFORE = 50

/** Returns the text from where its first match is visible: if the match is far behind, the beginning is left out. */
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
