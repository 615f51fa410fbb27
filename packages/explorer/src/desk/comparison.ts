/** Rows of a comparison: the attributes of entities, which may be of different types, beside each other. */
import type { Entity, JsonValue } from '@worldwright/client'
import { type Field, isNumber, isObject, presentFields } from '@worldwright/extensions/shown'

/** An attribute of the compared entities. */
export type Row = Readonly<ReturnType<typeof rowOf>>

/** A field and its value. Undefined if the entity has none, and null if it was not read. */
type Cell = readonly [Field, JsonValue] | undefined | null

/**
 * Returns a row for each attribute of any entity, in the order of their first occurrence, but lists last. Attributes share a
 * row if they have the same name, label and unit. Entities that were not read are undefined, and make no row different.
 */
export function rowsOf(
  entities: readonly (Entity | undefined)[],
  schemaOf: (type: string) => unknown,
): Row[] {
  const rows = new Map<string, Cell[]>()
  for (const [at, entity] of entities.entries()) {
    for (const cell of presentFields(entity?.attributes, entity && schemaOf(entity.type))) {
      const key = JSON.stringify([cell[0].name, cell[0].label, cell[0].unit])
      const cells = rows.get(key) ?? entities.map((one) => (one ? undefined : null))
      rows.set(key, cells.with(at, cell))
    }
  }
  return [...rows]
    .map(([key, cells]) => rowOf(key, cells))
    .toSorted((a, b) => Number(a.isList) - Number(b.isList))
}

function rowOf(key: string, cells: readonly Cell[]) {
  const present = cells.filter((cell) => cell != null)
  const texts = new Set(cells.flatMap((cell) => (cell === null ? [] : [textOf(cell?.[1])])))
  const isAmount = present.every(([field, value]) => field.isGrouped && isNumber(value) && value >= 0)
  const most = isAmount && present.length > 1 ? Math.max(...present.map(([, value]) => Number(value))) : 0
  const isList = present.some(([, value]) => Array.isArray(value))
  /** `most` is the greatest of two or more amounts, which bars compare, and 0 for other values. */
  return { key, label: present[0]?.[0].label ?? '', cells, isDifferent: texts.size > 1, most, isList }
}

/** Returns the JSON of a value with the members of objects in order, so that equal values have equal texts. */
function textOf(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted()) : inner,
  )
}
