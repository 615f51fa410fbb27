/** Hashes that are summed into the checksums of an index. */

/** Returns the FNV-1a hash of the bytes as a 32-bit integer. */
export function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash
}

/** Mixes a term or column hash, a document key hash, and an impact or value hash into a 32-bit integer. */
export function mixed(term: number, key: number, impact: number): number {
  let hash = Math.imul(term ^ (key >>> 16) ^ (key << 16), 0x85ebca6b) ^ Math.imul(key + impact, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f)
  return hash ^ (hash >>> 13)
}
