/** Checksum stored with each entity. An entity that does not match its checksum is damaged and never returned. */
import { crc32 } from 'node:zlib'
import { type PreparedEntity, type StoredEntity, storedFrom } from '@worldwright/core/store'

/**
 * Returns the signed 32-bit checksum of a row of `entities`, which depends on every part of the row. The short parts are
 * hashed separately, because joining them to the JSON would cost more than everything else.
 */
export function checksumOf(type: string, id: string, revision: string, json: string): number {
  return crc32(json) ^ hashed(revision, hashed(id, hashed(type, FNV_OFFSET)))
}

/** FNV-1a over UTF-16 code units, continued from `before`. A separator terminates each part. */
function hashed(text: string, before: number): number {
  let hash = before
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return Math.imul(hash ^ SEPARATOR, FNV_PRIME)
}

const FNV_OFFSET = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193
/** Lone surrogate, which never occurs in well-formed text. */
const SEPARATOR = 0xdfff

/** Returns the entity in a row, or `damaged` if its checksum does not match. */
export function readEntityFrom(
  type: string,
  id: string,
  revision: string,
  json: string,
  checksum: number | null,
): StoredEntity | 'damaged' {
  // A damaged row may contain values that are not strings.
  const areTexts = typeof id === 'string' && typeof revision === 'string' && typeof json === 'string'
  const isSound = areTexts && typeof type === 'string' && checksumOf(type, id, revision, json) === checksum
  return isSound ? { type, id, revision, json } : 'damaged'
}

/** Placeholder for timestamps that are not known yet. */
const NO_TIME = '0000-00-00T00:00:00Z'

/** Returns the checksum of a staged entity, whose timestamps are not known yet. See `timesChecksum`. */
export function checksumWithoutTimes(prepared: PreparedEntity): number {
  const { type, id, revision, json } = storedFrom(prepared, NO_TIME, NO_TIME)
  return checksumOf(type, id, revision, json)
}

/**
 * Returns the mask to XOR with a checksum without timestamps to get the one with both timestamps set to `at`. CRC is
 * linear, and timestamps have a fixed length and distance from the end, so the mask is the same for all entities. This lets
 * one SQL statement apply an import, although SQL has no checksum function.
 */
export function timesChecksum(at: string): number {
  const entity = { type: '', id: '', revision: '', content: '{}' }
  const [known, unknown] = [at, NO_TIME].map((time) =>
    storedFrom({ ...entity, revision: REVISION }, time, time),
  )
  return (crc32(known?.json ?? '') ^ crc32(unknown?.json ?? '')) | 0
}

/** Placeholder revision. Only its length matters. */
const REVISION = '0'.repeat(22)
