/** Query words and the terms to which they may expand. */

import type { DocumentKey } from '../port/document.ts'
import type { Query } from '../port/search-query.ts'
import { isWithinKey } from '../text/beginnings.ts'
import { functionWords } from '../text/function-words.ts'
import { normalizedName } from '../text/names.ts'
import { type Synonyms, termOf } from '../text/synonyms.ts'
import { type Token, TokenKind, tokens } from '../text/tokeniser.ts'
import { isWord, superlativeTerm } from '../text/type-terms.ts'
import type { Superlative } from './reading.ts'
import { joinedTerms } from './respacing.ts'
import { ENOUGH } from './tiers.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A term to which a query word expands. */
export interface Expansion {
  readonly term: string
  /** For a multi-word synonym, the other terms that a document must also contain. The smallest impact counts. */
  readonly and?: readonly string[]
  /** For a superlative, the only documents that contain it, best first. */
  readonly held?: readonly DocumentKey[]
  /** Factor applied to impacts: 1, or less for inexact matches such as corrected spellings. */
  readonly boost: number
}

/** Expansions of each query word. */
export type Expansions = readonly (readonly Expansion[])[]

/** A query word with all its expansions. A document matches the clause if it contains any of them. */
export interface Clause {
  readonly expansions: readonly Expansion[]
  /** Weight per unit of impact. Rarer words weigh more. */
  readonly weight: number
}

/** A distinct word of the query. */
export interface QueryWord {
  readonly token: Token
  /** The word's own term, then the terms of the word joined with its neighbors. */
  readonly terms: readonly string[]
  /** Synonyms, each given as the terms of a word or phrase. */
  readonly synonyms: readonly (readonly string[])[]
  /** Documents that hold the word as a superlative, best first. */
  readonly held?: readonly DocumentKey[]
  /** Set for the last word of the query, which may be unfinished. */
  readonly last: boolean
  /** Set for a word that says what is sought: no function word (`function-words.ts`), or a quoted one. */
  readonly telling: boolean
}

/** Weight steps per unit of the logarithm. Weights are integers, so that scores do not depend on the order of summation. */
const WEIGHT_STEPS = 64

/** Returns the distinct words of a query, in order of first occurrence. */
export function queryWords(text: string, synonyms: Synonyms, superlative?: Superlative): QueryWord[] {
  const found = tokens(text)
  const functional = functionWords(found.map((token) => token.text))
  const quoted = new Set(quotesIn(text).flatMap((quote) => tokens(quote).map((token) => token.text)))
  const others = synonyms.of(found)
  const silent = functional.difference(
    new Set(found.flatMap(({ text }, at) => (others[at]?.length ? text : []))),
  )
  const telling = new Set(found.map((token) => token.text)).difference(silent)
  // Beside one other word, function words are no parts of words.
  const alone = telling.size === 1 ? silent : new Set<string>()
  const words = new Map<string, QueryWord>()
  for (const [at, token] of found.entries()) {
    const term = termOf(token)
    const terms = [term, ...joinedTerms(found, at, alone)]
    const known = words.get(term)
    const last = at === found.length - 1
    const meant = [...(known?.synonyms ?? []), ...(others[at] ?? [])]
    const isTelling = telling.has(token.text) || quoted.has(token.text)
    const held = superlative?.term === term ? { held: superlative.keys } : {}
    if (!known) words.set(term, { token, terms, synonyms: meant, last, telling: isTelling, ...held })
    else words.set(term, { ...known, synonyms: meant, ...(last && { token, last }) })
  }
  return [...words.values()]
}

/** Returns the words that tell what is sought. If there are none, these are all words. */
export function tellingAmong(words: readonly QueryWord[]): readonly QueryWord[] {
  const telling = words.filter((word) => word.telling)
  return telling.length > 0 ? telling : words
}

/** Returns the parts of a text in double quotes, but for those that begin after a digit and so may mean inches. */
function quotesIn(text: string): string[] {
  return [...text.matchAll(/(?<!\p{N})["“”„«»]([^"“”„«»]+)["“”„«»]/gu)].map(([, quote = '']) => quote)
}

/** Boost for a word joined with its neighbors, or for part of a word, so that an exact match ranks higher. */
const JOINED_BOOST = 0.9
/** Boost for a synonym relative to the word itself, so that an exact match ranks higher. */
const SYNONYM_BOOST = 0.8

/**
 * Returns a word's own terms and its synonyms, omitting terms that are not in the index and types of most documents. The last of several words also
 * expands to titles that begin with the whole query.
 */
export function exactExpansions(
  word: QueryWord,
  beginning: Beginning,
  vocabulary: Vocabulary,
  documents: number,
): Expansion[] {
  const own = word.terms
    .map((term, at) => ({ term, boost: at === 0 ? 1 : JOINED_BOOST }))
    .filter(({ term }) => vocabulary.count(term) > 0)
  const meant = word.synonyms
    .filter((phrase) => phrase.every((term) => vocabulary.count(term) > 0))
    .filter(([term = '']) => isWord(term) || isOfSome(term, vocabulary, documents))
    .map(([term = '', ...and]) => ({ term, ...(and.length > 0 && { and }), boost: SYNONYM_BOOST }))
  const held = word.held ? [{ term: superlativeTerm(word.terms[0]), held: word.held, boost: 1 }] : []
  const begun = word.last && beginning.hasLast ? beginning.expansions : []
  return [...own, ...meant, ...held, ...begun]
}

/** Reports whether a term is in some documents and in at most half of them, so that it tells them from the others. */
export function isOfSome(term: string, vocabulary: Vocabulary, documents: number): boolean {
  return vocabulary.count(term) > 0 && vocabulary.count(term) <= documents / 2
}

/** Reports whether the last query word may be the beginning of one: the query is unfinished, or no document holds the word. */
export function mayGoOn(
  { unfinished }: Pick<Query, 'unfinished'>,
  words: readonly QueryWord[],
  vocabulary: Vocabulary,
): boolean {
  const last = words.find((word) => word.last)
  return unfinished === true || (last !== undefined && vocabulary.count(termOf(last.token)) === 0)
}

/** Returns the terms that begin with the last query word, or an empty array for any other word. */
export function prefixExpansions({ token, last }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (!last || token.kind === TokenKind.gram) return []
  return vocabulary.withPrefix(token.text).map((term) => ({ term, boost: 1 }))
}

/** Terms for titles that begin with a query. */
export interface Beginning {
  readonly expansions: readonly Expansion[]
  /** Set if the query has several words and the terms cover all of it, including the last word, which may be unfinished. */
  readonly hasLast: boolean
}

/** Returns the index terms for titles that begin with a query of `words` words. */
export function beginningOf(text: string, words: number, vocabulary: Vocabulary): Beginning {
  const name = normalizedName(text)
  const expansions = vocabulary.withBeginning(name).map((term) => ({ term, boost: 1 }))
  return { expansions, hasLast: words > 1 && isWithinKey(name) }
}

/** Boost for a compound that ends with the query word. */
const ENDING_BOOST = 0.5

/** Returns the terms of compounds and codes that end with a word. */
export function endingExpansions({ token }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (token.kind === TokenKind.gram) return []
  return vocabulary.withEnding(token.text).map((term) => ({ term, boost: ENDING_BOOST }))
}

/** Returns the indexed single characters of a pair, as a fallback if the pair itself is not in the index. */
function singleExpansions({ token }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (token.kind !== TokenKind.gram) return []
  const characters = [...token.text].filter((character) => vocabulary.count(character) > 0)
  return characters.map((term) => ({ term, boost: 1 }))
}

/** For each word, returns its expansions from the first of `kinds` that has any. */
export function someExpansions(
  words: readonly QueryWord[],
  kinds: readonly Expansions[],
  vocabulary: Vocabulary,
): Expansions {
  return words.map((word, at) => {
    const found = kinds.find((each) => each[at]?.length)
    return found?.[at] ?? singleExpansions(word, vocabulary)
  })
}

/**
 * Returns the clause for a set of expansions. Duplicates count once, with the larger boost. `documents` is the number of
 * live documents, and `times` a factor applied to the weight.
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

/** Returns a key for an expansion. Expansions with equal keys occur in the same documents. */
export function keyOf({ term, and }: Expansion): string {
  return and ? `${term} ${and.join(' ')}` : term
}

/** Returns an upper bound on the number of live documents with an expansion: the count of its rarest term. */
export function mostHolding({ term, and = [], held }: Expansion, vocabulary: Vocabulary): number {
  return held?.length ?? Math.min(vocabulary.count(term), ...and.map((each) => vocabulary.count(each)))
}

/** Reports whether an expansion is in more than half of all documents and in more than `ENOUGH`. */
export function isCommon(expansion: Expansion, vocabulary: Vocabulary, documents: number): boolean {
  return mostHolding(expansion, vocabulary) > Math.max(ENOUGH, documents / 2)
}

/** Returns BM25's inverse document frequency in integer steps, at least 1 so that a word in every document still matches. */
export function weightOf(holding: number, documents: number): number {
  const rarity = Math.log(1 + (documents - holding + 0.5) / (holding + 0.5))
  return Math.max(1, Math.round(WEIGHT_STEPS * rarity))
}

/** Concatenates two lists of expansions, word by word. */
export function joined(left: Expansions, right: Expansions): Expansions {
  return left.map((each, at) => [...each, ...(right[at] ?? [])])
}
