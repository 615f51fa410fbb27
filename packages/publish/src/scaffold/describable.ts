/** Extracts the part of an inferred schema that a definition can express. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'

/** The only name that a definition cannot describe as a property. See `isDescribable` for columns. */
const UNDESCRIBABLE = '__proto__'

/** Returns the schema without `__proto__` properties at any depth. They remain allowed, like any unnamed member. */
export function describable(schema: JsonObject): JsonObject {
  const { properties, required, items } = schema
  const names = Array.isArray(required) ? required.filter((name) => name !== UNDESCRIBABLE) : []
  const { required: _, ...rest } = schema
  return {
    ...rest,
    ...(isObject(properties) && { properties: describableProperties(properties) }),
    ...(names.length > 0 && { required: names }),
    ...(isObject(items) && { items: describable(items) }),
  }
}

/** Returns an array with one note if a schema describes more than a definition can, or else an empty array. */
export function saidOfUndescribable(schema: JsonObject): string[] {
  if (JSON.stringify(describable(schema)) === JSON.stringify(schema)) return []
  return [`${UNDESCRIBABLE} is kept as it is: a schema cannot name it, so nothing is said of it there.`]
}

function describableProperties(properties: JsonObject): JsonObject {
  const known = Object.entries(properties).filter(([name]) => name !== UNDESCRIBABLE)
  return Object.fromEntries(
    known.map(([name, property]): [string, JsonValue] => [
      name,
      isObject(property) ? describable(property) : property,
    ]),
  )
}
