/** Query expansions as maps. */

/** Boost factors by term, applied to the impacts of the term. */
export type Expansions = Map<string, number>

/** Returns the terms with a boost of 1. */
export function expansions(terms: readonly string[]): Expansions {
  return new Map(terms.map((term) => [term, 1]))
}

/** Merges two lists of expansions word by word, keeping the larger boost of each term. */
export function join(left: readonly Expansions[], right: readonly Expansions[]): Expansions[] {
  return left.map((each, at) => {
    const joined = new Map(each)
    for (const [term, boost] of right[at] ?? []) joined.set(term, Math.max(joined.get(term) ?? 0, boost))
    return joined
  })
}

/** Returns the characters of `text` in reverse order. */
export function reversed(text: string): string {
  return [...text].reverse().join('')
}

/** Compares texts by their UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
