/** Finds the references in an entity's attributes, down to a maximum depth. */
import type { EntityRef, JsonValue } from '@worldwright/client'
import { isObject, referenceIn } from '@worldwright/extensions/shown'

/** A reference and the names of the members that lead to it. List elements add no name. */
export interface Outgoing {
  readonly names: readonly string[]
  readonly to: EntityRef
}

/** Maximum depth to which attributes are searched. Deeper references are rarely useful. */
const MOST_LEVELS = 8

/** Returns the references of an entity in data order. References repeated within a member are returned once. */
export function referencesOf(attributes: unknown): Outgoing[] {
  const found = new Map<string, Outgoing>()
  collect(attributes as JsonValue, [], 0, found)
  return [...found.values()]
}

function collect(
  value: JsonValue,
  names: readonly string[],
  level: number,
  found: Map<string, Outgoing>,
): void {
  if (level > MOST_LEVELS) return
  const to = level === 0 ? undefined : referenceIn(value)
  if (to !== undefined) {
    found.set(JSON.stringify([names, to.world, to.type, to.id]), { names, to })
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, names, level + 1, found)
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) collect(inner, [...names, name], level + 1, found)
  }
}
