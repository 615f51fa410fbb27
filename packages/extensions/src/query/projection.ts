/** Parts of entities: the values at a path, and entities with some of their attributes alone. */
import { type Entity, isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'

/** The values that a path leads to: through objects, and in lists to every element. */
export function valuesAt(value: JsonValue, path: readonly string[]): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path))
  const [name, ...others] = path
  if (name === undefined) return [value]
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name] ?? null, others) : []
}

/** An entity with its type, id and title, and of its attributes those at the paths. */
export function projected(
  { type, id, title, attributes }: Entity,
  paths: readonly (readonly string[])[],
): Entity {
  const kept = picked(attributes, paths)
  return { type, id, ...(title !== undefined && { title }), attributes: isObject(kept) ? kept : {} }
}

/** What of a value lies at the paths, where it stands; undefined if nothing does. */
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
  // Not assigned one by one: a member called `__proto__` has to be one here, too.
  return kept.length > 0 ? (Object.fromEntries(kept) as JsonObject) : undefined
}
