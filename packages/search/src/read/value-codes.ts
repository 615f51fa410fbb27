/** Codes of values: integers that number the distinct values of several dictionaries in ascending order. */
import type { Column, Dictionary } from '../columns/column.ts'
import type { ColumnKind } from '../columns/column-key.ts'
import { type Distinct, numberValues } from '../columns/merged-values.ts'
import type { Group } from '../port/conditions.ts'
import type { DocumentSet } from './document-set.ts'
import { eachOrdinal } from './each-ordinal.ts'
import type { Room } from './room.ts'

/** A value in results. */
type Value = NonNullable<Group['key'][number]>

/** A dictionary, and what tells which of its values need a code. */
export interface CodedPart {
  readonly dictionary: Dictionary
  /** Returns 0 at the ordinal of each value that needs none. By default, all need one. */
  readonly used: (() => Uint8Array | Uint32Array) | undefined
}

/** Numbers the values of dictionaries of the same kind. */
export class ValueCodes {
  /** Number of codes. */
  readonly count: number
  /** Code by ordinal for each dictionary, -1 for values without one. Undefined if codes are ordinals. */
  readonly of: readonly (Int32Array | undefined)[]
  /** Unset if time or room ran out. No value has a code then. */
  readonly isComplete: boolean
  readonly #dictionaries: readonly Dictionary[]
  /** Value of each code, or undefined if codes are ordinals. */
  readonly #values: Distinct | undefined

  constructor(parts: readonly CodedPart[], room: Room) {
    this.#dictionaries = parts.map(({ dictionary }) => dictionary)
    const [only] = this.#dictionaries
    if (only && parts.length === 1 && isDistinct(only)) {
      this.of = [undefined]
      this.count = sizeOf(only)
      this.isComplete = true
      return
    }
    // A code, the place of a value, and a mark that it is used.
    const hasRoom = room.take(this.#dictionaries.reduce((sum, each) => sum + 1.625 * sizeOf(each), 0))
    const merged = (hasRoom ? parts : []).map(({ dictionary, used }) => {
      const size = sizeOf(dictionary)
      const isUsed = used?.() ?? new Uint8Array(size).fill(1)
      return { dictionary, isUsed, ordinals: new Int32Array(size).fill(-1) }
    })
    const work = numberValues(merged)
    let step = work.next()
    while (!step.done && !room.deadline.check()) step = work.next()
    this.#values = hasRoom && step.done && !room.deadline.check() ? step.value : undefined
    this.isComplete = this.#values !== undefined
    this.count = this.#values?.count ?? 0
    this.of = parts.map((_, at) => (this.isComplete ? merged[at]?.ordinals : NO_CODES))
  }

  /** Returns the value of a code as it appears in results. */
  value(code: number, kind: ColumnKind): Value {
    const dictionary = this.#dictionaries[this.#values?.parts[code] ?? 0] as Dictionary
    return valueAt(dictionary, kind, this.#values?.ordinals[code] ?? code)
  }
}

const NO_CODES = new Int32Array(0)

/** Compares values of the same kind. */
export function compareValues(
  one: Dictionary,
  ordinal: number,
  other: Dictionary,
  otherOrdinal: number,
): number {
  if (one.texts) {
    if (one === other || !other.texts) return ordinal - otherOrdinal
    return Buffer.compare(one.texts.bytes(ordinal), other.texts.bytes(otherOrdinal))
  }
  const difference = one.numbers.at(ordinal) - (other.numbers?.at(otherOrdinal) ?? 0)
  if (difference !== 0 || !one.longitudes) return difference
  return one.longitudes.at(ordinal) - (other.longitudes?.at(otherOrdinal) ?? 0)
}

/** Returns a value as it appears in results. */
export function valueAt(
  { numbers, longitudes, texts }: Dictionary,
  kind: ColumnKind,
  ordinal: number,
): Value {
  if (longitudes) return { longitude: longitudes.at(ordinal), latitude: numbers.at(ordinal) }
  // Adding 0 to -0 gives 0.
  if (numbers) return kind === 'boolean' ? numbers.at(ordinal) === 1 : numbers.at(ordinal) + 0
  const text = Buffer.from(texts.bytes(ordinal)).toString()
  if (kind !== 'reference') return text
  const space = text.indexOf(' ')
  return { type: text.slice(0, space), id: text.slice(space + 1) }
}

function sizeOf({ texts, numbers }: Dictionary): number {
  return (texts ?? numbers).count
}

/** Reports whether all values differ. The time of a segment, the last of its instants, may equal the one before it. */
function isDistinct({ numbers, longitudes }: Dictionary): boolean {
  const last = numbers && !longitudes ? numbers.count - 1 : 0
  return last <= 0 || numbers?.at(last) !== numbers?.at(last - 1)
}

/** Returns 1 for each value of a column that a document of a set has. */
export function usedIn(column: Column, set: DocumentSet): Uint8Array {
  const isUsed = new Uint8Array(column.values)
  eachOrdinal(column, set, (ordinal) => {
    isUsed[ordinal] = 1
  })
  return isUsed
}

/** Returns the ordinals whose count is not 0. */
export function presentOrdinals(counts: Uint32Array): Uint32Array {
  const present = new Uint32Array(counts.length)
  let length = 0
  for (let ordinal = 0; ordinal < counts.length; ordinal++)
    if (counts[ordinal] !== 0) present[length++] = ordinal
  return present.subarray(0, length)
}
