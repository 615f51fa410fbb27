/** The words of a query, and the terms that each may stand for. */

import { isWithinKey } from '../text/beginnings.ts'
import { normalizedName } from '../text/names.ts'
import { type Synonyms, termOf } from '../text/synonyms.ts'
import { type Token, TokenKind, tokens } from '../text/tokeniser.ts'
import { joinedTerms } from './respacing.ts'
import { ENOUGH } from './tiers.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A term that a word may stand for. */
export interface Expansion {
  readonly term: string
  /** Further terms that a document must hold as well, for a synonym of several words: the least of their impacts counts. */
  readonly and?: readonly string[]
  /** Factor of its impacts: 1, or less if the spelling was corrected. */
  readonly boost: number
}

/** Expansions of each word of a query. */
export type Expansions = readonly (readonly Expansion[])[]

/** One word of a query, with all its expansions. A document that holds any of them matches the clause. */
export interface Clause {
  readonly expansions: readonly Expansion[]
  /** Weight of one unit of impact: the rarer the word, the more. */
  readonly weight: number
}

/** A word of the query. */
export interface QueryWord {
  readonly token: Token
  /** The term of the word, then the terms of the word joined with its neighbours. */
  readonly terms: readonly string[]
  /** Synonyms, each given as all terms of a word or phrase. */
  readonly synonyms: readonly (readonly string[])[]
  /** Set for the last word, which may be unfinished. */
  readonly last: boolean
}

/** Weight steps per unit of the logarithm. Weights are integers, so that scores add up the same in any order. */
const WEIGHT_STEPS = 64

/** Returns the distinct words of a query, in order. */
export function queryWords(text: string, synonyms: Synonyms): QueryWord[] {
  const found = tokens(text)
  const others = synonyms.of(found)
  const words = new Map<string, QueryWord>()
  for (const [at, token] of found.entries()) {
    const term = termOf(token)
    const terms = [term, ...joinedTerms(found, at)]
    const known = words.get(term)
    const last = at === found.length - 1
    const meant = [...(known?.synonyms ?? []), ...(others[at] ?? [])]
    if (!known) words.set(term, { token, terms, synonyms: meant, last })
    else words.set(term, { ...known, synonyms: meant, ...(last && { token, last }) })
  }
  return [...words.values()]
}

/** Boost of a word that is written as one with others, or of a part of it: what was typed comes first. */
const JOINED_BOOST = 0.9
/** Boost of a synonym, relative to the word itself: what was typed comes first. */
const SYNONYM_BOOST = 0.8

/**
 * Returns a word's own terms and its synonyms, as far as the index has them. The last of several words also stands for titles
 * that begin with the whole query.
 */
export function exactExpansions(word: QueryWord, beginning: Beginning, vocabulary: Vocabulary): Expansion[] {
  const own = word.terms
    .map((term, at) => ({ term, boost: at === 0 ? 1 : JOINED_BOOST }))
    .filter(({ term }) => vocabulary.count(term) > 0)
  const meant = word.synonyms
    .filter((phrase) => phrase.every((term) => vocabulary.count(term) > 0))
    .map(([term = '', ...and]) => ({ term, ...(and.length > 0 && { and }), boost: SYNONYM_BOOST }))
  const begun = word.last && beginning.hasLast ? beginning.expansions : []
  return [...own, ...meant, ...begun]
}

/** Returns the terms that begin with the last word. None for other words. */
export function prefixExpansions({ token, last }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (!last || token.kind === TokenKind.gram) return []
  return vocabulary.withPrefix(token.text).map((term) => ({ term, boost: 1 }))
}

/** Terms for the titles that begin with a query. */
export interface Beginning {
  readonly expansions: readonly Expansion[]
  /** Set if they cover several words completely, and so also the last one, which may be unfinished. */
  readonly hasLast: boolean
}

/** Returns terms for titles that begin with a query of `words` words, as far as the index keeps their beginnings. */
export function beginningOf(text: string, words: number, vocabulary: Vocabulary): Beginning {
  const name = normalizedName(text)
  const expansions = vocabulary.withBeginning(name).map((term) => ({ term, boost: 1 }))
  return { expansions, hasLast: words > 1 && isWithinKey(name) }
}

/** The boost of a compound for the word that it ends with. */
const ENDING_BOOST = 0.5

/** Returns the terms of the compounds and codes that end with a word. */
export function endingExpansions({ token }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (token.kind === TokenKind.gram) return []
  return vocabulary.withEnding(token.text).map((term) => ({ term, boost: ENDING_BOOST }))
}

/** Returns the characters of a pair that the index does not hold: single ones are better than nothing. */
function singleExpansions({ token }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (token.kind !== TokenKind.gram) return []
  const characters = [...token.text].filter((character) => vocabulary.count(character) > 0)
  return characters.map((term) => ({ term, boost: 1 }))
}

/** Returns for each word the first of these kinds of expansions that is not empty; words without any are left out. */
export function someExpansions(
  words: readonly QueryWord[],
  kinds: readonly Expansions[],
  vocabulary: Vocabulary,
): Expansions {
  const some = words.map((word, at) => {
    const found = kinds.find((each) => each[at]?.length)
    return found?.[at] ?? singleExpansions(word, vocabulary)
  })
  return some.filter((each) => each.length > 0)
}

/**
 * Returns the clause of some expansions. An expansion that occurs twice counts once, with its larger boost. `documents`: the
 * number of live ones. `times`: factor of the weight.
 */
export function clauseOf(
  expansions: readonly Expansion[],
  vocabulary: Vocabulary,
  documents: number,
  times = 1,
): Clause {
  const different = new Map<string, Expansion>()
  let holding = 0
  for (const expansion of expansions) {
    const key = keyOf(expansion)
    const known = different.get(key)
    if (known === undefined) holding += mostHolding(expansion, vocabulary)
    if (known === undefined || known.boost < expansion.boost) different.set(key, expansion)
  }
  const weight = times * weightOf(Math.min(holding, documents), documents)
  return { expansions: [...different.values()], weight }
}

/** Returns a key that is equal for expansions that the same documents hold. */
export function keyOf({ term, and }: Expansion): string {
  return and ? `${term} ${and.join(' ')}` : term
}

/** Returns an upper bound of the live documents that hold an expansion: those that hold the rarest of its terms. */
export function mostHolding({ term, and = [] }: Expansion, vocabulary: Vocabulary): number {
  return Math.min(vocabulary.count(term), ...and.map((each) => vocabulary.count(each)))
}

/** Reports whether most documents hold an expansion, and more than `ENOUGH`: its marks would be everywhere. */
export function isCommon(expansion: Expansion, vocabulary: Vocabulary, documents: number): boolean {
  return mostHolding(expansion, vocabulary) > Math.max(ENOUGH, documents / 2)
}

/** Returns BM25's inverse document frequency, in whole steps and at least 1: a word that all documents hold still matches. */
function weightOf(holding: number, documents: number): number {
  const rarity = Math.log(1 + (documents - holding + 0.5) / (holding + 0.5))
  return Math.max(1, Math.round(WEIGHT_STEPS * rarity))
}

/** Joins the expansions of both, word by word. */
export function joined(left: Expansions, right: Expansions): Expansions {
  return left.map((each, at) => [...each, ...(right[at] ?? [])])
}
