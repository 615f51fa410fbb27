/** A plain version of the names that corrected words give: all of them are made, and sorted. */
import { nameParts, withPart } from '../text/names.ts'
import type { Near } from './plain-spelling.fixture.ts'

/** The names with how many edits each takes. `candidates`: of each of the words. */
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
  // The first of a name has the fewest edits.
  return new Map(names.reverse().map(({ name, edits }) => [name, edits]))
}
