/** Lists the types of a world with their descriptions. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store, TypeState } from '@worldwright/core/store'
import { servedType } from './served-type.ts'
import type { TypeDefinition } from './type-definition.ts'
import { inferredTypes, titleFromType } from './type-inference.ts'

/**
 * Returns the types that a world lists, ascending: the defined ones, completed from the data if their author left something
 * out, and every other type of which the store has ever had an entity, except those that `isLeft` excludes.
 */
export async function listTypes(
  types: readonly TypeDefinition[],
  storage: Store,
  isLeft: (type: string, state: TypeState) => boolean = () => false,
): Promise<EntityTypeDescription[]> {
  const stored = [...(await storage.types())].filter(([type, state]) => !isLeft(type, state))
  return describedTypes(
    types,
    stored.map(([type]) => type),
    await inferredTypes(storage),
  )
}

/** Describes the defined types and the others, ascending, from the author's definition, `derived` and their names. */
export function describedTypes(
  types: readonly TypeDefinition[],
  others: readonly string[],
  derived: ReadonlyMap<string, EntityTypeDescription> = new Map(),
): EntityTypeDescription[] {
  // If the author gave no schema, the hints refer to the attributes found in the data.
  const defined = new Map(
    types.map((type) => [type.type, servedType({ ...derived.get(type.type), ...type })]),
  )
  return [...new Set([...defined.keys(), ...others])].sort().map((type) => ({
    type,
    title: titleFromType(type),
    schema: { type: 'object' },
    ...(defined.get(type) ?? derived.get(type)),
  }))
}
