/** Document names, their hashes, and the dictionary keys made from the hashes. */
import { classOf, DIGIT } from './characters.ts'
import { scan } from './tokeniser.ts'

/** Kinds of names by which a document is found, larger for more direct ones. The kind is the posting's impact. */
export const NameKind = { alias: 1, title: 2, id: 3 } as const

/** First byte of a name key. No word begins with it. */
const MARK = 0x01
/** Digits of keys in byte order, so that keys sort in the order of their hashes. */
const DIGITS = Buffer.from('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz')
const DIGIT_BITS = 6
const KEY_DIGITS = 6
const HALF_BITS = 18
const HALF = 2 ** HALF_BITS

/** Number of bits in a name hash. Among a million names, about one query in 70,000 hits a collision. */
export const NAME_HASH_BITS = 2 * HALF_BITS
/** Length of a name's dictionary key, in bytes. */
export const NAME_KEY_BYTES = 1 + KEY_DIGITS

/** Returns the folded words of a name, in order. Runs of unspaced scripts stay whole. */
export function nameParts(text: string): string[] {
  const parts: string[] = []
  scan(text, {
    word: (words, start, end) => parts.push(words.slice(start, end)),
    run: (run) => parts.push(run),
    part() {},
  })
  return parts
}

/** Removes case, accents, punctuation and spaces from a name, except a space between numbers. May return ''. */
export function normalizedName(text: string): string {
  return nameParts(text).reduce(withPart, '')
}

/** Appends a part to a normalized name. A space separates two numbers, so that `1 11` differs from `11 1`. */
export function withPart(name: string, part: string): string {
  const areNumbers = isDigit(name.charCodeAt(name.length - 1)) && isDigit(part.charCodeAt(0))
  return areNumbers ? `${name} ${part}` : name + part
}

function isDigit(unit: number): boolean {
  return classOf(unit) === DIGIT
}

/** Hashes one name at a time from its parts (see `nameParts`), without creating a string for each part. */
export class NameHash {
  /** Set if no part has been added since `clear`. */
  empty = true
  /** Last code unit added, or -1 before the first. */
  #last = -1
  #low = 0
  #high = 0

  /** Starts a new name. */
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

/** Writes the dictionary key for a name's hash to the first `NAME_KEY_BYTES` bytes of `to`. */
export function writeNameKey(hash: number, to: Uint8Array): void {
  to[0] = MARK
  let rest = hash
  for (let at = KEY_DIGITS; at > 0; at--) {
    to[at] = DIGITS[rest % (1 << DIGIT_BITS)] as number
    rest = Math.floor(rest / (1 << DIGIT_BITS))
  }
}

/** Returns the index term of a name, given its `normalizedName`. */
export function nameTerm(normalized: string): string {
  const hash = new NameHash()
  hash.clear()
  hash.add(normalized, 0, normalized.length)
  const key = Buffer.alloc(NAME_KEY_BYTES)
  writeNameKey(hash.value, key)
  return key.toString('latin1')
}

/** Reports whether an index term is that of a name. */
export function isNameTerm(term: string): boolean {
  return term.charCodeAt(0) === MARK
}
