/** Which keys come again: what is asked for once, by a crawler or a flood, is to push nothing out of a cache. */

/** Keys that are remembered at most, of four bytes each: the answers that a full cache of small pages holds, several times over. */
const SLOTS = 16_384

/**
 * Remembers keys by their hashes, in bounded memory. A key whose slot another one took meanwhile is new again; two keys with
 * the same hash are taken for one.
 */
export class Doorkeeper {
  readonly #hashes = new Int32Array(SLOTS)

  /** Whether a key came before, as far as that is remembered. From now on it has. */
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
