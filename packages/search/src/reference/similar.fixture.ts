/** Naive similarity search, which scores every document that shares one of the example's weightiest terms. */
import type { DocumentKey, SearchDocument } from '../port/document.ts'
import { dictionaryOf } from './dictionary.fixture.ts'
import { compareText } from './expansions.fixture.ts'
import { analyse } from './plain-analysis.fixture.ts'
import type { Scores } from './plain-query.fixture.ts'

/** Returns each document's similarity to the one with this key. Undefined for that document and for unrelated ones. */
export function plainlySimilar(all: readonly SearchDocument[], { type, id }: DocumentKey): Scores {
  const indexed = all.map((document) => ({ document, ...analyse(document) }))
  const example = indexed.find(({ document }) => document.type === type && document.id === id)
  if (!example) return all.map(() => undefined)
  const { terms } = dictionaryOf(indexed)
  const heldBy = (term: string) => terms.get(term)?.length ?? 0
  const rarity = (term: string) =>
    Math.max(1, Math.round(64 * Math.log(1 + (all.length - heldBy(term) + 0.5) / (heldBy(term) + 0.5))))
  const weights = [...example.impacts]
    .filter(([term]) => heldBy(term) > 1 && term > '\u0005')
    .map(([term, impact]) => ({ term, impact, weight: rarity(term) * impact }))
    .sort(
      (left, right) =>
        right.weight - left.weight || right.impact - left.impact || compareText(left.term, right.term),
    )
    .slice(0, 25)
    .map(({ term, weight }) => ({ term, weight: Math.max(1, Math.round(weight / 255)) }))
  return indexed.map((each) => {
    const shared = weights.filter(({ term }) => each.impacts.has(term))
    if (each === example || shared.length === 0) return undefined
    return shared.reduce((sum, { term, weight }) => sum + weight * (each.impacts.get(term) ?? 0), 0)
  })
}
