/** Forgiving typing errors: the words of the index that a word may be a misspelling of. */

import type { TableIterator } from '../format/table.ts'
import { DistanceTable, otherFirstLetters, TOO_FAR } from './edit-distance.ts'
import type { SpellingCandidate, Vocabulary } from './vocabulary.ts'

/** One edit is forgiven from this many letters: with fewer, most words would be each other's errors. */
const ONE_EDIT_FROM = 4
/** Two edits are forgiven from this many letters. */
const TWO_EDITS_FROM = 8
/** The most candidates for a word: the nearest, then the most frequent. */
export const MAX_CANDIDATES = 32
/** The distance of a word with another first letter: an error there is so rare that it counts as one edit more. */
const OTHER_FIRST_LETTER = 2

/** How many edits a word of this many letters may be away from what was meant. */
export function editsAllowed(letters: number): number {
  return letters >= TWO_EDITS_FROM ? 2 : letters >= ONE_EDIT_FROM ? 1 : 0
}

/** The words that `word` may be a misspelling of, nearest first. Never `word` itself, never one with a digit. */
export function spellingCandidates(word: string, vocabulary: Vocabulary): readonly SpellingCandidate[] {
  const known = vocabulary.candidates.get(word) ?? foundCandidates(word, vocabulary)
  vocabulary.candidates.set(word, known)
  return known
}

function foundCandidates(word: string, vocabulary: Vocabulary): SpellingCandidate[] {
  const letters = [...word]
  const max = editsAllowed(letters.length)
  if (max === 0) return []
  const found = new Map<string, SpellingCandidate>()
  const distanceTo = distances(word, max)
  for (const [iterator, count] of vocabulary.entriesWithPrefix(Buffer.from(letters[0] as string))) {
    const distance = distanceTo(iterator)
    if (distance === TOO_FAR || count <= 0) continue
    const other = iterator.text()
    if (other !== word && count > (found.get(other)?.count ?? 0))
      found.set(other, { word: other, distance, count })
  }
  for (const other of otherFirstLetters(word)) {
    const count = vocabulary.countAsWritten(other)
    if (count > 0) found.set(other, { word: other, distance: OTHER_FIRST_LETTER, count })
  }
  return [...found.values()]
    .sort(
      (left, right) =>
        left.distance - right.distance || right.count - left.count || (left.word < right.word ? -1 : 1),
    )
    .slice(0, MAX_CANDIDATES)
}

/** A function that returns the distance of an iterator's key from `word`, for keys that come in order. */
function distances(word: string, max: number): (iterator: TableIterator) => number {
  return Buffer.byteLength(word) === word.length ? byteDistances(word, max) : letterDistances(word, max)
}

/** For words in ASCII: bytes are letters, and what a key shares with the one before need not be compared again. */
function byteDistances(word: string, max: number): (iterator: TableIterator) => number {
  const table = new DistanceTable(Buffer.from(word), max)
  const before = new Uint8Array(word.length + max)
  let length = 0
  return ({ key, keyLength }) => {
    if (keyLength > word.length + max || keyLength < word.length - max) return TOO_FAR
    let shared = 0
    while (shared < length && shared < keyLength && before[shared] === key[shared]) shared += 1
    length = shared
    for (; length < keyLength; length++) {
      const byte = key[length] as number
      // No candidate has digits or letters of another script. The table must still learn what is shared.
      if (byte < 0x41 || byte >= 0x80) return table.distance(before, 0, shared)
      before[length] = byte
    }
    return table.distance(before, length, shared)
  }
}

function letterDistances(word: string, max: number): (iterator: TableIterator) => number {
  const codesOf = (text: string) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
  const table = new DistanceTable(codesOf(word), max)
  return (iterator) => {
    const other = iterator.text()
    if (/\p{N}/u.test(other)) return TOO_FAR
    const codes = codesOf(other)
    return table.distance(codes, codes.length, 0)
  }
}
