import { otherFirstLetters } from './edit-distance.ts'
import type { SpellingCandidate, Vocabulary } from './vocabulary.ts'

/** Minimum word length, in letters, for one edit to be allowed. Shorter words are nearly all one edit from each other. */
const ONE_EDIT_FROM = 3
/** Minimum word length, in letters, for two edits to be allowed. */
const TWO_EDITS_FROM = 6
/** Maximum number of candidates per word, chosen by distance and then by frequency. */
const MAX_CANDIDATES = 32
/** Distance of a word with a different first letter. Such errors are rare, so they count as an extra edit. */
const OTHER_FIRST_LETTER = 2

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
const ASCII = /^[\u0000-\u007f]*$/
/** Patterns that candidates must match, the first for an ASCII word and the second for any other word. */
const ENGLISH = /^[a-z]+$/i
const WITHOUT_DIGITS = /^\P{N}+$/u

/** Returns the number of edits allowed for a word of this many letters. */
function editsAllowed(letters: number): number {
  return letters >= TWO_EDITS_FROM ? 2 : letters >= ONE_EDIT_FROM ? 1 : 0
}

/** Returns the spelling candidates of `word`, nearest first, excluding `word` itself and words with digits. */
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
