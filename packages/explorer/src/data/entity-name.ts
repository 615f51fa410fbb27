/** What an entity is called where it stands for itself. */
import type { Entity } from '@worldwright/client'
import { isBlank } from '../text/visible.ts'

/** The entity's title; its id where it has none, or one that would not be seen. */
export function nameOf({ title, id }: Pick<Entity, 'title' | 'id'>): string {
  const named: unknown = title
  return typeof named === 'string' && !isBlank(named) ? named : String(id)
}
