/**
 * Cursors: a position, sealed so that damage is noticed. Only this file knows what is inside one.
 *
 * Bytes: version (1), checksum (6), then the position in UTF-8; written as base64url without padding. The checksum is
 * the beginning of SHA-256 over version, world id, what is walked and position. It keeps honest clients from passing a
 * cursor on damaged or to another walk; it is no secret, since a cursor grants nothing.
 */
import { base64urlFrom, bytesFromBase64url, joinedBytes, utf8Bytes, utf8Text } from '../store/bytes.ts'
import { sha256 } from '../store/digest.ts'
import { WorldFault } from './errors.ts'

/** What a cursor belongs to. */
export interface CursorScope {
  readonly worldId: string
  /** The type whose list is walked, or for walks of another kind, their names. */
  readonly type: string | readonly string[]
}

const VERSION = 1
/** Six bytes in base64url. */
const CHECKSUM_CHARACTERS = 8
const HEADER_BYTES = 7
/** A longer cursor than any list gives: the longest id, 512 bytes, makes 692 characters. */
const MAX_CURSOR_LENGTH = 1_024

/** The cursor for what comes after a position. The same position always gives the same cursor. */
export function cursorAfter(scope: CursorScope, position: string): string {
  const sealed = JSON.stringify([VERSION, scope.worldId, scope.type, position])
  const checksum = bytesFromBase64url(sha256(sealed).slice(0, CHECKSUM_CHARACTERS)) ?? new Uint8Array()
  return base64urlFrom(joinedBytes([Uint8Array.of(VERSION), checksum, utf8Bytes(position)]))
}

/**
 * The position a cursor stands after.
 * @param maxLength in characters
 * @throws WorldFault `invalid_cursor` with a `reason` for anything `cursorAfter` did not make for this scope.
 */
export function positionFromCursor(
  scope: CursorScope,
  cursor: string,
  maxLength: number = MAX_CURSOR_LENGTH,
): string {
  if (cursor === '') throw invalidCursor('empty')
  if (cursor.length > maxLength) throw invalidCursor('too_long')
  const bytes = bytesFromBase64url(cursor)
  if (bytes === undefined || bytes.length <= HEADER_BYTES) throw invalidCursor('malformed')
  const position = utf8Text(bytes.subarray(HEADER_BYTES))
  if (cursorAfter(scope, position) === cursor) return position
  // Reading ignores spare bits; only the one spelling we give is accepted.
  if (base64urlFrom(bytes) !== cursor) throw invalidCursor('malformed')
  throw invalidCursor(bytes[0] === VERSION ? 'checksum' : 'unknown_version')
}

/** A cursor that was not given here, and why it is none. */
export function invalidCursor(reason: string): WorldFault {
  return new WorldFault(
    'invalid_cursor',
    'The cursor was not given by this list. Start again without a cursor, or pass one back unchanged.',
    { reason },
  )
}
