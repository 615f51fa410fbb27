/** Entities with a location, grouped by the body on which they are. */
import type { Entity } from '@worldwright/client'
import { bodyOf, outlineOf, type Place, placeOf } from '@worldwright/extensions/shown'

/** An entity and its location on a body. */
export interface Placed {
  readonly entity: Entity
  readonly place: Place
}

/** Groups the entities that have a location by the name of their body, which is an empty string for the Earth. */
export function byBody(entities: readonly Entity[], schema: unknown): ReadonlyMap<string, readonly Placed[]> {
  const placed = entities.flatMap((entity) => {
    const place = placeOf(entity.attributes)
    return place === undefined ? [] : [{ entity, place }]
  })
  return Map.groupBy(placed, ({ entity }) => {
    const body = bodyOf(entity.attributes, schema)
    return outlineOf(body) === 'earth' ? '' : typeof body === 'string' ? body : (body?.id ?? '')
  })
}
