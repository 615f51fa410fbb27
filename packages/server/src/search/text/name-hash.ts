/** Whole names as dictionary keys: a mark that no word begins with, and a hash of the name's words. */

/** Begins the key of a name. */
const MARK = 0x01
/** Ascending, so that the keys of ascending hashes ascend. */
const DIGITS = Buffer.from('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz')
const DIGIT_BITS = 6
const KEY_DIGITS = 6
/** Half of a hash. */
const HALF_BITS = 18
const HALF = 2 ** HALF_BITS

/** Bits of a hash: so many that two of a million names collide in one question of 50,000. */
export const NAME_HASH_BITS = 2 * HALF_BITS
/** Bytes of a name's key. */
export const NAME_KEY_BYTES = 1 + KEY_DIGITS

/** Hashes a name, part by part as `titleParts` gives them. */
export class NameHash {
  /** Nothing was added. */
  empty = true
  #low = 0
  #high = 0

  /** Begins another name. */
  clear(): void {
    this.empty = true
    this.#low = 0x811c9dc5
    this.#high = 0x9e3779b9
  }

  /** Adds the next part, `text[start, end)`. */
  add(text: string, start: number, end: number): void {
    if (!this.empty) this.#unit(0x20)
    this.empty = false
    for (let at = start; at < end; at++) this.#unit(text.charCodeAt(at))
  }

  /** The hash, a whole number of `NAME_HASH_BITS` bits. */
  get value(): number {
    const low = (this.#low ^ (this.#low >>> 15)) & (HALF - 1)
    const high = (this.#high ^ (this.#high >>> 16)) & (HALF - 1)
    return low * HALF + high
  }

  #unit(unit: number): void {
    this.#low = Math.imul(this.#low ^ unit, 0x01000193)
    this.#high = Math.imul(this.#high ^ unit, 0x85ebca6b)
    this.#high ^= this.#high >>> 13
  }
}

/** The hash of a name given by its `titleKey`. */
export function hashOfName(key: string): number {
  const hash = new NameHash()
  hash.clear()
  hash.add(key, 0, key.length)
  return hash.value
}

/** Writes the dictionary key of a name's hash: `NAME_KEY_BYTES` bytes. */
export function writeNameKey(hash: number, to: Uint8Array): void {
  to[0] = MARK
  let rest = hash
  for (let at = KEY_DIGITS; at > 0; at--) {
    to[at] = DIGITS[rest % (1 << DIGIT_BITS)] as number
    rest = Math.floor(rest / (1 << DIGIT_BITS))
  }
}

/** The dictionary key of a name, given by its `titleKey`. */
export function titleTerm(key: string): string {
  const bytes = Buffer.alloc(NAME_KEY_BYTES)
  writeNameKey(hashOfName(key), bytes)
  return bytes.toString('latin1')
}
