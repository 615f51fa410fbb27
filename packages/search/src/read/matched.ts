/** Terms of the index that the words of a query stand for. */
import { isBeginning } from '../text/beginnings.ts'
import { type Expansion, type Expansions, keyOf } from './clauses.ts'

/** Expansions that were searched for, each once. */
export class Matched {
  readonly #expansions = new Map<string, Expansion>()

  /** Adds the expansions of all words. */
  note(expansions: Expansions): void {
    for (const expansion of expansions.flat())
      if (!isBeginning(expansion.term)) this.#expansions.set(keyOf(expansion), expansion)
  }

  /** Returns all expansions that were added. */
  expansions(): readonly Expansion[] {
    return [...this.#expansions.values()]
  }

  /** Returns the terms of the expansions that occur, ascending. Common ones are left out if there are others. */
  terms(occurs: (expansion: Expansion) => boolean, isCommon: (expansion: Expansion) => boolean): string[] {
    const found = [...this.#expansions.values()].filter(occurs)
    const telling = found.filter((expansion) => !isCommon(expansion))
    const marked = telling.length > 0 ? telling : found
    return [...new Set(marked.flatMap(({ term, and = [] }) => [term, ...and]))].sort()
  }
}
