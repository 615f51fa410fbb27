/** Merges the values of dictionaries of one kind into ascending distinct values, and maps old ordinals to new ones. */
import { compareBytes } from '../format/byte-io.ts'
import type { Dictionary } from './column.ts'
import type { Values } from './column-writer.ts'
import { MAX_TEXT_BYTES } from './dictionary.ts'

/** Number of values merged per step, that is, between two yields. */
const STEP = 1024
/** Number of leading bytes of a text that form its sort key. They must fit into an integer. */
const PREFIX = 6

/** A dictionary whose values are merged with those of others of its kind. */
export interface ValuePart {
  readonly dictionary: Dictionary
  /** For each ordinal, 0 if its value is not used. */
  readonly isUsed: Uint8Array | Uint32Array
  /** For each ordinal, the number of its value among all used ones. Filled in by the merge. */
  readonly ordinals: Int32Array
}

/** Distinct values in ascending order, each with the part and the ordinal at which it was found first. */
export interface Distinct {
  readonly count: number
  readonly parts: Uint32Array
  readonly ordinals: Uint32Array
}

/** Numbers the used values of all parts in ascending order, in steps. Equal values get the same number. */
export function* numberValues(parts: readonly ValuePart[]): Generator<void, Distinct> {
  const cursors = parts.map((part, at) => new Cursor(part, at))
  const heap = cursors.filter((cursor) => cursor.advance())
  for (let at = heap.length >>> 1; at >= 0; at--) siftDown(heap, at)
  const most = parts.reduce((sum, { isUsed }) => sum + isUsed.length, 0)
  const found = { parts: new Uint32Array(most), ordinals: new Uint32Array(most) }
  const last = new LastValue()
  let count = 0
  for (let steps = 1; heap.length > 0; steps++) {
    if (steps % STEP === 0) yield
    const first = heap[0] as Cursor
    if (last.replace(first)) {
      found.parts[count] = first.at
      found.ordinals[count++] = first.ordinal
    }
    first.part.ordinals[first.ordinal] = count - 1
    if (!first.advance()) {
      const moved = heap.pop() as Cursor
      if (heap.length > 0) heap[0] = moved
    }
    siftDown(heap, 0)
  }
  return { ...found, count }
}

/** Numbers the used values of all parts, and returns them in ascending order. */
export function* mergeValues(parts: readonly ValuePart[]): Generator<void, Values> {
  const { count, ...found } = yield* numberValues(parts)
  const dictionaries = parts.map(({ dictionary }) => dictionary)
  const of = (value: number) => dictionaries[found.parts[value] as number] as Dictionary
  if (dictionaries[0]?.texts) return { count, texts: textsOf(found, count, of) }
  const numbers = new Float64Array(count)
  const longitudes = dictionaries[0]?.longitudes && new Float64Array(count)
  for (let value = 0; value < count; value++) {
    const { numbers: from, longitudes: east } = of(value)
    numbers[value] = from?.at(found.ordinals[value] as number) ?? 0
    if (longitudes) longitudes[value] = east?.at(found.ordinals[value] as number) ?? 0
  }
  return { count, numbers, longitudes }
}

function* textsOf(
  { ordinals }: Pick<Distinct, 'ordinals'>,
  count: number,
  of: (value: number) => Dictionary,
): Generator<Uint8Array> {
  for (let value = 0; value < count; value++) yield of(value).texts?.bytes(ordinals[value] as number) ?? NONE
}

/** Iterates over the used values of a part. */
class Cursor {
  /** Sort key of the current value: a number, the latitude of a location, or the leading bytes of a text as an integer. */
  key = 0
  /** Longitude of a location, or 0 for texts and numbers. */
  longitude = 0
  /** Bytes of a text, valid until the cursor moves. */
  bytes: Uint8Array = NONE
  readonly part: ValuePart
  /** Index of the part. */
  readonly at: number
  ordinal = -1

  constructor(part: ValuePart, at: number) {
    this.part = part
    this.at = at
  }

  /** Advances to the next used value. Returns false if there is none. */
  advance(): boolean {
    const { isUsed, dictionary } = this.part
    do this.ordinal += 1
    while (isUsed[this.ordinal] === 0)
    if (this.ordinal >= isUsed.length) return false
    const { texts, numbers, longitudes } = dictionary
    if (texts) {
      this.bytes = texts.bytes(this.ordinal)
      this.key = prefixOf(this.bytes)
    } else {
      this.key = numbers.at(this.ordinal)
      if (longitudes) this.longitude = longitudes.at(this.ordinal)
    }
    return true
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

/** Copy of the value that was numbered last. */
class LastValue {
  #key = Number.NaN
  #longitude = 0
  readonly #bytes = new Uint8Array(MAX_TEXT_BYTES)
  #length = 0

  /** Takes over the value of a cursor. Returns false if it is the same. */
  replace({ key, longitude, bytes }: Cursor): boolean {
    const isSame =
      key === this.#key &&
      longitude === this.#longitude &&
      compareBytes(bytes, bytes.length, this.#bytes, this.#length) === 0
    if (isSame) return false
    this.#key = key
    this.#longitude = longitude
    this.#bytes.set(bytes)
    this.#length = bytes.length
    return true
  }
}
