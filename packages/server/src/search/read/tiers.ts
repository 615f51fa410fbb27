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
  /** An alias, as a whole. */
  alias: 6,
  /** The title, as a whole. */
  title: 7,
  /** The id, as a whole, but for case, accents and punctuation. */
  foldedId: 8,
  /** The id, letter by letter. */
  id: 9,
} as const

/** What is added to a score for each tier: more than any score. */
export const TIER_SCORE = 2 ** 40

/** While fewer documents than this match all words, worse kinds of matches are looked for as well. */
export const ENOUGH = 100

/** The tier of a document one of whose names is the query. `isId`: whether its id is the query letter by letter. */
export function tierOfName(kind: number, isId: () => boolean): number {
  if (kind === NameKind.id) return isId() ? Tier.id : Tier.foldedId
  return kind === NameKind.title ? Tier.title : Tier.alias
}
