/** Properties as questions name them: `orbits`, `address.city`, `['odd.name', 'city']`. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { PropertyPath } from '@worldwright/core/store'

/** A property in JSON: names with points between, or where a name has a point in it, a list of names. */
export type PropertyName = string | readonly string[]

const MEMBERS = ['attributes', 'type', 'id', 'title', 'createdAt', 'updatedAt'] as const
const MAX_NAMES = 16

/**
 * The path that a property names; undefined for what names none. A member of every entity comes before an attribute of
 * the same name, which `attributes.title` names.
 */
export function pathFromProperty(value: JsonValue | undefined): PropertyPath | undefined {
  const names = typeof value === 'string' ? value.split('.') : value
  if (!Array.isArray(names) || names.length > MAX_NAMES || !names.every(isName)) return undefined
  const [first, second, ...others] = names
  if (first === undefined) return undefined
  if (second === undefined) return MEMBERS.find((member) => member === first) ?? [first]
  return first === 'attributes' ? [second, ...others] : [first, second, ...others]
}

/** How a path is spelt in JSON. */
export function propertyFromPath(path: PropertyPath): PropertyName {
  if (typeof path === 'string') return path
  const isPrefixed = path[0] === 'attributes' || (path.length === 1 && isMember(path[0]))
  const names = isPrefixed ? ['attributes', ...path] : path
  return names.some((name) => name.includes('.')) ? names : names.join('.')
}

/** A path as the key of a map. */
export function keyOfPath(path: PropertyPath): string {
  return JSON.stringify(path)
}

/** A path as a sentence shows it. */
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
