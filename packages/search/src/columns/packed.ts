/**
 * Lists of integers, in blocks of 8,192. A block stores only the differences from its minimum, in as many bytes as the
 * largest difference needs, and nothing if all numbers are equal. The minimum and maximum of each block are read with the
 * column, so that whole blocks can be skipped.
 *
 *     block      := difference:u8|u16|u24|u32*          little-endian
 *     directory  := (varint(least) varint(largest - least) [signed(place - place of the block before)])*
 */
import { type ByteReader, type ByteWriter, LOW_HALF } from '../format/byte-io.ts'
import { blockOf, notWhatWasWritten, type ReadRow, type ValueRows } from './value-rows.ts'

/** Number of integers per block of a packed list. */
export const PACKED = 8192

/** Writes the first `count` numbers and appends the directory of their blocks to `directory`. */
export function writePacked(
  to: ValueRows,
  directory: ByteWriter,
  numbers: Uint32Array | Float64Array,
  count: number,
): void {
  let before = 0
  for (let from = 0; from < count; from += PACKED) {
    const end = Math.min(count, from + PACKED)
    let least = numbers[from] as number
    let most = least
    for (let at = from + 1; at < end; at++) {
      const number = numbers[at] as number
      if (number < least) least = number
      else if (number > most) most = number
    }
    const width = widthOf(most - least)
    directory.varint(least)
    directory.varint(most - least)
    if (width === 0) continue
    const place = to.begin((end - from) * width, width === 3 ? 1 : width)
    directory.signed(place - before)
    before = place
    const bytes = to.row.extend((end - from) * width)
    for (let at = from, into = 0; at < end; at++) {
      let rest = (numbers[at] as number) - least
      for (let byte = 0; byte < width; byte++) {
        bytes[into++] = rest
        rest >>>= 8
      }
    }
  }
}

function widthOf(largest: number): number {
  if (largest < 0x100) return largest === 0 ? 0 : 1
  if (largest < 0x10000) return 2
  return largest < 0x1000000 ? 3 : 4
}

/** A list with random access by block or by index. */
export interface Numbers {
  readonly count: number
  /** Returns the number at an index below `count`. */
  at(place: number): number
  /** Returns a block's numbers, valid until the next call. */
  block(block: number): Uint32Array
  /** Returns a lower bound on the numbers in a block. */
  least(block: number): number
  /** Returns an upper bound on the numbers in a block. */
  most(block: number): number
}

/** Reads a list written by `writePacked`. */
export class PackedNumbers implements Numbers {
  readonly count: number
  readonly #read: ReadRow
  readonly #least: Float64Array
  readonly #span: Float64Array
  readonly #places: Float64Array
  #scratch: Uint32Array | undefined
  /** Block whose bytes are in `#bytes`, or -1. */
  #open = -1
  #bytes: Uint8Array = NONE

  /** Reads the directory. All numbers must be below `limit`. @throws IndexDamage */
  constructor(read: ReadRow, directory: ByteReader, count: number, limit: number) {
    const blocks = Math.ceil(count / PACKED)
    if (blocks * 2 > directory.bytes.length - directory.at) throw notWhatWasWritten()
    this.count = count
    this.#read = read
    this.#least = new Float64Array(blocks)
    this.#span = new Float64Array(blocks)
    this.#places = new Float64Array(blocks)
    let place = 0
    for (let block = 0; block < blocks; block++) {
      const least = directory.varint()
      const span = directory.varint()
      if (least + span >= limit || span > 0xffffffff) throw notWhatWasWritten()
      if (span > 0) place += directory.signed()
      if (place < 0) throw notWhatWasWritten()
      this.#least[block] = least
      this.#span[block] = span
      this.#places[block] = place
    }
  }

  least(block: number): number {
    return this.#least[block] as number
  }

  most(block: number): number {
    return (this.#least[block] as number) + (this.#span[block] as number)
  }

  at(place: number): number {
    const block = Math.floor(place / PACKED)
    const least = this.#least[block]
    if (least === undefined) throw notWhatWasWritten()
    const span = this.#span[block] as number
    if (span === 0) return least
    const bytes = this.#bytesOf(block)
    const width = widthOf(span)
    const from = (place % PACKED) * width
    let difference = bytes[from] as number
    if (width > 1) difference |= (bytes[from + 1] as number) << 8
    if (width > 2) difference |= (bytes[from + 2] as number) << 16
    if (width > 3) difference = (difference | ((bytes[from + 3] as number) << 24)) >>> 0
    if (difference > span) throw notWhatWasWritten()
    return least + difference
  }

  block(block: number): Uint32Array {
    const count = Math.min(PACKED, this.count - block * PACKED)
    this.#scratch ??= new Uint32Array(Math.min(PACKED, this.count))
    const into = this.#scratch.subarray(0, count)
    const least = this.#least[block] as number
    const span = this.#span[block] as number
    if (span === 0) return into.fill(least)
    const bytes = this.#bytesOf(block)
    unpack(bytes, widthOf(span), into)
    let most = 0
    for (let at = 0; at < count; at++) {
      const difference = into[at] as number
      if (difference > most) most = difference
      into[at] = difference + least
    }
    if (most > span) throw notWhatWasWritten()
    return into
  }

  #bytesOf(block: number): Uint8Array {
    if (block === this.#open) return this.#bytes
    const count = Math.min(PACKED, this.count - block * PACKED)
    const width = widthOf(this.#span[block] as number)
    this.#bytes = blockOf(this.#read, this.#places[block] as number, count * width)
    this.#open = block
    return this.#bytes
  }
}

const NONE = new Uint8Array(0)
const IS_LITTLE_ENDIAN = LOW_HALF === 0

function unpack(bytes: Uint8Array, width: number, into: Uint32Array): void {
  const { buffer, byteOffset } = bytes
  const count = into.length
  if (width === 1) into.set(bytes)
  else if (width === 2 && IS_LITTLE_ENDIAN && byteOffset % 2 === 0)
    into.set(new Uint16Array(buffer, byteOffset, count))
  else if (width === 4 && IS_LITTLE_ENDIAN && byteOffset % 4 === 0)
    into.set(new Uint32Array(buffer, byteOffset, count))
  else if (width === 3) {
    for (let at = 0, from = 0; at < count; at++, from += 3)
      into[at] =
        (bytes[from] as number) | ((bytes[from + 1] as number) << 8) | ((bytes[from + 2] as number) << 16)
  } else {
    for (let at = 0, from = 0; at < count; at++, from += width) {
      let number = 0
      for (let byte = width - 1; byte >= 0; byte--) number = (number << 8) | (bytes[from + byte] as number)
      into[at] = number
    }
  }
}

/** Consecutive numbers starting at `first`, which need no storage. */
export class Consecutive implements Numbers {
  readonly count: number
  readonly #first: number
  #scratch: Uint32Array | undefined

  constructor(first: number, count: number) {
    this.#first = first
    this.count = count
  }

  at(place: number): number {
    return this.#first + place
  }

  block(block: number): Uint32Array {
    const from = block * PACKED
    this.#scratch ??= new Uint32Array(Math.min(PACKED, this.count))
    const into = this.#scratch.subarray(0, this.count - from)
    for (let at = 0; at < into.length; at++) into[at] = this.#first + from + at
    return into
  }

  least(block: number): number {
    return this.#first + block * PACKED
  }

  most(block: number): number {
    return this.#first + Math.min(this.count, (block + 1) * PACKED) - 1
  }
}

/** A list of equal numbers. */
export class Same implements Numbers {
  readonly count: number
  readonly #number: number

  constructor(number: number, count: number) {
    this.#number = number
    this.count = count
  }

  at(): number {
    return this.#number
  }

  block(block: number): Uint32Array {
    return new Uint32Array(Math.min(PACKED, this.count - block * PACKED)).fill(this.#number)
  }

  least(): number {
    return this.#number
  }

  most(): number {
    return this.#number
  }
}

/** Calls `visit` with the numbers at indexes in `[from, end)`, one run at a time, until `visit` returns false. */
export function eachRun(
  numbers: Numbers,
  from: number,
  end: number,
  visit: (block: Uint32Array, from: number, end: number, place: number) => boolean | undefined,
): void {
  for (let at = from; at < end; ) {
    const block = Math.floor(at / PACKED)
    const start = block * PACKED
    const until = Math.min(end, start + PACKED)
    if (visit(numbers.block(block), at - start, until - start, at) === false) return
    at = until
  }
}
