/** Which types a world lists, and how it describes them. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { Storage, TypeState } from '../../storage/contract.ts'
import type { WorldDefinition } from '../definition/definition.ts'
import { isOnlyLoaded, loadedSources } from '../load/loaded-sources.ts'
import { derivedTypes, titleFromType } from './derive-types.ts'
import { servedType } from './served-type.ts'

/**
 * The types a world lists, ascending: those of its definition, completed from the data where the definition says
 * nothing, and every other type that its store has ever had an entity of, but for those that the last load emptied and
 * no source names any more. Nothing but a load takes a type away, and after a load a world is composed again.
 */
export async function effectiveTypes(
  definition: WorldDefinition,
  storage: Storage,
): Promise<EntityTypeDescription[]> {
  const derived = await derivedTypes(storage)
  const defined = new Map(definition.types.map((type) => [type.type, servedType(type)]))
  const named = new Set(definition.sources.map(({ type }) => type))
  const loaded = await loadedSources(storage)
  const left = ([type, state]: readonly [string, TypeState]) =>
    state.count === 0 && !named.has(type) && loaded !== undefined && isOnlyLoaded(type, state, loaded)
  const stored = [...(await storage.versions())].filter((state) => !left(state)).map(([type]) => type)
  return [...new Set([...defined.keys(), ...stored])].sort().map((type) => ({
    type,
    title: titleFromType(type),
    schema: { type: 'object' } as JsonObject,
    ...derived.get(type),
    ...defined.get(type),
  }))
}
