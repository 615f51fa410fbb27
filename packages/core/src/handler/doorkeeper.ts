/** Cache admission by repetition: a key requested only once, by a crawler or a flood, must not evict anything from a cache. */

/** Maximum keys remembered, at four bytes each: several times the answers that a full cache of small pages holds. */
const SLOTS = 16_384

/**
 * Remembers keys by their hashes, in bounded memory. A key whose slot was overwritten meanwhile counts as new; two keys
 * with the same hash count as one.
 */
export class Doorkeeper {
  readonly #hashes = new Int32Array(SLOTS)

  /** Reports whether a key is remembered from an earlier call, and remembers it from now on. */
  hasMet(key: string): boolean {
    const hash = hashOf(key)
    const slot = hash & (SLOTS - 1)
    const isKnown = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return isKnown
  }
}

/** FNV-1a over UTF-16, with its high bits mixed into the low ones. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}
