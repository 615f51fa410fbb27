import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'

/**
 * Returns the types of a replica, ascending: those that its upstream lists, as described there, and any other with entities:
 * the upstream may hide types from some clients, or describe a new one a moment later.
 */
export async function followedTypes(
  listed: readonly EntityTypeDescription[],
  storage: Store,
): Promise<EntityTypeDescription[]> {
  const names = new Set(listed.map(({ type }) => type))
  const others = [...(await storage.types())]
    .filter(([type, { count }]) => count > 0 && !names.has(type))
    .map(([type]) => ({ type }))
  return [...listed, ...others].sort((left, right) => (left.type < right.type ? -1 : 1))
}
