/** Terms that words stand for, as maps. */

/** What the impacts of each term are multiplied by. */
export type Expansions = Map<string, number>

/** Terms that count in full. */
export function expansions(terms: readonly string[]): Expansions {
  return new Map(terms.map((term) => [term, 1]))
}

/** The terms of both, word by word, with their larger boosts. */
export function join(left: readonly Expansions[], right: readonly Expansions[]): Expansions[] {
  return left.map((each, at) => {
    const joined = new Map(each)
    for (const [term, boost] of right[at] ?? []) joined.set(term, Math.max(joined.get(term) ?? 0, boost))
    return joined
  })
}

/** A text from its last character to its first. */
export function reversed(text: string): string {
  return [...text].reverse().join('')
}

/** The order of texts by their UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
