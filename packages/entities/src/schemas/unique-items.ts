/** Implements the keyword `uniqueItems` in a single pass, since comparing all pairs of items could block. */
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import type { FuncKeywordDefinition } from 'ajv/dist/2020.js'

/** Replacement for Ajv's own `uniqueItems`. Accepts exactly the same arrays. */
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

/** JSON replacer that sorts the members of objects, so that the order of members makes no difference. */
function membersInOrder(_key: string, value: JsonValue): JsonValue {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
