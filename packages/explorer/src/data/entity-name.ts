/** The display name of an entity. */
import type { Entity } from '@worldwright/client'
import { interpretationOf } from '@worldwright/client/foreign'
import { member } from '@worldwright/extensions/shown'
import { isBlank } from '../text/visible.ts'

/** Returns the title of an entity, or its id if the title is missing or invisible. */
export function nameOf({ title, id }: Pick<Entity, 'title' | 'id'>): string {
  const named: unknown = title
  return typeof named === 'string' && !isBlank(named) ? named : String(id)
}

/** Returns the name of the attribute that is the title of an entity, as in JSON:API, or undefined if it has none. */
export function titleAttributeOf(entity: Entity): string | undefined {
  const name = interpretationOf(entity)?.found['title']?.path
  return name !== undefined && member(entity.attributes, name) === entity.title ? name : undefined
}
