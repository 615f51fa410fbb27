/** The types, with descriptions, that a world made from a definition lists. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import { describedTypes, listTypes } from '@worldwright/entities/types'
import type { WorldDefinition } from '../definition/definition.ts'
import { isOnlyLoaded, loadedSources } from './loaded-sources.ts'

/**
 * Returns the types a world lists, ascending: those of its definition, completed from the data where the definition is
 * silent, and every other type that its store has ever had an entity of, except those that the last load emptied and
 * no source names any more. Only a load removes a type, and after a load a world is composed again.
 */
export async function effectiveTypes(
  { types, sources }: WorldDefinition,
  storage: Store,
): Promise<EntityTypeDescription[]> {
  const named = new Set(sources.map(({ type }) => type))
  const loaded = await loadedSources(storage)
  return listTypes(
    types,
    storage,
    (type, state) =>
      state.count === 0 && !named.has(type) && loaded !== undefined && isOnlyLoaded(type, state, loaded),
  )
}

/** Returns the types that a definition describes, and those of its sources, ascending: none is inferred from data. */
export function declaredTypes({ types, sources }: WorldDefinition): EntityTypeDescription[] {
  return describedTypes(
    types,
    sources.flatMap(({ type = [] }) => type),
  )
}
