/** Which types a world lists, and how it describes them. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store, TypeState } from '@worldwright/core/store'
import { servedType } from './served-type.ts'
import type { TypeDefinition } from './type-definition.ts'
import { inferredTypes, titleFromType } from './type-inference.ts'

/**
 * The types a world lists, ascending: those that are defined, completed from the data where their author says nothing, and
 * every other type that the store has ever had an entity of, but for those that `isLeft` leaves out.
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

/** The defined types and the others, ascending, described as far as author, `derived` and their names do. */
export function describedTypes(
  types: readonly TypeDefinition[],
  others: readonly string[],
  derived: ReadonlyMap<string, EntityTypeDescription> = new Map(),
): EntityTypeDescription[] {
  // Hints of an author who gave no schema are about the attributes that the data have.
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
