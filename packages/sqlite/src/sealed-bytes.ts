/** Bytes with a checksum that also covers their place, so that neither changed nor moved bytes are accepted. */
import { crc32 } from 'node:zlib'
import { IndexDamage } from '@worldwright/search'

const SEAL_BYTES = 4

/** Appends a checksum to the bytes. `place` must be unique among all sealed bytes. */
export function seal(bytes: Uint8Array, place: string): Uint8Array {
  const sealed = new Uint8Array(bytes.length + SEAL_BYTES)
  sealed.set(bytes)
  new DataView(sealed.buffer).setUint32(bytes.length, checksumOf(bytes, place))
  return sealed
}

/** Returns a view of the bytes that were sealed for `place`. @throws IndexDamage if the checksum does not match */
export function unseal(sealed: Uint8Array, place: string): Uint8Array {
  const bytes = sealed.subarray(0, Math.max(0, sealed.length - SEAL_BYTES))
  if (sealed.length < SEAL_BYTES || sealOf(sealed) !== checksumOf(bytes, place))
    throw new IndexDamage(`The search index is damaged: ${place} is not what was written.`)
  return bytes
}

/** Returns the checksum of a place alone, which proves only that the place is in use. */
export function placeSeal(place: string): number {
  return crc32(place)
}

/** Returns the 32-bit checksum at the end of sealed bytes, without verifying it. */
export function sealOf(sealed: Uint8Array): number {
  if (sealed.length < SEAL_BYTES) return 0
  return new DataView(sealed.buffer, sealed.byteOffset).getUint32(sealed.length - SEAL_BYTES)
}

function checksumOf(bytes: Uint8Array, place: string): number {
  return crc32(bytes, crc32(place))
}
