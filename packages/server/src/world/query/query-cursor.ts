/** Cursors of questions: the place of the last entity in the order, bound to what was asked and how it is ordered. */
import { hash } from 'node:crypto'
import type { JsonValue } from '@worldwright/client/protocol'
import type { SortKey, SortPosition } from '../../storage/contract.ts'
import { type CursorScope, cursorAfter, invalidCursor, positionFromCursor } from '../cursor.ts'
import { QUERY_ACTION, type Question } from './read-input.ts'

/** Four texts as values, of a few hundred bytes each, and an id. */
const MAX_LENGTH = 8_192

/** The cursor for what comes after a place. */
export function cursorFromPlace(
  worldId: string,
  question: Question,
  { values, type, id }: SortPosition,
): string {
  return cursorAfter(scopeOf(worldId, question), JSON.stringify([type, id, ...values]))
}

/** The place that a cursor stands after. @throws WorldFault `invalid_cursor` also where it belongs to another question */
export function placeFromCursor(worldId: string, question: Question, cursor: string): SortPosition {
  const position = positionFromCursor(scopeOf(worldId, question), cursor, MAX_LENGTH)
  const [type, id, ...values] = parsed(position)
  const keys = orderOf(question)
  // A cursor is no secret: one that somebody made up must not ask for what no order has.
  const fits = values.length === keys.length && keys.every((key, index) => isValueOf(key, values[index]))
  if (typeof type !== 'string' || typeof id !== 'string' || !fits) throw invalidCursor('malformed')
  return { type, id, values: values as SortPosition['values'] }
}

/** What decides which entities are found, and in which order; not what is shown of them. */
function scopeOf(worldId: string, question: Question): CursorScope {
  const { types, text, similar, where } = question
  const asked = JSON.stringify([types, text ?? null, similar ?? null, where ?? null, orderOf(question)])
  return { worldId, type: [QUERY_ACTION, hash('sha256', asked, 'base64url')] }
}

/** The keys of the order that is asked for: with a text, or an entity that others are like, and no other wish, the best match comes first. */
export function orderOf({ sort, text, similar }: Question): readonly SortKey[] {
  const isRanked = text !== undefined || similar !== undefined
  return sort.length === 0 && isRanked ? [{ by: 'relevance' }] : sort
}

function isValueOf(key: SortKey, value: JsonValue | undefined): boolean {
  if (key.by === 'relevance') return typeof value === 'number'
  if (value === null) return true
  if (key.by === 'distance' || key.kind === 'number' || key.kind === 'instant')
    return typeof value === 'number'
  return typeof value === (key.kind === 'text' ? 'string' : 'boolean')
}

function parsed(text: string): JsonValue[] {
  try {
    const value: JsonValue = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
