/** A plain version of the names that corrected words give: it makes all of them, and sorts. */
import { nameParts, withPart } from '../text/names.ts'
import type { Near } from './plain-spelling.fixture.ts'

/** Returns the names, each with its number of edits. `candidates`: of each of the words. */
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
