/** Codes of values: integers that number the distinct values of several dictionaries in ascending order. */
import type { Column, Dictionary } from '../columns/column.ts'
import type { ColumnKind } from '../columns/column-key.ts'
import type { EntityKey, Point } from '../port/conditions.ts'
import type { Deadline } from './deadline.ts'
import type { DocumentSet } from './document-set.ts'
import { eachOrdinal } from './each-ordinal.ts'
import type { Room } from './room.ts'

/** A value in results. */
type Value = number | boolean | string | EntityKey | Point

/** A dictionary, and the ordinals of its values that need a code. */
export interface CodedPart {
  readonly dictionary: Dictionary
  readonly ordinals: () => Uint32Array
}

/** Values in ascending order. Equal ones, of different dictionaries, are neighbours. */
interface Run {
  readonly parts: Uint32Array
  readonly ordinals: Uint32Array
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
  /** One of the values of each code, or undefined if codes are ordinals. */
  readonly #values: Run | undefined

  constructor(parts: readonly CodedPart[], room: Room) {
    this.#dictionaries = parts.map(({ dictionary }) => dictionary)
    const [only] = this.#dictionaries
    if (only && parts.length === 1 && isDistinct(only)) {
      this.of = [undefined]
      this.count = sizeOf(only)
      this.isComplete = true
      return
    }
    // A code, and the run with its copy.
    const hasRoom = room.take(this.#dictionaries.reduce((sum, each) => sum + 2.5 * sizeOf(each), 0))
    const { parts: from, ordinals } = hasRoom ? this.#inOrder(parts, room.deadline) : NO_VALUES
    this.isComplete = hasRoom && !room.deadline.check()
    this.of = this.#dictionaries.map((each) => new Int32Array(hasRoom ? sizeOf(each) : 0).fill(-1))
    let count = 0
    for (let at = 0; at < ordinals.length; at++) {
      const [part, ordinal] = [from[at] as number, ordinals[at] as number]
      const isNew =
        at === 0 || this.#compare(from[count - 1] as number, ordinals[count - 1] as number, part, ordinal) < 0
      if (isNew) {
        from[count] = part
        ordinals[count++] = ordinal
      }
      ;(this.of[part] as Int32Array)[ordinal] = count - 1
    }
    this.count = count
    this.#values = { parts: from, ordinals }
  }

  /** Returns the code of a value, or -1. */
  code(part: number, ordinal: number): number {
    const codes = this.of[part]
    return codes ? (codes[ordinal] ?? -1) : ordinal
  }

  /** Returns the value of a code as it appears in results. */
  value(code: number, kind: ColumnKind): Value {
    const dictionary = this.#dictionaries[this.#values?.parts[code] ?? 0] as Dictionary
    return valueAt(dictionary, kind, this.#values?.ordinals[code] ?? code)
  }

  #inOrder(parts: readonly CodedPart[], deadline: Deadline): Run {
    const runs = parts.map(({ ordinals }, part): Run => {
      const used = ordinals()
      return { parts: new Uint32Array(used.length).fill(part), ordinals: used }
    })
    while (runs.length > 1) {
      runs.sort((left, right) => right.ordinals.length - left.ordinals.length)
      const [left, right] = runs.splice(-2) as [Run, Run]
      runs.push(this.#merged(left, right, deadline))
    }
    return deadline.check() || !runs[0] ? NO_VALUES : runs[0]
  }

  #merged(left: Run, right: Run, deadline: Deadline): Run {
    const length = left.ordinals.length + right.ordinals.length
    const run = { parts: new Uint32Array(length), ordinals: new Uint32Array(length) }
    for (let at = 0, one = 0, other = 0; at < length && !deadline.step(); at++) {
      const isLeft =
        other === right.ordinals.length ||
        (one < left.ordinals.length &&
          this.#compare(
            left.parts[one] as number,
            left.ordinals[one] as number,
            right.parts[other] as number,
            right.ordinals[other] as number,
          ) <= 0)
      const from = isLeft ? left : right
      const next = isLeft ? one++ : other++
      run.parts[at] = from.parts[next] as number
      run.ordinals[at] = from.ordinals[next] as number
    }
    return run
  }

  #compare(part: number, ordinal: number, otherPart: number, otherOrdinal: number): number {
    const [one, other] = [this.#dictionaries[part] as Dictionary, this.#dictionaries[otherPart] as Dictionary]
    return compareValues(one, ordinal, other, otherOrdinal)
  }
}

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

const NO_VALUES: Run = { parts: new Uint32Array(0), ordinals: new Uint32Array(0) }

function sizeOf({ texts, numbers }: Dictionary): number {
  return (texts ?? numbers).count
}

/** Reports whether all values differ. The time of a segment, the last of its instants, may equal the one before it. */
function isDistinct({ numbers, longitudes }: Dictionary): boolean {
  const last = numbers && !longitudes ? numbers.count - 1 : 0
  return last <= 0 || numbers?.at(last) !== numbers?.at(last - 1)
}

/** Returns the ordinals of all values that the documents of a set have in a column. */
export function usedOrdinals(column: Column, set: DocumentSet): Uint32Array {
  const isUsed = new Uint8Array(column.values)
  eachOrdinal(column, set, (ordinal) => {
    isUsed[ordinal] = 1
  })
  return presentOrdinals(isUsed)
}

/** Returns the ordinals whose count is not 0. */
export function presentOrdinals(counts: Uint8Array | Uint32Array): Uint32Array {
  const present = new Uint32Array(counts.length)
  let length = 0
  for (let ordinal = 0; ordinal < counts.length; ordinal++)
    if (counts[ordinal] !== 0) present[length++] = ordinal
  return present.subarray(0, length)
}
