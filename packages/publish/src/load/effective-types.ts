/** Types and their descriptions, as listed by a world with a definition. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import { describedTypes, listTypes } from '@worldwright/entities/types'
import type { WorldDefinition } from '../definition/definition.ts'
import { isOnlyLoaded, loadedSources } from './loaded-sources.ts'

/**
 * Returns the types that a world lists, in ascending order: those in its definition, with omitted details inferred
 * from the data, and every other type that its store has ever contained. Excludes types that the last load emptied and no
 * source names any longer. Only a load removes a type, and the world is then composed again.
 */
export async function effectiveTypes(
  { types, sources }: WorldDefinition,
  store: Store,
): Promise<EntityTypeDescription[]> {
  const named = new Set(sources.map(({ type }) => type))
  const loaded = await loadedSources(store)
  return listTypes(
    types,
    store,
    (type, state) =>
      state.count === 0 && !named.has(type) && loaded !== undefined && isOnlyLoaded(type, state, loaded),
  )
}

/** Returns the types described by a definition or named by its sources, in ascending order, without inferred types. */
export function declaredTypes({ types, sources }: WorldDefinition): EntityTypeDescription[] {
  return describedTypes(
    types,
    sources.flatMap(({ type = [] }) => type),
  )
}
