/** Properties as queries name them: `orbits`, `address.city`, `['odd.name', 'city']`. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { PropertyPath } from '@worldwright/core/store'

/** A property in JSON: names separated by points or, if a name contains a point, a list of names. */
export type PropertyName = string | readonly string[]

const MEMBERS = ['attributes', 'type', 'id', 'title', 'createdAt', 'updatedAt'] as const
const MAX_NAMES = 16

/**
 * Returns the path that a property names; undefined if it names none. A member of every entity takes precedence over an
 * attribute of the same name, which is spelt like `attributes.title`.
 */
export function pathFromProperty(value: JsonValue | undefined): PropertyPath | undefined {
  const names = typeof value === 'string' ? value.split('.') : value
  if (!Array.isArray(names) || names.length > MAX_NAMES || !names.every(isName)) return undefined
  const [first, second, ...others] = names
  if (first === undefined) return undefined
  if (second === undefined) return MEMBERS.find((member) => member === first) ?? [first]
  return first === 'attributes' ? [second, ...others] : [first, second, ...others]
}

/** Returns the JSON spelling of a path. */
export function propertyFromPath(path: PropertyPath): PropertyName {
  if (typeof path === 'string') return path
  const isPrefixed = path[0] === 'attributes' || (path.length === 1 && isMember(path[0]))
  const names = isPrefixed ? ['attributes', ...path] : path
  return names.some((name) => name.includes('.')) ? names : names.join('.')
}

/** Returns a path as the key of a map. */
export function keyOfPath(path: PropertyPath): string {
  return JSON.stringify(path)
}

/** Returns a path as it is shown in messages. */
export function shownPath(path: PropertyPath): string {
  const property = propertyFromPath(path)
  return typeof property === 'string' ? property : JSON.stringify(property)
}

function isName(value: JsonValue): value is string {
  return typeof value === 'string' && value !== '' && value.isWellFormed()
}

function isMember(name: string): boolean {
  return MEMBERS.some((member) => member === name)
}
