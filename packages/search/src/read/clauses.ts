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
  /** Further terms that a document has to hold as well, in a synonym of several words: the least of their impacts counts. */
  readonly and?: readonly string[]
  /** What its impacts are multiplied by: 1, or less where the spelling was corrected. */
  readonly boost: number
}

/** The expansions of each word of a query. */
export type Expansions = readonly (readonly Expansion[])[]

/** One word of a query, with all its expansions. A document that holds any of them holds the clause. */
export interface Clause {
  readonly expansions: readonly Expansion[]
  /** What one unit of impact is worth: the rarer the word, the more. */
  readonly weight: number
}

/** A word of the query. */
export interface QueryWord {
  readonly token: Token
  /** The term of the word, and then those of the word joined with its neighbours. */
  readonly terms: readonly string[]
  /** What may stand in its place, each all terms of a word or phrase. */
  readonly synonyms: readonly (readonly string[])[]
  /** It is the last one, and so may be unfinished. */
  readonly last: boolean
}

/** Steps of a weight for each unit of the logarithm. Weights are whole, so that scores add up the same in any order. */
const WEIGHT_STEPS = 64

/** The different words of a query, in order. */
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

/** What a word written as one with others, or a part of it, is worth: what was typed comes first. */
const JOINED_BOOST = 0.9
/** What a synonym is worth of the word itself: what was typed comes first. */
const SYNONYM_BOOST = 0.8

/**
 * A word's own terms, and its synonyms, as far as the index has them. The last of several words is as well in a title that begins with
 * all of the question.
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

/** The terms that the last word is a prefix of. None for other words. */
export function prefixExpansions({ token, last }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (!last || token.kind === TokenKind.gram) return []
  return vocabulary.withPrefix(token.text).map((term) => ({ term, boost: 1 }))
}

/** Terms for the titles that begin with a question. */
export interface Beginning {
  readonly expansions: readonly Expansion[]
  /** They say all of several words, and so also what the last one is, which may be unfinished. */
  readonly hasLast: boolean
}

/** The titles that begin with a question of so many words, as far as the index keeps their beginnings. */
export function beginningOf(text: string, words: number, vocabulary: Vocabulary): Beginning {
  const name = normalizedName(text)
  const expansions = vocabulary.withBeginning(name).map((term) => ({ term, boost: 1 }))
  return { expansions, hasLast: words > 1 && isWithinKey(name) }
}

/** The boost of a compound for the word that it ends with. */
const ENDING_BOOST = 0.5

/** The terms of the compounds and codes that a word is the end of. */
export function endingExpansions({ token }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (token.kind === TokenKind.gram) return []
  return vocabulary.withEnding(token.text).map((term) => ({ term, boost: ENDING_BOOST }))
}

/** The characters of a pair that the index does not hold: single ones are better than nothing. */
function singleExpansions({ token }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (token.kind !== TokenKind.gram) return []
  const characters = [...token.text].filter((character) => vocabulary.count(character) > 0)
  return characters.map((term) => ({ term, boost: 1 }))
}

/** Of each word the first of these kinds of expansions that there are; words without any are left out. */
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
 * The clause of some expansions. One that occurs twice counts once, with its larger boost. `documents`: the live ones. `times`: the
 * weight is as many times as large.
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

/** The same for expansions that the same documents hold. */
export function keyOf({ term, and }: Expansion): string {
  return and ? `${term} ${and.join(' ')}` : term
}

/** How many live documents hold an expansion at most: those that hold the rarest of its terms. */
export function mostHolding({ term, and = [] }: Expansion, vocabulary: Vocabulary): number {
  return Math.min(vocabulary.count(term), ...and.map((each) => vocabulary.count(each)))
}

/** Whether most of the documents hold an expansion, and more than are looked at for better matches: its marks would be everywhere. */
export function isCommon(expansion: Expansion, vocabulary: Vocabulary, documents: number): boolean {
  return mostHolding(expansion, vocabulary) > Math.max(ENOUGH, documents / 2)
}

/** BM25's inverse document frequency, in whole steps and at least 1: a word that every document holds still matches. */
function weightOf(holding: number, documents: number): number {
  const rarity = Math.log(1 + (documents - holding + 0.5) / (holding + 0.5))
  return Math.max(1, Math.round(WEIGHT_STEPS * rarity))
}

/** The expansions of both, word by word. */
export function joined(left: Expansions, right: Expansions): Expansions {
  return left.map((each, at) => [...each, ...(right[at] ?? [])])
}
