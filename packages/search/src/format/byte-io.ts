/** Byte encodings of the index, such as variable-length integers, UTF-8 and bitmaps. */
import { IndexDamage } from '../port/index-damage.ts'

/** A buffer that grows on demand. */
export class ByteWriter {
  bytes = new Uint8Array(256)
  length = 0

  byte(value: number): void {
    if (this.length === this.bytes.length) this.#grow(1)
    this.bytes[this.length++] = value
  }

  /** Writes an integer from 0 to 2^53 - 1 with seven bits per byte, lowest bits first. */
  varint(value: number): void {
    if (this.length + 8 > this.bytes.length) this.#grow(8)
    let rest = value
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) + 0x80
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 0x80)
    }
    this.bytes[this.length++] = rest
  }

  /** Writes a signed integer, using few bytes for small magnitudes. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value)
  }

  /** Writes `from[start, end)`. */
  copy(from: Uint8Array, start = 0, end = from.length): void {
    const count = end - start
    if (this.length + count > this.bytes.length) this.#grow(count)
    // For a few bytes, a loop is faster than creating a view.
    if (count < 32) for (let at = start; at < end; at++) this.bytes[this.length++] = from[at] as number
    else {
      this.bytes.set(from.subarray(start, end), this.length)
      this.length += count
    }
  }

  /** Reserves `count` bytes, which the caller must fill before the next write. */
  extend(count: number): Uint8Array {
    if (this.length + count > this.bytes.length) this.#grow(count)
    this.length += count
    return this.bytes.subarray(this.length - count, this.length)
  }

  /** Writes a length-prefixed string. */
  text(value: string): void {
    const bytes = Buffer.from(value)
    this.varint(bytes.length)
    this.copy(bytes)
  }

  toBytes(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }

  #grow(count: number): void {
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + count))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}

/** Reads data written by the corresponding methods of `ByteWriter`. Throws IndexDamage when reading past the end. */
export class ByteReader {
  bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw pastTheEnd()
    return byte
  }

  varint(): number {
    let byte = this.bytes[this.at++] as number
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let scale = 0x80
    do {
      byte = this.byte()
      value += (byte & 0x7f) * scale
      scale *= 0x80
    } while (byte >= 0x80)
    if (value > Number.MAX_SAFE_INTEGER) throw new IndexDamage('A number in the search index is too large.')
    return value
  }

  signed(): number {
    const value = this.varint()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  text(): string {
    const length = this.varint()
    this.at += length
    if (this.at > this.bytes.length) throw pastTheEnd()
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.at - length, length).toString()
  }
}

function pastTheEnd(): IndexDamage {
  return new IndexDamage('A row of the search index ends too early.')
}

/** Compares byte strings like `Buffer.compare`, without wrapping them in Buffers. */
export function compareBytes(
  left: Uint8Array,
  leftLength: number,
  right: Uint8Array,
  rightLength: number,
): number {
  const common = Math.min(leftLength, rightLength)
  for (let at = 0; at < common; at++) {
    const difference = (left[at] as number) - (right[at] as number)
    if (difference !== 0) return difference
  }
  return leftLength - rightLength
}

/** Reports whether a bit of a bitmap is set. Bit 0 is the lowest bit of the first byte. */
export function hasBit(bits: Uint8Array, at: number): boolean {
  return ((bits[at >>> 3] as number) & (1 << (at & 7))) !== 0
}

/** Writes `text[start, end)` as UTF-8 at offset `to` and returns the end offset. Lone surrogates become U+FFFD. */
export function encode(text: string, start: number, end: number, into: Uint8Array, to: number): number {
  let at = to
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) into[at++] = unit
    else if (unit < 0x800) {
      into[at++] = 0xc0 | (unit >>> 6)
      into[at++] = 0x80 | (unit & 0x3f)
    } else if (unit < 0xd800 || unit > 0xdfff) {
      into[at++] = 0xe0 | (unit >>> 12)
      into[at++] = 0x80 | ((unit >>> 6) & 0x3f)
      into[at++] = 0x80 | (unit & 0x3f)
    } else {
      // Text beyond U+FFFF is rare.
      return at + encoder.encodeInto(text.slice(index, end), into.subarray(at)).written
    }
  }
  return at
}

const encoder = new TextEncoder()

/** Returns a copy of an array with twice the length. */
export function grown<T extends Uint8Array | Uint32Array | Float64Array>(
  array: T,
  Kind: new (length: number) => T,
): T {
  const larger = new Kind(2 * array.length)
  larger.set(array)
  return larger
}

/** Index of the lower 32-bit half of a 64-bit number in memory: 0 on little-endian machines, 1 on big-endian ones. */
export const LOW_HALF = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1
