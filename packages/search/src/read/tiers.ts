/** Kinds of matches. A document is ranked by its best kind, and within a kind by its score. */
import { NameKind } from '../text/names.ts'

/** Kinds of matches; the better, the larger. */
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
  /** All of several words, the last one perhaps as a prefix, if the title begins with the query. */
  beginning: 6,
  /** An alias, as a whole. */
  alias: 7,
  /** The title, as a whole. */
  title: 8,
  /** The id as a whole, ignoring case, accents and punctuation. */
  foldedId: 9,
  /** The id, letter by letter. */
  id: 10,
} as const

/** Score of one tier: more than any other score. */
export const TIER_SCORE = 2 ** 40

/** Worse kinds of matches are searched for as well while fewer documents than this match all words. */
export const ENOUGH = 100

/** Scale of the scores of documents with all words, if compared with those of documents with some: 6 : 5. */
export const ALL_SCALE = 6
/** Scale of the scores of documents with some of the words: see `ALL_SCALE`. */
export const SOME_SCALE = 5

/** Returns the tier of a document that has the query as a name. `isId`: whether its id is the query letter by letter. */
export function tierOfName(kind: number, isId: () => boolean): number {
  if (kind === NameKind.id) return isId() ? Tier.id : Tier.foldedId
  return kind === NameKind.title ? Tier.title : Tier.alias
}

/** Returns the tier of a document with a name that is the query with this many edits: the fewer, the better. */
export function tierOfCorrectedName(edits: number): number {
  return Tier.correctedName + 1 / 2 ** Math.min(edits, MOST_TOLD)
}

/**
 * Returns the tier of a document that is found in `tier` and whose title begins with the query of `words` words. A single word
 * may be complete: titles that only begin with it stay below documents that hold it.
 */
export function tierOfBeginning(tier: number, words: number): number {
  return words > 1 ? Tier.beginning : tier + 1 / 2
}

/** Number of edits from which on more make no difference. */
const MOST_TOLD = 8

/** Reports whether documents of a tier were found by a name, or its beginning: their scores are never compared with others. */
export function isOfName(tier: number): boolean {
  return tier >= Tier.beginning || (tier >= Tier.correctedName && tier < Tier.prefix)
}
