/** How much attributes count in searches, as a store keeps it: the index is built by it. */
import type { SearchWeights } from './contract.ts'

/** The metadata that holds it. */
export const WEIGHTS_KEY = 'search-weights'

/** Weights as a store keeps them: equal ones are equal texts; undefined where no attribute has one. */
export function textOfWeights(weights: SearchWeights): string | undefined {
  const types = sorted(weights)
    .map(([type, attributes]) => [type, Object.fromEntries(sorted(attributes))] as const)
    .filter(([, attributes]) => Object.keys(attributes).length > 0)
  return types.length > 0 ? JSON.stringify(Object.fromEntries(types)) : undefined
}

/** The weights that a text holds. */
export function weightsOfText(text: string | undefined): SearchWeights {
  return text === undefined ? {} : JSON.parse(text)
}

function sorted<T>(members: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(members).sort(([left], [right]) => (left < right ? -1 : 1))
}
