/** Nested members as columns: `name.common` is the member `common` of the member `name`. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'

/**
 * Returns the value of a column; undefined if there is none. A member with exactly that name precedes a nested one; an
 * element of a list is named by its index, from 0.
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
