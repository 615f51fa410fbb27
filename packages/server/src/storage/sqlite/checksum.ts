/** The checksum that is kept with each entity. What is read and does not have it is damaged, and is not given away. */
import { crc32 } from 'node:zlib'
import type { StoredEntity } from '../contract.ts'
import { type PreparedEntity, storedFrom } from '../prepared.ts'

/** The checksum of a row of `entities`: 32 bits, signed. Any part of the row that is another makes it another. */
export function checksumOf(type: string, id: string, revision: string, json: string): number {
  return crc32(`${type}\n${id}\n${revision}\n${json}`) | 0
}

/** What a row holds, if that is what was written. */
export function readingFrom(
  type: string,
  id: string,
  revision: string,
  json: string,
  checksum: number | null,
): StoredEntity | 'damaged' {
  return checksumOf(type, id, revision, json) === checksum ? { type, id, revision, json } : 'damaged'
}

/** Stands for the times of an entity while they are not known. */
const NO_TIME = '0000-00-00T00:00:00Z'

/** The checksum of an entity that is staged, before it has its times: see `timesChecksum`. */
export function checksumWithoutTimes(prepared: PreparedEntity): number {
  const { type, id, revision, json } = storedFrom(prepared, NO_TIME, NO_TIME)
  return checksumOf(type, id, revision, json)
}

/**
 * What a checksum without times differs by from that of the same entity with this moment for both: to be XORed with it.
 * A CRC is linear, and times are of one length and equally far from the end, so that this is the same for all entities,
 * and an import can be put in place by one statement of SQL, which has no checksums.
 */
export function timesChecksum(at: string): number {
  const entity = { type: '', id: '', revision: '', content: '{}' }
  const [known, unknown] = [at, NO_TIME].map((time) =>
    storedFrom({ ...entity, revision: REVISION }, time, time),
  )
  return (crc32(known?.json ?? '') ^ crc32(unknown?.json ?? '')) | 0
}

/** As long as any: which one does not matter. */
const REVISION = '0'.repeat(22)
