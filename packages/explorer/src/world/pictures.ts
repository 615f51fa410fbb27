/** Finds the picture of an entity. */
import type { Entity, JsonValue } from '@worldwright/client'
import { type Field, presentFields } from '@worldwright/extensions/shown'
import { type Picture, pictureFrom } from '../text/links.ts'
import { typeIn, type WorldProfile } from './world-profile.ts'

/** Returns the picture in the first field that is a picture or a list that begins with one. Undefined if there is none. */
export function pictureIn(
  fields: readonly (readonly [Field, JsonValue])[],
  origins: readonly string[],
): { field: Field; picture: Picture } | undefined {
  for (const [field, value] of fields) {
    const [first] = Array.isArray(value) ? value : [value]
    const picture =
      typeof first === 'string' ? pictureFrom(first, origins, field.format === 'picture') : undefined
    if (picture !== undefined) return { field, picture }
  }
  return undefined
}

/** Returns the picture of an entity, from any host, or undefined if it has none. */
export function pictureOf({ type, attributes }: Entity, profile: WorldProfile): Picture | undefined {
  return pictureIn(presentFields(attributes, typeIn(profile, type).schema), profile.origins)?.picture
}
