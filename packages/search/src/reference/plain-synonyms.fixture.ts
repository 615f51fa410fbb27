/** Naive synonym lookup, which tests every rule at every position of a query. */
import { stem } from '../text/stem.ts'
import type { SynonymRule } from '../text/synonyms.ts'
import { TokenKind, tokens } from '../text/tokeniser.ts'
import type { Dictionary } from './dictionary.fixture.ts'
import type { Expansions } from './expansions.fixture.ts'

/** Returns the synonyms of each query term. A synonym is given as its terms, separated by spaces. */
export function plainSynonyms(text: string, rules: readonly SynonymRule[]): Map<string, Set<string>> {
  const question = termsOf(text)
  const found = new Map<string, Set<string>>()
  for (const { from, to, type } of rules) {
    for (const phrase of from.map(termsOf)) {
      const phrases = to
        .map((other) => termsOf(other).join(' '))
        .filter((other) => other !== phrase.join(' '))
      const others = type === undefined ? phrases : [...phrases, `\u0004${type}`]
      for (let at = 0; at + phrase.length <= question.length; at++) {
        if (question.slice(at, at + phrase.length).join(' ') !== phrase.join(' ')) continue
        for (const term of phrase) found.set(term, new Set([...(found.get(term) ?? []), ...others]))
      }
    }
  }
  return found
}

/** Returns the expansions and, with a boost of 0.8, those synonyms whose terms all occur, types in at most half of all. */
export function withSynonyms(
  own: Expansions,
  synonyms: ReadonlySet<string> | undefined,
  { terms, documents }: Pick<Dictionary, 'terms' | 'documents'>,
): Expansions {
  const count = (term: string) => terms.get(term)?.length ?? 0
  const all = new Map(own)
  for (const phrase of synonyms ?? []) {
    const isOfMost = phrase.startsWith('\u0004') && count(phrase) > documents / 2
    if (phrase.split(' ').every((term) => count(term) > 0) && !isOfMost)
      all.set(phrase, own.get(phrase) ?? 0.8)
  }
  return all
}

/** Returns the terms of the types that a query names, if at most half of all documents are of the type. */
export function plainTypes(
  text: string,
  rules: readonly SynonymRule[],
  { terms, documents }: Pick<Dictionary, 'terms' | 'documents'>,
): string[] {
  const phrases = new Set([...plainSynonyms(text, rules).values()].flatMap((all) => [...all]))
  const count = (term: string) => terms.get(term)?.length ?? 0
  return [...phrases].filter(
    (term) => term.startsWith('\u0004') && count(term) > 0 && count(term) <= documents / 2,
  )
}

function termsOf(text: string): string[] {
  return tokens(text).map(({ kind, text: word }) => (kind === TokenKind.word ? stem(word) : word))
}
