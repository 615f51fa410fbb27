/** The name that an entity is displayed by. */
import type { Entity } from '@worldwright/client'
import { isBlank } from '../text/visible.ts'

/** Returns the entity's title; its id if it has no title, or one that would not be seen. */
export function nameOf({ title, id }: Pick<Entity, 'title' | 'id'>): string {
  const named: unknown = title
  return typeof named === 'string' && !isBlank(named) ? named : String(id)
}
