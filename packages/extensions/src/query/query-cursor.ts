/** Query cursors, which contain the last entity's sort values and are bound to the query and its order. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { CursorScope } from '@worldwright/core'
import { type SortKey, sha256 } from '@worldwright/core/store'
import { QUERY_ACTION, type Question } from './read-input.ts'

/** Returns the cursor scope of a query, which covers everything that determines the result and its order. */
export function scopeOf(worldId: string, question: Question): CursorScope {
  const { types, text, similar, where } = question
  const asked = JSON.stringify([types, text ?? null, similar ?? null, where ?? null, orderOf(question)])
  return { worldId, type: [QUERY_ACTION, sha256(asked)] }
}

/** Returns the sort keys of a query. By default, a query with `text` or `similar` is sorted by relevance. */
export function orderOf({ sort, text, similar }: Question): readonly SortKey[] {
  const isRanked = text !== undefined || similar !== undefined
  return sort.length === 0 && isRanked ? [{ by: 'relevance' }] : sort
}

/** Reports whether the values in a cursor fit the query's sort keys. */
export function fitsOrder(question: Question, values: readonly JsonValue[]): boolean {
  const keys = orderOf(question)
  return values.length === keys.length && keys.every((key, index) => isValueOf(key, values[index]))
}

function isValueOf(key: SortKey, value: JsonValue | undefined): boolean {
  if (key.by === 'relevance' || key.by === 'sample') return typeof value === 'number'
  if (value === null) return true
  if (key.by === 'distance' || key.kind === 'number' || key.kind === 'instant')
    return typeof value === 'number'
  return typeof value === (key.kind === 'text' ? 'string' : 'boolean')
}
