/** Lists the types of a world with their descriptions. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store, TypeState } from '@worldwright/core/store'
import { servedType } from './served-type.ts'
import type { TypeDefinition } from './type-definition.ts'
import { inferredTypes, titleFromType } from './type-inference.ts'

/**
 * Returns the descriptions of the types that a world lists, in ascending order: the defined types, completed from the
 * data, and every other type that the store knows, except types for which `isLeft` returns true.
 */
export async function listTypes(
  types: readonly TypeDefinition[],
  store: Store,
  isLeft: (type: string, state: TypeState) => boolean = () => false,
): Promise<EntityTypeDescription[]> {
  const stored = [...(await store.types())].filter(([type, state]) => !isLeft(type, state))
  return describedTypes(
    types,
    stored.map(([type]) => type),
    await inferredTypes(store),
  )
}

/** Describes `types` and `others`, in ascending order. Completes each description from `derived` and the type name. */
export function describedTypes(
  types: readonly TypeDefinition[],
  others: readonly string[],
  derived: ReadonlyMap<string, EntityTypeDescription> = new Map(),
): EntityTypeDescription[] {
  // If a definition has no schema, its hints are added to the derived schema.
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
