import { isWord } from '../text/type-terms.ts'
import { type Expansion, type Expansions, keyOf } from './clauses.ts'

/** Distinct expansions of the query words that were searched for. */
export class Matched {
  readonly #expansions = new Map<string, Expansion>()

  /** Adds the expansions of all words. */
  note(expansions: Expansions): void {
    for (const expansion of expansions.flat())
      if (isWord(expansion.term)) this.#expansions.set(keyOf(expansion), expansion)
  }

  /** Returns all distinct expansions added so far. */
  expansions(): readonly Expansion[] {
    return [...this.#expansions.values()]
  }

  /** Returns the terms of expansions that occur, sorted. Common terms are omitted if there are rarer ones. */
  terms(occurs: (expansion: Expansion) => boolean, isCommon: (expansion: Expansion) => boolean): string[] {
    const found = [...this.#expansions.values()].filter(occurs)
    const telling = found.filter((expansion) => !isCommon(expansion))
    const marked = telling.length > 0 ? telling : found
    return [...new Set(marked.flatMap(({ term, and = [] }) => [term, ...and]))].sort()
  }
}
