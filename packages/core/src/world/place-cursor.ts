/** Cursors of walks in any order: the place of the last entity, sealed for one question. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { SortPosition } from '../store/contract.ts'
import { type CursorScope, cursorAfter, invalidCursor, positionFromCursor } from './cursor.ts'

/** Four texts as values, of a few hundred bytes each, and an id. */
const MAX_LENGTH = 8_192

/** The cursor for what comes after a place. */
export function cursorFromPlace(scope: CursorScope, { values, type, id }: SortPosition): string {
  return cursorAfter(scope, JSON.stringify([type, id, ...values]))
}

/**
 * The place that a cursor stands after. `fits`: whether its values are of the order that is walked; a cursor is no secret, so
 * one that somebody made up must not ask for what no order has.
 * @throws WorldFault `invalid_cursor` also where it belongs to another question
 */
export function placeFromCursor(
  scope: CursorScope,
  cursor: string,
  fits: (values: readonly JsonValue[]) => boolean,
): SortPosition {
  const [type, id, ...values] = parsed(positionFromCursor(scope, cursor, MAX_LENGTH))
  if (typeof type !== 'string' || typeof id !== 'string' || !fits(values)) throw invalidCursor('malformed')
  return { type, id, values: values as SortPosition['values'] }
}

function parsed(text: string): JsonValue[] {
  try {
    const value: JsonValue = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
