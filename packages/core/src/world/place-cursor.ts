/** Cursors for lists in any sort order. A cursor encodes the position of a page's last entity, for one query. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { SortPosition } from '../store/contract.ts'
import { type CursorScope, cursorAfter, invalidCursor, positionFromCursor } from './cursor.ts'

/** Maximum cursor length, in characters: room for four text values of a few hundred bytes each, and an id. */
const MAX_LENGTH = 8_192

/** Returns the cursor for the page after a position. */
export function cursorFromPlace(scope: CursorScope, { values, type, id }: SortPosition): string {
  return cursorAfter(scope, JSON.stringify([type, id, ...values]))
}

/**
 * Returns the position that a cursor encodes. `fits` reports whether the cursor's values match the sort order: anyone can
 * forge a cursor, so values that are impossible in this order must be refused.
 * @throws WorldFault `invalid_cursor`, also for the cursor of a different query
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
