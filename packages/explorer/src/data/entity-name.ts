/** The display name of an entity. */
import type { Entity } from '@worldwright/client'
import { isBlank } from '../text/visible.ts'

/** Returns the title of an entity, or its id if the title is missing or invisible. */
export function nameOf({ title, id }: Pick<Entity, 'title' | 'id'>): string {
  const named: unknown = title
  return typeof named === 'string' && !isBlank(named) ? named : String(id)
}
