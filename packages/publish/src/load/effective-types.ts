/** Which types a world lists that is made from a definition, and how it describes them. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import { describedTypes, listTypes } from '@worldwright/entities/types'
import type { WorldDefinition } from '../definition/definition.ts'
import { isOnlyLoaded, loadedSources } from './loaded-sources.ts'

/**
 * The types a world lists, ascending: those of its definition, completed from the data where the definition says
 * nothing, and every other type that its store has ever had an entity of, but for those that the last load emptied and
 * no source names any more. Nothing but a load takes a type away, and after a load a world is composed again.
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

/** The types that a definition describes, and those it names for its sources, ascending: nothing learned from data. */
export function declaredTypes({ types, sources }: WorldDefinition): EntityTypeDescription[] {
  return describedTypes(
    types,
    sources.flatMap(({ type = [] }) => type),
  )
}
