/** What of the index the words of a query stand for. */
import { isBeginning } from '../text/beginnings.ts'
import { type Expansion, type Expansions, keyOf } from './clauses.ts'

/** Expansions that were looked for, each once. */
export class Matched {
  readonly #expansions = new Map<string, Expansion>()

  /** Takes the expansions of all words. */
  note(expansions: Expansions): void {
    for (const expansion of expansions.flat())
      if (!isBeginning(expansion.term)) this.#expansions.set(keyOf(expansion), expansion)
  }

  /** All of them. */
  expansions(): readonly Expansion[] {
    return [...this.#expansions.values()]
  }

  /** The terms of those that occur, ascending. Common ones say nothing beside others: they are left out there. */
  terms(occurs: (expansion: Expansion) => boolean, isCommon: (expansion: Expansion) => boolean): string[] {
    const found = [...this.#expansions.values()].filter(occurs)
    const telling = found.filter((expansion) => !isCommon(expansion))
    const marked = telling.length > 0 ? telling : found
    return [...new Set(marked.flatMap(({ term, and = [] }) => [term, ...and]))].sort()
  }
}
