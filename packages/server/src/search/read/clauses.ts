/** What a question asks for: its words, and how each may be read. */
import { stemOf } from '../text/stem.ts'
import { type Token, TokenKind, tokens } from '../text/tokens.ts'
import type { Guess, Vocabulary } from './vocabulary.ts'

/** A term that a word may stand for. */
export interface Reading {
  readonly term: string
  /** What part of its impact counts. */
  readonly share: number
}

/** One word of a question with everything it may stand for; a document holds it that holds any of the readings. */
export interface Clause {
  readonly readings: readonly Reading[]
  /** What one unit of impact is worth: the rarer the word, the more. */
  readonly weight: number
}

/** A word of the question. */
export interface Word {
  readonly token: Token
  /** The word itself, and how it looks written together with its neighbours. */
  readonly terms: readonly string[]
  /** Being the last, it may be unfinished. */
  readonly last: boolean
}

/** What part of the impact of a guess counts, by its distance. */
const GUESS_SHARES = [1, 0.5, 0.25]
/** Fractions of a natural logarithm that weights keep, so that scores are whole numbers and add up the same in any order. */
const WEIGHT_STEPS = 64

/** The different words of a question, in order. */
export function wordsOf(text: string): Word[] {
  const found = tokens(text)
  const words = new Map<string, Word>()
  for (const [at, token] of found.entries()) {
    const term = token.kind === TokenKind.word ? stemOf(token.text) : token.text
    const terms = token.joined === undefined ? [term] : [term, token.joined]
    const known = words.get(term)
    const last = at === found.length - 1
    if (!known) words.set(term, { token, terms, last })
    else if (last) words.set(term, { ...known, token, last })
  }
  return [...words.values()]
}

/** The terms of a word that the index has. */
export function wholeReadings(word: Word, vocabulary: Vocabulary): Reading[] {
  return word.terms.filter((term) => vocabulary.count(term) > 0).map((term) => ({ term, share: 1 }))
}

/** The terms that begin as the last word does. None for other words. */
export function beginningReadings({ token, last }: Word, vocabulary: Vocabulary): Reading[] {
  if (!last || token.kind === TokenKind.gram) return []
  return vocabulary.beginningWith(token.text).map((term) => ({ term, share: 1 }))
}

/** The words that a word may be an error for. None for numbers and codes. */
export function guessesFor({ token }: Word, vocabulary: Vocabulary): Guess[] {
  return token.kind === TokenKind.word ? vocabulary.nearTo(token.text) : []
}

/** The terms of guesses. */
export function guessReadings(guesses: readonly Guess[], vocabulary: Vocabulary): Reading[] {
  return guesses.flatMap(({ word, distance }) =>
    [...new Set([word, stemOf(word)])]
      .filter((term) => vocabulary.count(term) > 0)
      .map((term) => ({ term, share: GUESS_SHARES[distance] ?? 0 })),
  )
}

/** The clause of some readings, of which each term counts once, with its largest share. */
export function clauseOf(readings: readonly Reading[], vocabulary: Vocabulary, documents: number): Clause {
  const shares = new Map<string, number>()
  let held = 0
  for (const { term, share } of readings) {
    const known = shares.get(term)
    if (known === undefined) held += vocabulary.count(term)
    shares.set(term, Math.max(known ?? 0, share))
  }
  const several = [...shares].map(([term, share]) => ({ term, share }))
  return { readings: several, weight: weightOf(Math.min(held, documents), documents) }
}

/** BM25's inverse document frequency, in whole steps and never 0: a word that every document holds still matches. */
function weightOf(held: number, documents: number): number {
  const rarity = Math.log(1 + (documents - held + 0.5) / (held + 0.5))
  return Math.max(1, Math.round(WEIGHT_STEPS * rarity))
}
