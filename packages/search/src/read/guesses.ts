/** Guesses the intended words for misspellings and for word forms that are not in the index. */
import { stem } from '../text/stem.ts'
import { TokenKind } from '../text/tokeniser.ts'
import { type Expansion, type Expansions, joined, type QueryWord, tellingAmong } from './clauses.ts'
import { spellingCandidates } from './spelling.ts'
import type { SpellingCandidate, Vocabulary } from './vocabulary.ts'

/** Guesses for the words of a query. */
export interface Guesses {
  /** Spelling candidates of each word, best first. */
  readonly candidates: readonly (readonly SpellingCandidate[])[]
  readonly expansions: Expansions
}

/** Returns guesses for `words`, whose exact expansions are `exact`, or undefined if there are none. Function words have none. */
export function guessesFor(
  words: readonly QueryWord[],
  exact: Expansions,
  vocabulary: Vocabulary,
): Guesses | undefined {
  const isHeld = (at: number) => (exact[at]?.length ?? 0) > 0
  // Among several telling words, even an indexed word may be an error if it does not fit the others.
  const one = tellingAmong(words).length === 1
  const candidates = words.map((word, at) =>
    (one && isHeld(at)) || !word.telling ? [] : candidatesFor(word, vocabulary),
  )
  const inflected = words.map((word, at) =>
    isHeld(at) || !word.telling ? [] : inflectedExpansions(word, vocabulary),
  )
  if ([...candidates, ...inflected].every((found) => found.length === 0)) return undefined
  const corrected = candidates.map((found) => candidateExpansions(found, vocabulary))
  return { candidates, expansions: joined(corrected, inflected) }
}

/** Boost of a spelling candidate, by edit distance. */
const BOOST_BY_DISTANCE = [1, 0.5, 0.25]

/** Boost of a word that may be another form of the query word, low because it is a guess. */
const STEM_BOOST = 0.125

/** Returns the terms of words that may be other forms of an unknown query word. */
function inflectedExpansions({ token }: QueryWord, vocabulary: Vocabulary): Expansion[] {
  if (token.kind !== TokenKind.word) return []
  return vocabulary.withStem(stem(token.text)).map((term) => ({ term, boost: STEM_BOOST }))
}

/** Returns the spelling candidates of a word, best first, or an empty array for numbers and codes. */
function candidatesFor({ token }: QueryWord, vocabulary: Vocabulary): readonly SpellingCandidate[] {
  return token.kind === TokenKind.word ? spellingCandidates(token.text, vocabulary) : []
}

function candidateExpansions(candidates: readonly SpellingCandidate[], vocabulary: Vocabulary): Expansion[] {
  return candidates.flatMap(({ word, distance }) =>
    [...new Set([word, stem(word)])]
      .filter((term) => vocabulary.count(term) > 0)
      .map((term) => ({ term, boost: BOOST_BY_DISTANCE[distance] ?? 0 })),
  )
}
