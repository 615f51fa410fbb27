import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Storage } from '../storage/contract.ts'

/**
 * The types of a copy, ascending: those that its owner lists, as it describes them, and any other that has entities: the
 * owner may not name every type to everybody, or a new one is described a moment later.
 */
export async function followedTypes(
  listed: readonly EntityTypeDescription[],
  storage: Storage,
): Promise<EntityTypeDescription[]> {
  const names = new Set(listed.map(({ type }) => type))
  const others = [...(await storage.versions())]
    .filter(([type, { count }]) => count > 0 && !names.has(type))
    .map(([type]) => ({ type }))
  return [...listed, ...others].sort((left, right) => (left.type < right.type ? -1 : 1))
}
