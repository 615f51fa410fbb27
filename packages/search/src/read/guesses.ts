/** Guesses what words stand for if they are misspelt, or forms that the index does not hold. */
import { stem } from '../text/stem.ts'
import { TokenKind } from '../text/tokeniser.ts'
import { type Expansion, type Expansions, joined, type QueryWord } from './clauses.ts'
import { spellingCandidates } from './spelling.ts'
import type { SpellingCandidate, Vocabulary } from './vocabulary.ts'

/** Guesses for the words of a query. */
export interface Guesses {
  /** For each word, the words that it may be a misspelling of, best first. */
  readonly candidates: readonly (readonly SpellingCandidate[])[]
  readonly expansions: Expansions
}

/** Returns the guesses for words with these exact expansions; undefined if there are none. */
export function guessesFor(
  words: readonly QueryWord[],
  exact: Expansions,
  vocabulary: Vocabulary,
): Guesses | undefined {
  const isHeld = (at: number) => (exact[at]?.length ?? 0) > 0
  // Of several words, one that the index holds may still be an error: it does not fit the others.
  const candidates = words.map((word, at) =>
    words.length === 1 && isHeld(at) ? [] : candidatesFor(word, vocabulary),
  )
  const inflected = words.map((word, at) => (isHeld(at) ? [] : inflectedExpansions(word, vocabulary)))
  if ([...candidates, ...inflected].every((found) => found.length === 0)) return undefined
  const corrected = candidates.map((found) => candidateExpansions(found, vocabulary))
  return { candidates, expansions: joined(corrected, inflected) }
}

/** Boost of a spelling candidate, by its distance. */
const BOOST_BY_DISTANCE = [1, 0.5, 0.25]

/** Boost of a word that shares its beginning with another: it is a guess. */
const STEM_BOOST = 0.125

/** Returns the terms of words of which an unknown word may be another form. */
function inflectedExpansions({ token }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (token.kind !== TokenKind.word) return []
  return vocabulary.withStem(stem(token.text)).map((term) => ({ term, boost: STEM_BOOST }))
}

/** Returns the words that a word may be a misspelling of, best first. None for numbers and codes. */
function candidatesFor({ token }: QueryWord, vocabulary: Vocabulary): readonly SpellingCandidate[] {
  return token.kind === TokenKind.word ? spellingCandidates(token.text, vocabulary) : []
}

/** Returns the terms of spelling candidates. */
function candidateExpansions(candidates: readonly SpellingCandidate[], vocabulary: Vocabulary): Expansion[] {
  return candidates.flatMap(({ word, distance }) =>
    [...new Set([word, stem(word)])]
      .filter((term) => vocabulary.count(term) > 0)
      .map((term) => ({ term, boost: BOOST_BY_DISTANCE[distance] ?? 0 })),
  )
}
