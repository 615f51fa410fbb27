/** Names of properties in addresses: the name used in queries, or a path of names as a JSON array. */
import type { JsonValue } from '@worldwright/client/protocol'

/** Converts a key to the property name or path used in queries. */
export function propertyOf(key: string): JsonValue {
  if (!key.startsWith('[')) return key
  try {
    const names: unknown = JSON.parse(key)
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : key
  } catch {
    return key
  }
}

/** Returns the path of member names that a key represents, outermost first. */
export function namesOf(key: string): string[] {
  const property = propertyOf(key)
  return Array.isArray(property) ? property.map(String) : key.split('.')
}

/** Converts a property name or path in a query to its key. Returns undefined for any other value. */
export function keyOf(property: unknown): string | undefined {
  if (typeof property === 'string') return property
  return Array.isArray(property) ? JSON.stringify(property) : undefined
}
