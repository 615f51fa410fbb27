/** How much attributes count in searches, as a definition says. */
import type { SearchWeights } from '@worldwright/server/storage'
import type { WorldDefinition } from './definition.ts'

/** The weights of a definition's types, as `Storage.setSearchWeights` takes them. */
export function searchWeights({ types }: WorldDefinition): SearchWeights {
  return Object.fromEntries(types.map(({ type, search = {} }) => [type, search]))
}
