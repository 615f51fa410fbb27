/** Value by which an entity is sorted if the list has no column for it: a distance, or the time of creation or change. */
import type { Entity } from '@worldwright/client'
import { bodyOf, outlineOf, type Place, placeOf } from '@worldwright/extensions/shown'
import { type Asked, sortKeyOf } from '@worldwright/extensions/views'
import { distanceKm } from '../data/distance.ts'
import { digits, timeWords, unitText, words } from '../words/words.ts'
import { typeIn, type WorldProfile } from '../world/world-profile.ts'
import { useOpenWorld } from './world-context.ts'

/** Members of a list query that determine its sort order. */
export type Sorted = Pick<Asked, 'near' | 'sort'>

/** Column that is shown only while the list is sorted by it. */
export type SortColumn = NonNullable<ReturnType<typeof sortColumnOf>>

/** Returns the extra column for a sort order. Undefined if the list is sorted by id or by a property. */
export function sortColumnOf({ near, sort }: Sorted, profile: WorldProfile) {
  const { ask, entity: w } = words.value
  if (near !== undefined) {
    const textOf = (entity: Entity) => distanceText(entity, near.place, typeIn(profile, entity.type).schema)
    return { label: ask.distance, unit: unitText('km'), direction: 'ascending' as const, textOf }
  }
  const name = sortKeyOf({ sort })
  if (name !== 'createdAt' && name !== 'updatedAt') return undefined
  return {
    label: name === 'createdAt' ? w.created : w.updated,
    unit: undefined,
    direction: sort === name ? ('ascending' as const) : ('descending' as const),
    /** Formats the value of an entity without its unit. Returns undefined if the entity has no value. */
    textOf: (entity: Entity) => timeWords(String(entity[name]).slice(0, '2026-11-23'.length)),
  }
}

/** Value of the extra column, for layouts without columns. Renders nothing if the entity has no such value. */
export function SortValue({ entity, asked }: { entity: Entity; asked: Sorted }) {
  const column = sortColumnOf(asked, useOpenWorld().profile)
  const text = column?.textOf(entity)
  if (column === undefined || text === undefined) return null
  return (
    <span class="sort-value soft">
      {column.unit === undefined ? `${column.label} ${text}` : `${text} ${column.unit}`}
    </span>
  )
}

/** Formats a distance in kilometres. Returns undefined if the location or the radius of the body is unknown. */
function distanceText(entity: Entity, from: Place, schema: unknown): string | undefined {
  const to = placeOf(entity.attributes)
  const body = outlineOf(bodyOf(entity.attributes, schema))
  const distance = to && distanceKm(from, to, body)
  if (distance === undefined) return undefined
  return digits(distance < 10 ? Math.round(distance * 100) / 100 : Math.round(distance))
}
