/** Finds names of documents within a longer text, such as `what is known about NAME`. They affect the rank only. */
import { nameParts, nameTerm, withPart } from '../text/names.ts'
import { termOf } from '../text/synonyms.ts'
import { tokens } from '../text/tokeniser.ts'
import { isWord } from '../text/type-terms.ts'
import { type Expansion, isOfSome, type QueryWord } from './clauses.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Maximum number of words of a text in which names are sought. */
const MAX_WORDS = 16
/** Maximum number of words of a name. */
const MAX_NAME_WORDS = 8
/** Impact of a name per step of its `NameKind`, so that a title adds about two fifths of what its words add. */
const NAME_BOOST = 24

/** Run of words in a text that may be a name. */
export interface WordRun {
  /** Position of the first word, and of the one after the last. */
  readonly first: number
  readonly end: number
  /** Index term of the name. */
  readonly term: string
  /** Terms of the words. */
  readonly words: readonly string[]
}

/** Run of words that is a name of searched documents. */
export interface NameWithin extends WordRun {
  /** Number of searched documents with the name. */
  readonly holding: number
}

/** Returns the runs of words of which one tells what is sought. Words that no document holds are skipped. */
export function runsWithin(text: string, words: readonly QueryWord[], vocabulary: Vocabulary): WordRun[] {
  const all = nameParts(text)
  if (all.length > MAX_WORDS) return []
  const byTerm = new Map(words.map((word) => [word.terms[0], word]))
  const byText = new Map(tokens(text).map((token) => [token.text, byTerm.get(termOf(token))]))
  const parts = all
    .map((part) => ({ part, word: byText.get(part) }))
    .filter(({ word }) => !word || vocabulary.count(word.terms[0] ?? '') > 0)
  return parts.flatMap((_, first) => {
    let name = ''
    return parts.slice(first, first + MAX_NAME_WORDS).flatMap(({ part }, length) => {
      name = withPart(name, part)
      const end = first + length + 1
      const held = parts.slice(first, end).map(({ word }) => word)
      if (!held.some((word) => word?.telling)) return []
      return [
        {
          first,
          end,
          term: nameTerm(name),
          words: [...new Set(held)].flatMap((word) => word?.terms[0] ?? []),
        },
      ]
    })
  })
}

/** Returns the runs that are names of searched documents, of which there are `holding`, without those within a longer name. */
export function namesAmong(
  runs: readonly WordRun[],
  holding: (run: WordRun, at: number) => number,
): NameWithin[] {
  const names = runs
    .map((run, at) => ({ ...run, holding: holding(run, at) }))
    .filter((name) => name.holding > 0)
  return names.filter(
    (one) => !names.some((other) => other !== one && other.first <= one.first && other.end >= one.end),
  )
}

/** Returns the expansions of a name. If words of the query name types, only documents of these types match. */
export function nameExpansions(
  { term }: NameWithin,
  words: readonly QueryWord[],
  vocabulary: Vocabulary,
  documents: number,
): Expansion[] {
  const terms = words.flatMap(({ synonyms }) => synonyms.map(([first = '']) => first))
  const types = [...new Set(terms)].filter((type) => !isWord(type) && isOfSome(type, vocabulary, documents))
  if (types.length === 0) return [{ term, boost: NAME_BOOST }]
  return types.map((type) => ({ term, and: [type], boost: NAME_BOOST }))
}
