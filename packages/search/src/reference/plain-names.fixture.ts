/** Naive search for names made of corrected words. Builds and sorts every combination of words. */
import { nameParts, withPart } from '../text/names.ts'
import type { Near } from './plain-spelling.fixture.ts'

/** Returns the names with their edit counts. `candidates` contains the spelling candidates of each word. */
export function plainNames(
  text: string,
  words: readonly string[],
  candidates: readonly (readonly Near[])[],
): Map<string, number> {
  let names = [{ name: '', edits: 0 }]
  for (const part of nameParts(text)) {
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
