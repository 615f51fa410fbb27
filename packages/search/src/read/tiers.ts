/** Match tiers. Documents are ranked by their best tier, then by score. */
import { NameKind } from '../text/names.ts'

/** Match tiers, larger for better matches. */
export const Tier = {
  /** Some of the words. */
  someWords: 0,
  /** All words, some of them with corrected spelling. */
  correctedWords: 1,
  /** All words, some of them as suffixes of compounds. */
  ending: 2,
  /** A name of the document, with corrected spelling. */
  correctedName: 3,
  /** All words, the last one as a prefix. */
  prefix: 4,
  /** All words as typed. */
  allWords: 5,
  /** All of several words, the last one possibly as a prefix, in a title that begins with the query. */
  beginning: 6,
  /** An alias that equals the query. */
  alias: 7,
  /** A title that equals the query. */
  title: 8,
  /** An id that equals the query, ignoring case, accents and punctuation. */
  foldedId: 9,
  /** An id that equals the query exactly. */
  id: 10,
} as const

/** Score difference between tiers. Larger than any score within a tier. */
export const TIER_SCORE = 2 ** 40

/** Number of matches below which looser kinds of matches are also searched for. */
export const ENOUGH = 100

/** Score multiplier for documents that contain all query words. See `SOME_SCALE`. */
export const ALL_SCALE = 6
/** Score multiplier for documents that contain only some of the query words. See `ALL_SCALE`. */
export const SOME_SCALE = 5

/** Returns the tier of a document that has the query as a name. `isId` reports whether its id equals the query exactly. */
export function tierOfName(kind: number, isId: () => boolean): number {
  if (kind === NameKind.id) return isId() ? Tier.id : Tier.foldedId
  return kind === NameKind.title ? Tier.title : Tier.alias
}

/** Returns the tier of a document whose name differs from the query by this many edits. Fewer edits rank higher. */
export function tierOfCorrectedName(edits: number): number {
  return Tier.correctedName + 1 / 2 ** Math.min(edits, MOST_TOLD)
}

/**
 * Returns the tier of a document found in `tier` whose title begins with the query, which has `words` words. A single-word
 * query may be a complete word, so titles that only begin with it rank below documents that contain the word.
 */
export function tierOfBeginning(tier: number, words: number): number {
  return words > 1 ? Tier.beginning : tier + 1 / 2
}

/** Edit count beyond which further edits do not lower the rank. */
const MOST_TOLD = 8

/** Reports whether a tier is for documents found by a name or its prefix. These always rank by tier before score. */
export function isOfName(tier: number): boolean {
  return tier >= Tier.beginning || (tier >= Tier.correctedName && tier < Tier.prefix)
}
