/** Cache admission filter. A key that is requested only once, as by a crawler, must not evict a cache entry. */

/** Number of remembered keys, at four bytes each: several times the number of small pages in a full cache. */
const SLOTS = 16_384

/**
 * Remembers hashes of keys in a table of fixed size. A key is forgotten if its slot is overwritten, and keys with equal
 * hashes count as the same key.
 */
export class Doorkeeper {
  readonly #hashes = new Int32Array(SLOTS)

  /** Remembers a key. Reports whether the key was already remembered from an earlier call. */
  hasMet(key: string): boolean {
    const hash = hashOf(key)
    const slot = hash & (SLOTS - 1)
    const isKnown = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return isKnown
  }
}

/** Computes FNV-1a over UTF-16 code units, with the high bits mixed into the low bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}
