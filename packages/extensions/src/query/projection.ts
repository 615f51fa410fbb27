/** Projections of entities: the values at a path, and entities reduced to some attributes. */
import { type Entity, isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'

/** Returns the values at a path of member names. Lists are flattened at each step. */
export function valuesAt(value: JsonValue, path: readonly string[]): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path))
  const [name, ...others] = path
  if (name === undefined) return [value]
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name] ?? null, others) : []
}

/** Returns an entity reduced to its type, id, title and the attributes at the given paths. */
export function projected(
  { type, id, title, attributes }: Entity,
  paths: readonly (readonly string[])[],
): Entity {
  const kept = picked(attributes, paths)
  return { type, id, ...(title !== undefined && { title }), attributes: isObject(kept) ? kept : {} }
}

/** Returns the parts of a value at the given paths, keeping its structure, or undefined if there are none. */
function picked(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue | undefined {
  if (paths.some((path) => path.length === 0)) return value
  if (Array.isArray(value)) {
    const elements = value.map((element) => picked(element, paths)).filter((element) => element !== undefined)
    return elements.length > 0 ? elements : undefined
  }
  if (!isObject(value)) return undefined
  const kept = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const further = paths.filter((path) => path[0] === name).map((path) => path.slice(1))
    const part = further.length > 0 ? picked(member, further) : undefined
    return part === undefined ? [] : [[name, part]]
  })
  // Unlike assignment, `Object.fromEntries` keeps a member named `__proto__`.
  return kept.length > 0 ? (Object.fromEntries(kept) as JsonObject) : undefined
}
