import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'

/**
 * Returns the sorted types of a replica: those that its upstream lists, as described there, and any others with entities. An
 * upstream may hide types from some clients, or describe a new type slightly later.
 */
export async function followedTypes(
  listed: readonly EntityTypeDescription[],
  store: Store,
): Promise<EntityTypeDescription[]> {
  const names = new Set(listed.map(({ type }) => type))
  const others = [...(await store.types())]
    .filter(([type, { count }]) => count > 0 && !names.has(type))
    .map(([type]) => ({ type }))
  return [...listed, ...others].sort((left, right) => (left.type < right.type ? -1 : 1))
}
