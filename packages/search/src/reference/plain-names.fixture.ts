/** Naive search for names: those made of corrected words, in every combination, and those within a text. */
import type { QueryWord } from '../read/clauses.ts'
import { nameParts, withPart } from '../text/names.ts'
import { termOf } from '../text/synonyms.ts'
import { tokens } from '../text/tokeniser.ts'
import type { Near } from './plain-spelling.fixture.ts'

/** Returns the names with their edit counts. `candidates` contains the spelling candidates of each word. */
export function plainNames(
  text: string,
  words: readonly string[],
  candidates: readonly (readonly Near[])[],
): Map<string, number> {
  const parts = nameParts(text)
  if (parts.length > 32) return new Map()
  let names = [{ name: '', edits: 0 }]
  for (const part of parts) {
    const choices = [{ word: part, distance: 0 }, ...(candidates[words.indexOf(part)] ?? [])]
    names = names
      .flatMap(({ name, edits }) =>
        choices.map(({ word, distance }) => ({ name: withPart(name, word), edits: edits + distance })),
      )
      .sort((left, right) => left.edits - right.edits)
      .slice(0, 256)
  }
  // The first occurrence of a name has the fewest edits.
  return new Map(names.reverse().map(({ name, edits }) => [name, edits]))
}

/** Returns the names in a text that are in no longer one, with the words of each. Skips words that no document contains. */
export function plainNamesWithin(
  text: string,
  words: readonly QueryWord[],
  count: (term: string) => number,
  isName: (name: string) => boolean,
): { readonly name: string; readonly words: readonly QueryWord[] }[] {
  const termsOf = new Map(tokens(text).map((token) => [token.text, termOf(token)]))
  const isUnknown = (part: string) => count(termsOf.get(part) ?? '') === 0 && termsOf.has(part)
  const all = nameParts(text)
  const parts = all.length > 16 ? [] : all.filter((part) => !isUnknown(part))
  const found: { first: number; end: number; name: string; words: QueryWord[] }[] = []
  for (let first = 0; first < parts.length; first++)
    for (let end = first + 1; end <= Math.min(parts.length, first + 8); end++) {
      const run = parts.slice(first, end)
      const name = run.reduce(withPart, '')
      const terms = run.map((part) => termsOf.get(part))
      const held = words.filter((word) => terms.includes(word.terms[0]))
      if (held.some(({ telling }) => telling) && isName(name)) found.push({ first, end, name, words: held })
    }
  const isWithin = (one: { first: number; end: number }, other: { first: number; end: number }) =>
    one !== other && one.first >= other.first && one.end <= other.end
  return found.filter((one) => !found.some((other) => isWithin(one, other)))
}
