/** Nested members as columns. `name.common` is the member `common` of the member `name`. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'

/**
 * Returns the value of a column, or undefined if there is none. A member with exactly that name takes precedence over a
 * nested one. List elements are named by their index from 0.
 */
export function memberAt(record: JsonObject, column: string): JsonValue | undefined {
  if (Object.hasOwn(record, column)) return record[column]
  if (!column.includes('.')) return undefined
  let value: JsonValue | undefined = record
  for (const step of column.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as JsonObject)[step]
  }
  return value
}
