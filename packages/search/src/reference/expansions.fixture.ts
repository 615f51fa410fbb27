/** Terms that words stand for, as maps. */

/** Factor of the impacts of each term. */
export type Expansions = Map<string, number>

/** Returns terms that count in full. */
export function expansions(terms: readonly string[]): Expansions {
  return new Map(terms.map((term) => [term, 1]))
}

/** Joins the terms of both, word by word, with their larger boosts. */
export function join(left: readonly Expansions[], right: readonly Expansions[]): Expansions[] {
  return left.map((each, at) => {
    const joined = new Map(each)
    for (const [term, boost] of right[at] ?? []) joined.set(term, Math.max(joined.get(term) ?? 0, boost))
    return joined
  })
}

/** Returns a text from its last character to its first. */
export function reversed(text: string): string {
  return [...text].reverse().join('')
}

/** Compares texts by their UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
