/** The keyword `uniqueItems` in time that grows with the list; comparing each item with each would block. */
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import type { FuncKeywordDefinition } from 'ajv/dist/2020.js'

/** Replaces Ajv's own keyword and accepts the same lists. */
export const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must not hold the same item twice' },
  validate: (wanted: boolean, items: readonly JsonValue[]) => !wanted || areUnique(items),
}

function areUnique(items: readonly JsonValue[]): boolean {
  const seen = new Set<string>()
  for (const item of items) seen.add(JSON.stringify(item, membersInOrder))
  return seen.size === items.length
}

/** Sorts the members of objects: their order has no meaning in JSON. */
function membersInOrder(_key: string, value: JsonValue): JsonValue {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
