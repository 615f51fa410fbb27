/** What a list is sorted by, where no column shows it: how far an entity is, or when it came or changed. */
import type { Entity } from '@worldwright/client'
import { distanceKm } from '../data/distance.ts'
import { bodyOf, outlineOf, type Place, placeOf } from '../data/values.ts'
import { type Asked, sortKeyOf } from '../question/filters.ts'
import { digits, timeWords, unitText, words } from '../words/words.ts'
import { typeIn, type WorldProfile } from '../world/world-profile.ts'
import { useOpenWorld } from './world-context.ts'

/** What of a list's question says how it is sorted. */
export type Sorted = Pick<Asked, 'near' | 'sort'>

/** A column that a list has only while it is sorted by it. */
export type SortColumn = NonNullable<ReturnType<typeof sortColumnOf>>

/** The column of an order; undefined if the type's own columns show it, and for the order of ids. */
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
    /** Without the unit; undefined if the entity does not say. */
    textOf: (entity: Entity) => timeWords(String(entity[name]).slice(0, '2026-11-23'.length)),
  }
}

/** The value of that column, to stand behind a title where there are no columns; nothing where the entity does not say. */
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

/** In kilometres; undefined if the entity has no place, or its body's size is not known. */
function distanceText(entity: Entity, from: Place, schema: unknown): string | undefined {
  const to = placeOf(entity.attributes)
  const body = outlineOf(bodyOf(entity.attributes, schema))
  const distance = to && distanceKm(from, to, body)
  if (distance === undefined) return undefined
  return digits(distance < 10 ? Math.round(distance * 100) / 100 : Math.round(distance))
}
