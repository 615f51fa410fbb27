/** Says to a view whether the token may write a type. */
import { useOpenWorld } from '../parts/world-context.ts'
import { typeIn } from '../world/world-profile.ts'
import { accessTo } from './writes.ts'

/** Returns whether the token may write a type, and the schema of the type. False until the world has answered. */
export function useAccess(type: string): { mayWrite: boolean; schema: unknown } {
  const { world, profile } = useOpenWorld()
  const { isKnown, isUnknownToken, refused, schemas } = accessTo(world).value
  const mayWrite = isKnown && !isUnknownToken && !refused.has(type) && 'rawJSON' in JSON
  return { mayWrite, schema: schemas.get(type) ?? typeIn(profile, type).schema }
}
