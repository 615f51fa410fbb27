/** Distinct values of a column in ascending order. The index of a value is its ordinal. */
import { bisect } from '../format/bisect.ts'
import { ByteReader, ByteWriter, compareBytes, grown } from '../format/byte-io.ts'
import { ROW_BYTES } from '../port/segment-store.ts'
import { PackedNumbers, writePacked } from './packed.ts'
import { blockOf, notWhatWasWritten, type ReadRow, type ValueRows } from './value-rows.ts'

/** Number of doubles per block. */
const DOUBLES = 4096
/** Maximum number of decimal places tried before a block is written as raw doubles. */
const MAX_SCALE = 9
const RAW = 255
/** Magnitude below which the minimum of a block fits a signed variable-length integer. */
const LARGEST = 2 ** 52

/**
 * Writes doubles. If all numbers in a block have few decimal places, they are scaled to integers and stored as packed
 * differences from the minimum. This is lossless, since dividing an integer by the scale yields exactly the original double.
 */
export function writeDoubles(
  to: ValueRows,
  directory: ByteWriter,
  numbers: Float64Array,
  count: number,
): void {
  const scaled = new Float64Array(Math.min(DOUBLES, count))
  for (let from = 0; from < count; from += DOUBLES) {
    const block = numbers.subarray(from, Math.min(count, from + DOUBLES))
    const scale = scaleOf(block, scaled)
    directory.byte(scale)
    if (scale !== RAW) {
      const least = leastOf(scaled, block.length)
      for (let at = 0; at < block.length; at++) scaled[at] = (scaled[at] as number) - least
      directory.signed(least)
      writePacked(to, directory, scaled, block.length)
      continue
    }
    directory.varint(to.begin(8 * block.length, 8))
    const bytes = new DataView(new ArrayBuffer(8 * block.length))
    for (let at = 0; at < block.length; at++) bytes.setFloat64(8 * at, block[at] as number, true)
    to.row.copy(new Uint8Array(bytes.buffer))
  }
}

/** Returns the smallest scale that makes all numbers integers, or `RAW` if there is none. Writes the integers to `into`. */
function scaleOf(block: Float64Array, into: Float64Array): number {
  for (let scale = 0; scale <= MAX_SCALE; scale++) {
    const factor = 10 ** scale
    let least = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    let at = 0
    for (; at < block.length; at++) {
      const number = block[at] as number
      const whole = Math.round(number * factor)
      if (whole / factor !== number || !(Math.abs(whole) < LARGEST)) break
      into[at] = whole
      if (whole < least) least = whole
      if (whole > most) most = whole
    }
    if (at === block.length && most - least <= 0xffffffff) return scale
  }
  return RAW
}

function leastOf(numbers: Float64Array, count: number): number {
  let least = numbers[0] as number
  for (let at = 1; at < count; at++) if ((numbers[at] as number) < least) least = numbers[at] as number
  return least
}

/** Reads doubles written by `writeDoubles`. */
export class Doubles {
  readonly count: number
  readonly #read: ReadRow
  readonly #factors: Float64Array
  readonly #least: Float64Array
  readonly #packed: (PackedNumbers | undefined)[] = []
  readonly #places: Float64Array

  /** Reads the directory. @throws IndexDamage */
  constructor(read: ReadRow, directory: ByteReader, count: number) {
    const blocks = Math.ceil(count / DOUBLES)
    if (blocks * 2 > directory.bytes.length - directory.at) throw notWhatWasWritten()
    this.count = count
    this.#read = read
    this.#factors = new Float64Array(blocks)
    this.#least = new Float64Array(blocks)
    this.#places = new Float64Array(blocks)
    for (let block = 0; block < blocks; block++) {
      const inBlock = Math.min(DOUBLES, count - block * DOUBLES)
      const scale = directory.byte()
      if (scale === RAW) {
        this.#places[block] = directory.varint()
        this.#packed.push(undefined)
        continue
      }
      if (scale > MAX_SCALE) throw notWhatWasWritten()
      this.#factors[block] = 10 ** scale
      this.#least[block] = directory.signed()
      this.#packed.push(new PackedNumbers(read, directory, inBlock, 2 ** 32))
    }
  }

  at(place: number): number {
    const block = Math.floor(place / DOUBLES)
    const packed = this.#packed[block]
    if (packed) {
      const whole = (this.#least[block] as number) + packed.at(place % DOUBLES)
      return whole / (this.#factors[block] as number)
    }
    const begin = this.#places[block]
    if (begin === undefined || place >= this.count) throw notWhatWasWritten()
    const bytes = blockOf(this.#read, begin + 8 * (place % DOUBLES), 8)
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true)
  }
}

/** Number of texts per block. Within a block, each text is prefix-compressed against the previous one. */
const RESTART = 16
/** Maximum length of text in bytes, enough for a reference with the longest path. */
export const MAX_TEXT_BYTES = 3_000

/** Writes texts, which must arrive as bytes in ascending order. */
export class TextsWriter {
  readonly #to: ValueRows
  readonly #block = new ByteWriter()
  readonly #last = new Uint8Array(MAX_TEXT_BYTES)
  #lastLength = 0
  #places = new Float64Array(16)
  #blocks = 0
  count = 0

  constructor(to: ValueRows) {
    this.#to = to
  }

  /** Adds a text, which must sort after all previous texts. */
  add(bytes: Uint8Array, length = bytes.length): void {
    const block = this.#block
    if (this.count % RESTART === 0) this.#flush()
    let shared = 0
    if (this.count % RESTART !== 0) {
      const common = Math.min(length, this.#lastLength)
      while (shared < common && bytes[shared] === this.#last[shared]) shared += 1
    }
    block.varint(shared)
    block.varint(length - shared)
    block.copy(bytes, shared, length)
    for (let at = shared; at < length; at++) this.#last[at] = bytes[at] as number
    this.#lastLength = length
    this.count += 1
  }

  /** Writes the last block and the directory. */
  end(directory: ByteWriter): void {
    this.#flush()
    writePacked(this.#to, directory, this.#places, this.#blocks)
  }

  #flush(): void {
    const { length } = this.#block
    if (length === 0) return
    if (this.#blocks === this.#places.length) this.#places = grown(this.#places, Float64Array)
    this.#places[this.#blocks++] = this.#to.begin(length, 1)
    this.#to.row.copy(this.#block.bytes, 0, length)
    this.#block.length = 0
  }
}

/** Reads texts written by `TextsWriter`. */
export class Texts {
  readonly count: number
  readonly #read: ReadRow
  readonly #places: PackedNumbers
  readonly #reader = new ByteReader(new Uint8Array(0))
  /** Buffer for the text at `#ordinal`, of which only the first `#length` bytes are valid. */
  readonly #bytes = new Uint8Array(MAX_TEXT_BYTES)
  #length = 0
  #ordinal = -1

  /** Reads the directory. @throws IndexDamage */
  constructor(read: ReadRow, directory: ByteReader, count: number) {
    this.count = count
    this.#read = read
    const blocks = Math.ceil(count / RESTART)
    this.#places = new PackedNumbers(read, directory, blocks, Number.MAX_SAFE_INTEGER)
  }

  /** Returns the bytes of the text at `ordinal`, valid until the next call. */
  bytes(ordinal: number): Uint8Array {
    this.#moveTo(ordinal)
    return this.#bytes.subarray(0, this.#length)
  }

  /** Returns the number of texts that sort before these bytes. */
  before(bytes: Uint8Array): number {
    const isBefore = (ordinal: number) => {
      this.#moveTo(ordinal)
      return compareBytes(this.#bytes, this.#length, bytes, bytes.length) < 0
    }
    const block = bisect(0, this.#places.count, (at) => isBefore(at * RESTART))
    if (block === 0) return 0
    // The preceding block may end with texts that do not sort before the bytes.
    const end = Math.min(this.count, block * RESTART)
    for (let at = (block - 1) * RESTART + 1; at < end; at++) if (!isBefore(at)) return at
    return end
  }

  #moveTo(ordinal: number): void {
    if (ordinal === this.#ordinal) return
    if (ordinal >= this.count) throw notWhatWasWritten()
    const reader = this.#reader
    const begin = ordinal - (ordinal % RESTART)
    if (this.#ordinal < begin || this.#ordinal > ordinal) {
      const place = this.#places.at(begin / RESTART)
      reader.bytes = this.#read(Math.floor(place / ROW_BYTES))
      reader.at = place % ROW_BYTES
      this.#ordinal = begin - 1
      this.#length = 0
    }
    while (this.#ordinal < ordinal) this.#next()
  }

  #next(): void {
    const reader = this.#reader
    const shared = reader.varint()
    const further = reader.varint()
    const from = reader.at
    const end = from + further
    if (shared > this.#length || shared + further > MAX_TEXT_BYTES || end > reader.bytes.length) {
      this.#ordinal = -1
      throw notWhatWasWritten()
    }
    for (let at = shared, next = from; next < end; at++, next++)
      this.#bytes[at] = reader.bytes[next] as number
    reader.at = end
    this.#length = shared + further
    this.#ordinal += 1
  }
}
