/** A plain version of synonyms: every rule is tested at every position of a query. */
import { stem } from '../text/stem.ts'
import type { SynonymRule } from '../text/synonyms.ts'
import { TokenKind, tokens } from '../text/tokeniser.ts'
import type { Expansions } from './expansions.fixture.ts'

/** Returns, by term of the query, its synonyms, each as all its terms with spaces between. */
export function plainSynonyms(text: string, rules: readonly SynonymRule[]): Map<string, Set<string>> {
  const question = termsOf(text)
  const found = new Map<string, Set<string>>()
  for (const { from, to } of rules) {
    for (const phrase of from.map(termsOf)) {
      const others = to.map((other) => termsOf(other).join(' ')).filter((other) => other !== phrase.join(' '))
      for (let at = 0; at + phrase.length <= question.length; at++) {
        if (question.slice(at, at + phrase.length).join(' ') !== phrase.join(' ')) continue
        for (const term of phrase) found.set(term, new Set([...(found.get(term) ?? []), ...others]))
      }
    }
  }
  return found
}

/** Returns expansions with those synonyms of which documents hold every term, with a boost of four fifths. */
export function withSynonyms(
  own: Expansions,
  synonyms: ReadonlySet<string> | undefined,
  count: (term: string) => number,
): Expansions {
  const all = new Map(own)
  for (const phrase of synonyms ?? [])
    if (phrase.split(' ').every((term) => count(term) > 0)) all.set(phrase, own.get(phrase) ?? 0.8)
  return all
}

/** Returns the terms of a text, in order. */
function termsOf(text: string): string[] {
  return tokens(text).map(({ kind, text: word }) => (kind === TokenKind.word ? stem(word) : word))
}
