/** Checksum stored with each entity. An entity that does not match it is damaged, and is never returned. */
import { crc32 } from 'node:zlib'
import type { StoredEntity } from '@worldwright/core/store'
import { type PreparedEntity, storedFrom } from '@worldwright/core/store'

/**
 * Returns the checksum of a row of `entities`: 32 bits, signed. A change of any part of the row changes it. The short parts are
 * hashed here: joining them to the JSON would cost more than all the rest.
 */
export function checksumOf(type: string, id: string, revision: string, json: string): number {
  return crc32(json) ^ hashed(revision, hashed(id, hashed(type, FNV_OFFSET)))
}

/** FNV-1a over UTF-16, continued from a hash; a separator ends each part. */
function hashed(text: string, before: number): number {
  let hash = before
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return Math.imul(hash ^ SEPARATOR, FNV_PRIME)
}

const FNV_OFFSET = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193
/** A lone surrogate, which no well-formed text has. */
const SEPARATOR = 0xdfff

/** Returns the entity in a row, or `damaged` if it is not what was written. */
export function readEntityFrom(
  type: string,
  id: string,
  revision: string,
  json: string,
  checksum: number | null,
): StoredEntity | 'damaged' {
  // A damaged row may hold values that are not texts.
  const areTexts = typeof id === 'string' && typeof revision === 'string' && typeof json === 'string'
  const isSound = areTexts && typeof type === 'string' && checksumOf(type, id, revision, json) === checksum
  return isSound ? { type, id, revision, json } : 'damaged'
}

/** Placeholder for the times of an entity while they are unknown. */
const NO_TIME = '0000-00-00T00:00:00Z'

/** Returns the checksum of a staged entity, before it has its times: see `timesChecksum`. */
export function checksumWithoutTimes(prepared: PreparedEntity): number {
  const { type, id, revision, json } = storedFrom(prepared, NO_TIME, NO_TIME)
  return checksumOf(type, id, revision, json)
}

/**
 * Returns the difference between a checksum without times and that of the same entity with this moment for both, to be XORed. A
 * CRC is linear, and times are of one length and equally far from the end, so that this is the same for all entities, and an
 * import can be put in place by one statement of SQL, which has no checksums.
 */
export function timesChecksum(at: string): number {
  const entity = { type: '', id: '', revision: '', content: '{}' }
  const [known, unknown] = [at, NO_TIME].map((time) =>
    storedFrom({ ...entity, revision: REVISION }, time, time),
  )
  return (crc32(known?.json ?? '') ^ crc32(unknown?.json ?? '')) | 0
}

/** Any revision of this length: its value does not matter. */
const REVISION = '0'.repeat(22)
