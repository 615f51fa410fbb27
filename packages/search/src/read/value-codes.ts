/** Codes of values: integers that number the distinct values of several dictionaries in ascending order. */
import type { Column, Dictionary } from '../columns/column.ts'
import type { ColumnKind } from '../columns/column-key.ts'
import type { Point } from '../port/conditions.ts'
import type { Deadline } from './deadline.ts'
import type { DocumentSet } from './document-set.ts'
import { eachOrdinal } from './each-ordinal.ts'
import { valueAt } from './facets.ts'
import type { Room } from './room.ts'

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

  /** Returns the value of a code as it appears in results. */
  value(code: number, kind: ColumnKind): number | boolean | string | { type: string; id: string } | Point {
    const part = this.#values?.parts[code] ?? 0
    const ordinal = this.#values?.ordinals[code] ?? code
    const dictionary = this.#dictionaries[part] as Dictionary
    const { numbers, longitudes } = dictionary
    if (longitudes) return { longitude: longitudes.at(ordinal), latitude: numbers.at(ordinal) }
    const value = valueAt({ dictionary }, kind, ordinal)
    return value === 0 ? 0 : value
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
    const one = this.#dictionaries[part] as Dictionary
    const other = this.#dictionaries[otherPart] as Dictionary
    if (one.texts) {
      if (one === other || !other.texts) return ordinal - otherOrdinal
      return Buffer.compare(one.texts.bytes(ordinal), other.texts.bytes(otherOrdinal))
    }
    const difference = one.numbers.at(ordinal) - (other.numbers?.at(otherOrdinal) ?? 0)
    if (difference !== 0 || !one.longitudes) return difference
    return one.longitudes.at(ordinal) - (other.longitudes?.at(otherOrdinal) ?? 0)
  }
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
  const used: number[] = []
  for (let ordinal = 0; ordinal < isUsed.length; ordinal++) if (isUsed[ordinal] === 1) used.push(ordinal)
  return Uint32Array.from(used)
}
