/** Which types a world lists, and how it describes them. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Storage, TypeState } from '../../storage/contract.ts'
import type { TypeDefinition, WorldDefinition } from '../definition/definition.ts'
import { isOnlyLoaded, loadedSources } from '../load/loaded-sources.ts'
import { derivedTypes, titleFromType } from './derive-types.ts'
import { servedType } from './served-type.ts'

/**
 * The types a world lists, ascending: those of its definition, completed from the data where the definition says
 * nothing, and every other type that its store has ever had an entity of, but for those that the last load emptied and
 * no source names any more. Nothing but a load takes a type away, and after a load a world is composed again.
 */
export async function effectiveTypes(
  { types, sources }: WorldDefinition,
  storage: Storage,
): Promise<EntityTypeDescription[]> {
  const named = new Set(sources.map(({ type }) => type))
  const loaded = await loadedSources(storage)
  const isLeft = ([type, state]: readonly [string, TypeState]) =>
    state.count === 0 && !named.has(type) && loaded !== undefined && isOnlyLoaded(type, state, loaded)
  const stored = [...(await storage.versions())].filter((state) => !isLeft(state)).map(([type]) => type)
  return described(types, stored, await derivedTypes(storage))
}

/** The types that a definition describes, and those it names for its sources, ascending: nothing learned from data. */
export function declaredTypes({ types, sources }: WorldDefinition): EntityTypeDescription[] {
  return described(
    types,
    sources.flatMap(({ type = [] }) => type),
  )
}

function described(
  types: readonly TypeDefinition[],
  others: readonly string[],
  derived: ReadonlyMap<string, EntityTypeDescription> = new Map(),
): EntityTypeDescription[] {
  const defined = new Map(types.map((type) => [type.type, servedType(type)]))
  return [...new Set([...defined.keys(), ...others])].sort().map((type) => ({
    type,
    title: titleFromType(type),
    schema: { type: 'object' },
    ...derived.get(type),
    ...defined.get(type),
  }))
}
