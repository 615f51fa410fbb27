/**
 * Cursors: "after this id", sealed so that damage is noticed. Only this file knows what is inside one.
 *
 * Bytes: version (1), checksum (6), then the id in UTF-8; written as base64url without padding. The checksum is
 * the beginning of SHA-256 over version, world id, type and position. It keeps honest clients from passing a cursor
 * on damaged or to another list; it is no secret, since a cursor grants nothing.
 */
import { hash } from 'node:crypto'
import { WorldFault } from './errors.ts'

/** The list a cursor belongs to. */
export interface CursorScope {
  readonly worldId: string
  readonly type: string
}

const VERSION = 1
const CHECKSUM_BYTES = 6
const HEADER_BYTES = 1 + CHECKSUM_BYTES
/** A longer cursor than any we give: the longest id, 512 bytes, makes 692 characters. */
const MAX_CURSOR_LENGTH = 1_024

/** The cursor for the entities after `id`. The same position always gives the same cursor. */
export function cursorAfter(scope: CursorScope, id: string): string {
  return Buffer.concat([Buffer.of(VERSION), checksum(scope, id), Buffer.from(id)]).toString('base64url')
}

/**
 * The id a cursor stands after.
 * @throws WorldFault `invalid_cursor` with a `reason` for anything `cursorAfter` did not make for this scope.
 */
export function positionFromCursor(scope: CursorScope, cursor: string): string {
  if (cursor === '') throw invalid('empty')
  if (cursor.length > MAX_CURSOR_LENGTH) throw invalid('too_long')
  const bytes = Buffer.from(cursor, 'base64url')
  // Buffer skips what is not base64url and ignores spare bits; only the one spelling we give is accepted.
  if (bytes.toString('base64url') !== cursor || bytes.length <= HEADER_BYTES) throw invalid('malformed')
  if (bytes[0] !== VERSION) throw invalid('unknown_version')
  const id = bytes.toString('utf8', HEADER_BYTES)
  if (cursorAfter(scope, id) !== cursor) throw invalid('checksum')
  return id
}

function checksum(scope: CursorScope, id: string): Buffer {
  const sealed = JSON.stringify([VERSION, scope.worldId, scope.type, id])
  return hash('sha256', sealed, 'buffer').subarray(0, CHECKSUM_BYTES)
}

function invalid(reason: string): WorldFault {
  return new WorldFault(
    'invalid_cursor',
    'The cursor was not given by this list. Start again without a cursor, or pass one back unchanged.',
    { reason },
  )
}
