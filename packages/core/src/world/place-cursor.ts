/** Cursors of walks in any order: the position of the last entity, sealed for one query. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { SortPosition } from '../store/contract.ts'
import { type CursorScope, cursorAfter, invalidCursor, positionFromCursor } from './cursor.ts'

/** Maximum length of such a cursor, in characters: four texts as values, of a few hundred bytes each, and an id. */
const MAX_LENGTH = 8_192

/** Returns the cursor for what comes after a position. */
export function cursorFromPlace(scope: CursorScope, { values, type, id }: SortPosition): string {
  return cursorAfter(scope, JSON.stringify([type, id, ...values]))
}

/**
 * Returns the position after which a cursor continues. `fits`: reports whether its values suit the order that is walked. A
 * cursor is not a secret, so a forged one must not ask for what no order has.
 * @throws WorldFault `invalid_cursor`, also if it belongs to another query
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
