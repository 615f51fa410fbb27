/** Property names in queries: `orbits`, `address.city`, `['odd.name', 'city']`. */
import type { JsonValue } from '@worldwright/client/protocol'
import { isJoined, type OwnPath, type PropertyPath } from '@worldwright/core/store'

/** Property name in JSON: names separated by dots or, if a name contains a dot, a list of names. */
export type PropertyName = string | string[]

const MEMBERS = ['attributes', 'type', 'id', 'title', 'createdAt', 'updatedAt'] as const
const MAX_NAMES = 16

/**
 * Parses a property name to a path. Returns undefined if it is invalid. The names of members that every entity has, such as
 * `title`, refer to those members. An attribute with such a name is written as `attributes.title`.
 */
export function pathFromProperty(value: JsonValue | undefined): OwnPath | undefined {
  const names = typeof value === 'string' ? value.split('.') : value
  if (!Array.isArray(names) || names.length > MAX_NAMES || !names.every(isName)) return undefined
  const [first, second, ...others] = names
  if (first === undefined) return undefined
  if (second === undefined) return MEMBERS.find((member) => member === first) ?? [first]
  return first === 'attributes' ? [second, ...others] : [first, second, ...others]
}

/** Formats a path as a JSON property name. */
export function propertyFromPath(path: PropertyPath): PropertyName {
  const names = isJoined(path) ? [...path.reference, ...namesOf(path.property)] : namesOf(path)
  return names.some((name) => name.includes('.')) ? [...names] : names.join('.')
}

function namesOf(path: OwnPath): readonly string[] {
  if (typeof path === 'string') return [path]
  const isPrefixed = path[0] === 'attributes' || (path.length === 1 && isMember(path[0]))
  return isPrefixed ? ['attributes', ...path] : path
}

/** Returns a map key for a path. */
export function keyOfPath(path: PropertyPath): string {
  return JSON.stringify(path)
}

/** Formats a path for messages. */
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
