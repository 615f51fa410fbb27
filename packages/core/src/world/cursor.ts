/**
 * Cursors: a position with a checksum that detects damage. Only this file knows the format.
 *
 * Bytes: version (1), checksum (6), then the position in UTF-8; written as base64url without padding. The checksum is
 * the beginning of SHA-256 over version, world id, what is walked and position. It keeps honest clients from passing on a
 * damaged cursor, or one of another walk; it is not a secret, since a cursor grants nothing.
 */
import { base64urlFrom, bytesFromBase64url, joinedBytes, utf8Bytes, utf8Text } from '../store/bytes.ts'
import { sha256 } from '../store/digest.ts'
import { WorldFault } from './errors.ts'

/** World and walk that a cursor belongs to. */
export interface CursorScope {
  readonly worldId: string
  /** The type whose list is walked or, for walks of another kind, their names. */
  readonly type: string | readonly string[]
}

const VERSION = 1
/** Six bytes in base64url. */
const CHECKSUM_CHARACTERS = 8
const HEADER_BYTES = 7
/** Maximum length of a list cursor, in characters: the longest id, 512 bytes, makes 692. */
const MAX_CURSOR_LENGTH = 1_024

/** Returns the cursor for what comes after a position. The same position always gives the same cursor. */
export function cursorAfter(scope: CursorScope, position: string): string {
  const sealed = JSON.stringify([VERSION, scope.worldId, scope.type, position])
  const checksum = bytesFromBase64url(sha256(sealed).slice(0, CHECKSUM_CHARACTERS)) ?? new Uint8Array()
  return base64urlFrom(joinedBytes([Uint8Array.of(VERSION), checksum, utf8Bytes(position)]))
}

/**
 * Returns the position after which a cursor continues.
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
  // Decoding ignores spare bits; only the canonical spelling is accepted.
  if (base64urlFrom(bytes) !== cursor) throw invalidCursor('malformed')
  throw invalidCursor(bytes[0] === VERSION ? 'checksum' : 'unknown_version')
}

/** Creates the fault of an invalid cursor, with its reason. */
export function invalidCursor(reason: string): WorldFault {
  return new WorldFault(
    'invalid_cursor',
    'The cursor was not given by this list. Start again without a cursor, or pass one back unchanged.',
    { reason },
  )
}
