/** Nested members as columns. `name.common` is the member `common` of the member `name`. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { ENTITY_MEMBERS } from '@worldwright/entities'

/** Returns the attributes of a record in the form of a served entity, which has only members that entities have. */
export function servedAttributes(record: JsonObject): JsonObject | undefined {
  const { attributes } = record
  return isObject(attributes) && Object.keys(record).every((name) => ENTITY_MEMBERS.has(name))
    ? attributes
    : undefined
}

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

/** Returns the text of a record's own member `type`, or undefined if it has none. */
export function typeIn(record: unknown): string | undefined {
  const type = isObject(record) && Object.hasOwn(record, 'type') ? record['type'] : undefined
  return typeof type === 'string' ? type : undefined
}
