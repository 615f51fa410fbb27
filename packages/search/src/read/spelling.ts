/** Forgives typing errors: finds the words of the index that a word may be a misspelling of. */

import { otherFirstLetters } from './edit-distance.ts'
import type { SpellingCandidate, Vocabulary } from './vocabulary.ts'

/** Minimum letters for one edit to be forgiven: with fewer, most words would be each other's errors. */
const ONE_EDIT_FROM = 3
/** Minimum letters for two edits to be forgiven. */
const TWO_EDITS_FROM = 6
/** Maximum candidates for a word: the nearest, then the most frequent. */
const MAX_CANDIDATES = 32
/** Distance of a word with another first letter: an error there is so rare that it counts as one edit more. */
const OTHER_FIRST_LETTER = 2

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
const ASCII = /^[\u0000-\u007f]*$/
/** Possible candidates for a word of ASCII, and for any other word. */
const ENGLISH = /^[a-z]+$/i
const WITHOUT_DIGITS = /^\P{N}+$/u

/** Returns how many edits a word of this many letters may be away from the intended one. */
function editsAllowed(letters: number): number {
  return letters >= TWO_EDITS_FROM ? 2 : letters >= ONE_EDIT_FROM ? 1 : 0
}

/** Returns the words that `word` may be a misspelling of, nearest first. Never `word` itself, never one with a digit. */
export function spellingCandidates(word: string, vocabulary: Vocabulary): readonly SpellingCandidate[] {
  const known = vocabulary.candidates.get(word) ?? foundCandidates(word, vocabulary)
  vocabulary.candidates.set(word, known)
  return known
}

function foundCandidates(word: string, vocabulary: Vocabulary): SpellingCandidate[] {
  const max = editsAllowed([...word].length)
  if (max === 0) return []
  const isPossible = ASCII.test(word) ? ENGLISH : WITHOUT_DIGITS
  const found = vocabulary.near(word, max).filter((candidate) => isPossible.test(candidate.word))
  for (const other of otherFirstLetters(word)) {
    const count = vocabulary.countAsWritten(other)
    if (count > 0) found.push({ word: other, distance: OTHER_FIRST_LETTER, count })
  }
  return found
    .sort(
      (left, right) =>
        left.distance - right.distance || right.count - left.count || (left.word < right.word ? -1 : 1),
    )
    .slice(0, MAX_CANDIDATES)
}
