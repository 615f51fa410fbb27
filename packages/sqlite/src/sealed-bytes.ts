/** Bytes with a checksum that includes their place: neither changed nor moved bytes pass for what was written. */
import { crc32 } from 'node:zlib'
import { IndexDamage } from '@worldwright/search'

const SEAL_BYTES = 4

/** Returns the bytes followed by their checksum. `place`: a name that nothing else is kept under. */
export function seal(bytes: Uint8Array, place: string): Uint8Array {
  const sealed = new Uint8Array(bytes.length + SEAL_BYTES)
  sealed.set(bytes)
  new DataView(sealed.buffer).setUint32(bytes.length, checksumOf(bytes, place))
  return sealed
}

/** Returns the bytes that were sealed for this place, not copied. @throws IndexDamage if they were not */
export function unseal(sealed: Uint8Array, place: string): Uint8Array {
  const bytes = sealed.subarray(0, Math.max(0, sealed.length - SEAL_BYTES))
  if (sealed.length < SEAL_BYTES || sealOf(sealed) !== checksumOf(bytes, place))
    throw new IndexDamage(`The search index is damaged: ${place} is not what was written.`)
  return bytes
}

/** Returns the checksum of a place alone: something is kept there. */
export function placeSeal(place: string): number {
  return crc32(place)
}

/** Returns the checksum behind sealed bytes, unchecked: a whole number of 32 bits. */
export function sealOf(sealed: Uint8Array): number {
  if (sealed.length < SEAL_BYTES) return 0
  return new DataView(sealed.buffer, sealed.byteOffset).getUint32(sealed.length - SEAL_BYTES)
}

function checksumOf(bytes: Uint8Array, place: string): number {
  return crc32(bytes, crc32(place))
}
