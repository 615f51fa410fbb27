import type { JsonValue } from '@worldwright/client/protocol'

/** A column that contains ids of entities. */
export interface ReferenceColumn {
  readonly column: string
  readonly type: string
  readonly separator?: string
}

/** Returns the references named by a value, which is returned unchanged if it is neither text nor a number. */
export function referenceOf(value: JsonValue, type: string, separator: string | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((one) => referenceOf(one, type, undefined))
  if (typeof value !== 'string' && typeof value !== 'number') return value
  if (separator === undefined) return { type, id: String(value) }
  const ids = String(value)
    .split(separator)
    .map((one) => one.trim())
  return [...new Set(ids)].filter((id) => id !== '').map((id) => ({ type, id }))
}
