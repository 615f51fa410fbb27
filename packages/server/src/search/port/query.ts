/** Questions, answers, and the kinds of matches that an answer is made of. */
import type { DocumentKey } from './document.ts'

/** What to look for. */
export interface Question {
  readonly text: string
  /** Only these types; absent: all. */
  readonly types?: readonly string[] | undefined
  readonly limit: number
  /** Milliseconds. */
  readonly budgetMs: number
}

/** What was found. */
export interface Answer {
  /** Best first; ties by type, then id. */
  readonly hits: readonly { readonly key: DocumentKey; readonly score: number }[]
  readonly total: number
  /** By type, ascending, without zeros. */
  readonly counts: Readonly<Record<string, number>>
  readonly totalIsLowerBound: boolean
  /** Time ran out. */
  readonly partial: boolean
  /** Terms of the index that the words were taken for and that some document holds, ascending. */
  readonly matched: readonly string[]
}

/** Kinds of matches, better ones above. A document counts as the best kind that it is. */
export const Tier = {
  /** Some of the words. */
  some: 0,
  /** All words, some of them guessed. */
  guessed: 1,
  /** A name of the document, after guessing. */
  guessedName: 2,
  /** All words, the last one as a beginning. */
  beginning: 3,
  /** All words as they are. */
  whole: 4,
  /** An alias, as a whole. */
  alias: 5,
  /** The title, as a whole. */
  title: 6,
  /** The id, as a whole, but for case, accents and punctuation. */
  foldedId: 7,
  /** The id. */
  id: 8,
} as const

/** While fewer documents than this match all words, worse kinds of matches are looked for as well. */
export const ENOUGH = 100
