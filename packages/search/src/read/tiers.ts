/** Kinds of matches. A document is ranked by the best kind that it is, and within a kind by its score. */
import { NameKind } from '../text/names.ts'

/** The kinds, better ones above. */
export const Tier = {
  /** Some of the words. */
  someWords: 0,
  /** All words, some of them with corrected spelling. */
  correctedWords: 1,
  /** All words, some of them as the ends of compounds. */
  ending: 2,
  /** A name of the document, with corrected spelling. */
  correctedName: 3,
  /** All words, the last one as a prefix. */
  prefix: 4,
  /** All words as they are. */
  allWords: 5,
  /** All of several words, the last one perhaps as a prefix, where the title begins with the query. */
  beginning: 6,
  /** An alias, as a whole. */
  alias: 7,
  /** The title, as a whole. */
  title: 8,
  /** The id, as a whole, but for case, accents and punctuation. */
  foldedId: 9,
  /** The id, letter by letter. */
  id: 10,
} as const

/** What is added to a score for each tier: more than any score. */
export const TIER_SCORE = 2 ** 40

/** While fewer documents than this match all words, worse kinds of matches are looked for as well. */
export const ENOUGH = 100

/** Where they are compared, a document with all words is worth 6 : 5 times as much as its score among those with some. */
export const ALL_SCALE = 6
/** What the score of a document with some of the words counts there: see `ALL_SCALE`. */
export const SOME_SCALE = 5

/** The tier of a document one of whose names is the query. `isId`: whether its id is the query letter by letter. */
export function tierOfName(kind: number, isId: () => boolean): number {
  if (kind === NameKind.id) return isId() ? Tier.id : Tier.foldedId
  return kind === NameKind.title ? Tier.title : Tier.alias
}

/** The tier of a document one of whose names is the query with so many edits: the fewer, the better. */
export function tierOfCorrectedName(edits: number): number {
  return Tier.correctedName + 1 / 2 ** Math.min(edits, MOST_TOLD)
}

/**
 * The tier of a document that is found in another one, where its title begins with the query of so many words. A single word may be
 * the whole of what is asked: what only begins with it stays below what holds it.
 */
export function tierOfBeginning(tier: number, words: number): number {
  return words > 1 ? Tier.beginning : tier + 1 / 2
}

/** From here on more edits are the same. */
const MOST_TOLD = 8

/** Whether documents of a tier were found by a name, or its beginning: such are never compared with others by their scores. */
export function isOfName(tier: number): boolean {
  return tier >= Tier.beginning || (tier >= Tier.correctedName && tier < Tier.prefix)
}
