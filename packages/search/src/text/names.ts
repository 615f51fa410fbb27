/** Names of documents: their words joined, a hash of that, and the hash as a key of the dictionary. */
import { classOf, DIGIT } from './characters.ts'
import { scan } from './tokeniser.ts'

/** Kinds of names by which a document is found: the larger, the more direct. The kind is the posting's impact. */
export const NameKind = { alias: 1, title: 2, id: 3 } as const

/** Begins the key of a name; no word begins with it. */
const MARK = 0x01
/** Digits of keys, ascending, so that the keys of ascending hashes ascend. */
const DIGITS = Buffer.from('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz')
const DIGIT_BITS = 6
const KEY_DIGITS = 6
const HALF_BITS = 18
const HALF = 2 ** HALF_BITS

/** Bits of a hash: enough that two of a million names collide in one query of 50,000. */
export const NAME_HASH_BITS = 2 * HALF_BITS
/** Length in bytes of the dictionary key of a name. */
export const NAME_KEY_BYTES = 1 + KEY_DIGITS

/** Returns the words of a name, folded, in order. Runs of unspaced scripts stay whole. */
export function nameParts(text: string): string[] {
  const parts: string[] = []
  scan(text, {
    word: (words, start, end) => parts.push(words.slice(start, end)),
    run: (run) => parts.push(run),
    part() {},
  })
  return parts
}

/** Returns a name without case, accents, punctuation and spaces: equal for texts of the same name; empty if nothing is left. */
export function normalizedName(text: string): string {
  return nameParts(text).reduce(withPart, '')
}

/** Appends a part to a normalized name. Two numbers stay apart: `1 11` is not `11 1`. */
export function withPart(name: string, part: string): string {
  const areNumbers = isDigit(name.charCodeAt(name.length - 1)) && isDigit(part.charCodeAt(0))
  return areNumbers ? `${name} ${part}` : name + part
}

function isDigit(unit: number): boolean {
  return classOf(unit) === DIGIT
}

/** Hashes one name after another, part by part as `nameParts` gives them, without making strings of the parts. */
export class NameHash {
  /** Set if no part was added since `clear`. */
  empty = true
  /** The last unit that was added; -1 before the first. */
  #last = -1
  #low = 0
  #high = 0

  /** Begins another name. */
  clear(): void {
    this.empty = true
    this.#last = -1
    this.#low = 0x811c9dc5
    this.#high = 0x9e3779b9
  }

  /** Adds the next part, `text[start, end)`. */
  add(text: string, start: number, end: number): void {
    if (!this.empty && isDigit(this.#last) && isDigit(text.charCodeAt(start))) this.#unit(0x20)
    this.empty = false
    for (let at = start; at < end; at++) this.#unit(text.charCodeAt(at))
    this.#last = text.charCodeAt(end - 1)
  }

  /** Hash of the name, an integer of `NAME_HASH_BITS` bits. */
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

/** Writes the dictionary key of a name's hash: `NAME_KEY_BYTES` bytes. */
export function writeNameKey(hash: number, to: Uint8Array): void {
  to[0] = MARK
  let rest = hash
  for (let at = KEY_DIGITS; at > 0; at--) {
    to[at] = DIGITS[rest % (1 << DIGIT_BITS)] as number
    rest = Math.floor(rest / (1 << DIGIT_BITS))
  }
}

/** Returns the term under which a name is indexed, given its `normalizedName`. */
export function nameTerm(normalized: string): string {
  const hash = new NameHash()
  hash.clear()
  hash.add(normalized, 0, normalized.length)
  const key = Buffer.alloc(NAME_KEY_BYTES)
  writeNameKey(hash.value, key)
  return key.toString('latin1')
}
