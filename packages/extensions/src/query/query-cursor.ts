/** Cursors of questions: the place of the last entity in the order, bound to what was asked and how it is ordered. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { CursorScope } from '@worldwright/core'
import type { SortKey } from '@worldwright/core/store'
import { sha256 } from '@worldwright/core/store'
import { QUERY_ACTION, type Question } from './read-input.ts'

/** What a cursor of the question belongs to: all that decides which entities are found, and in which order. */
export function scopeOf(worldId: string, question: Question): CursorScope {
  const { types, text, similar, where } = question
  const asked = JSON.stringify([types, text ?? null, similar ?? null, where ?? null, orderOf(question)])
  return { worldId, type: [QUERY_ACTION, sha256(asked)] }
}

/** The keys of the order that is asked for: with a text, or an entity that others are like, and no other wish, the best match comes first. */
export function orderOf({ sort, text, similar }: Question): readonly SortKey[] {
  const isRanked = text !== undefined || similar !== undefined
  return sort.length === 0 && isRanked ? [{ by: 'relevance' }] : sort
}

/** Whether values can be those of a place in the order of the question. */
export function fitsOrder(question: Question, values: readonly JsonValue[]): boolean {
  const keys = orderOf(question)
  return values.length === keys.length && keys.every((key, index) => isValueOf(key, values[index]))
}

function isValueOf(key: SortKey, value: JsonValue | undefined): boolean {
  if (key.by === 'relevance') return typeof value === 'number'
  if (value === null) return true
  if (key.by === 'distance' || key.kind === 'number' || key.kind === 'instant')
    return typeof value === 'number'
  return typeof value === (key.kind === 'text' ? 'string' : 'boolean')
}
