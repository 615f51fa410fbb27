/**
 * Cursor encoding: a position with a checksum. Only this file knows the format.
 *
 * Bytes: version (1), checksum (6), then the position in UTF-8, all encoded as base64url without padding. The checksum is a
 * prefix of SHA-256 over version, world id, scope and position. It detects damaged cursors and cursors of other lists. It
 * needs no key, since a cursor grants no rights.
 */
import { base64urlFrom, bytesFromBase64url, joinedBytes, utf8Bytes, utf8Text } from '../store/bytes.ts'
import { sha256 } from '../store/digest.ts'
import { WorldFault } from './errors.ts'

/** World and list that a cursor belongs to. */
export interface CursorScope {
  readonly worldId: string
  /** Entity type of an entity list; for any other list, the strings that identify it. */
  readonly type: string | readonly string[]
}

const VERSION = 1
/** Length of the six-byte checksum in base64url, in characters. */
const CHECKSUM_CHARACTERS = 8
const HEADER_BYTES = 7
/** Maximum length of a list cursor, in characters. Generous: the longest id (512 bytes) gives a cursor of 692. */
const MAX_CURSOR_LENGTH = 1_024

/** Returns the cursor for the page after a position. The same position always gives the same cursor. */
export function cursorAfter(scope: CursorScope, position: string): string {
  const sealed = JSON.stringify([VERSION, scope.worldId, scope.type, position])
  const checksum = bytesFromBase64url(sha256(sealed).slice(0, CHECKSUM_CHARACTERS)) ?? new Uint8Array()
  return base64urlFrom(joinedBytes([Uint8Array.of(VERSION), checksum, utf8Bytes(position)]))
}

/**
 * Returns the position that a cursor encodes.
 * @param maxLength in characters
 * @throws WorldFault `invalid_cursor` with a `reason` for any string that `cursorAfter` did not return for this scope.
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
  // Decoding ignores spare bits, but only the canonical encoding is accepted.
  if (base64urlFrom(bytes) !== cursor) throw invalidCursor('malformed')
  throw invalidCursor(bytes[0] === VERSION ? 'checksum' : 'unknown_version')
}

/** Creates an `invalid_cursor` fault with the given reason. */
export function invalidCursor(reason: string): WorldFault {
  const cure = 'Start again without a cursor, or pass one back unchanged.'
  return new WorldFault('invalid_cursor', `The cursor was not given by this list. ${cure}`, { reason })
}
