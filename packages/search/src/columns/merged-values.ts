/** Merges the values of columns of one kind into ascending distinct values, and maps old ordinals to new ones. */

import { ByteWriter, compareBytes } from '../format/byte-io.ts'
import type { Column } from './column.ts'
import type { Values } from './column-writer.ts'

/** Number of values merged per step, that is, between two yields. */
const STEP = 1024
/** Number of leading bytes of a text that form its sort key. They must fit into an integer. */
const PREFIX = 6

/** A column whose values are merged. */
export interface ValuePart {
  readonly column: Column
  /** For each ordinal, 1 if its value is still used, and otherwise 0. */
  readonly isUsed: Uint8Array
  /** For each old ordinal, the new one. Filled in by the merge. */
  readonly ordinals: Uint32Array
}

/** Assigns a new ordinal to every value that is still used. Returns these values in ascending order. */
export function* mergeValues(parts: readonly ValuePart[]): Generator<void, Values> {
  const heap: Cursor[] = []
  for (const part of parts) {
    const cursor = new Cursor(part)
    if (cursor.advance()) heap.push(cursor)
  }
  for (let at = heap.length >>> 1; at >= 0; at--) siftDown(heap, at)
  const merged = new MergedValues(parts)
  for (let steps = 1; heap.length > 0; steps++) {
    if (steps % STEP === 0) yield
    const first = heap[0] as Cursor
    first.renumber(merged.ordinalOf(first))
    if (!first.advance()) {
      const last = heap.pop() as Cursor
      if (heap.length > 0) heap[0] = last
    }
    siftDown(heap, 0)
  }
  return merged.values()
}

/** Iterates over the used values of a column. */
class Cursor {
  /** Sort key of the current value: a number, the latitude of a location, or the leading bytes of a text as an integer. */
  key = 0
  /** Longitude of a location, or 0 for texts and numbers. */
  longitude = 0
  /** Bytes of a text, valid until the cursor moves. */
  bytes: Uint8Array = NONE
  readonly #part: ValuePart
  #ordinal = -1

  constructor(part: ValuePart) {
    this.#part = part
  }

  /** Advances to the next used value. Returns false if there is none. */
  advance(): boolean {
    const { isUsed, column } = this.#part
    do this.#ordinal += 1
    while (isUsed[this.#ordinal] === 0)
    if (this.#ordinal >= isUsed.length) return false
    const { texts, numbers, longitudes } = column.dictionary
    if (texts) {
      this.bytes = texts.bytes(this.#ordinal)
      this.key = prefixOf(this.bytes)
    } else {
      this.key = numbers.at(this.#ordinal)
      if (longitudes) this.longitude = longitudes.at(this.#ordinal)
    }
    return true
  }

  renumber(ordinal: number): void {
    this.#part.ordinals[this.#ordinal] = ordinal
  }
}

const NONE = new Uint8Array(0)

function prefixOf(bytes: Uint8Array): number {
  let prefix = 0
  for (let at = 0; at < PREFIX; at++) prefix = prefix * 256 + (bytes[at] ?? 0)
  return prefix
}

function isBefore(left: Cursor, right: Cursor): boolean {
  // Subtracting the keys would not work, since both may be infinite.
  if (left.key !== right.key) return left.key < right.key
  if (left.longitude !== right.longitude) return left.longitude < right.longitude
  return compareBytes(left.bytes, left.bytes.length, right.bytes, right.bytes.length) < 0
}

/** Sifts a cursor down in a min-heap. */
function siftDown(heap: Cursor[], from: number): void {
  const cursor = heap[from]
  if (!cursor) return
  let at = from
  for (;;) {
    let below = 2 * at + 1
    const [left, right] = [heap[below], heap[below + 1]]
    if (!left) break
    if (right && isBefore(right, left)) below += 1
    const least = heap[below] as Cursor
    if (!isBefore(least, cursor)) break
    heap[at] = least
    at = below
  }
  heap[at] = cursor
}

/** Distinct values merged so far. */
class MergedValues {
  readonly #isText: boolean
  readonly #numbers: Float64Array
  readonly #longitudes: Float64Array | undefined
  /** Concatenated texts, and the end offset of each. */
  readonly #texts = new ByteWriter()
  readonly #ends: Float64Array
  #last: { readonly key: number; readonly longitude: number } = { key: Number.NaN, longitude: 0 }
  #count = 0

  constructor(parts: readonly ValuePart[]) {
    const most = parts.reduce((sum, { column }) => sum + column.values, 0)
    const { texts, longitudes } = parts[0]?.column.dictionary ?? {}
    this.#isText = texts !== undefined
    this.#ends = new Float64Array(this.#isText ? most : 0)
    this.#numbers = new Float64Array(this.#isText ? 0 : most)
    this.#longitudes = longitudes && new Float64Array(most)
  }

  /** Returns the new ordinal of the cursor's value. Values must arrive in ascending order. */
  ordinalOf(cursor: Cursor): number {
    const { key, longitude, bytes } = cursor
    if (key === this.#last.key && longitude === this.#last.longitude && this.#isLast(bytes))
      return this.#count - 1
    this.#last = { key, longitude }
    if (this.#isText) {
      this.#texts.copy(bytes)
      this.#ends[this.#count] = this.#texts.length
    } else {
      this.#numbers[this.#count] = key
      if (this.#longitudes) this.#longitudes[this.#count] = longitude
    }
    return this.#count++
  }

  values(): Values {
    const count = this.#count
    if (this.#isText) return { texts: this.#each(), count }
    return { numbers: this.#numbers, longitudes: this.#longitudes, count }
  }

  #isLast(bytes: Uint8Array): boolean {
    if (!this.#isText) return true
    const { bytes: all, length } = this.#texts
    const start = this.#count > 1 ? (this.#ends[this.#count - 2] as number) : 0
    if (length - start !== bytes.length) return false
    for (let at = 0; at < bytes.length; at++) if (all[start + at] !== bytes[at]) return false
    return true
  }

  *#each(): Generator<Uint8Array> {
    let start = 0
    for (let at = 0; at < this.#count; at++) {
      const end = this.#ends[at] as number
      yield this.#texts.bytes.subarray(start, end)
      start = end
    }
  }
}
