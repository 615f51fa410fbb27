/** Column values that satisfy a condition, as ranges of ordinals. */
import type { Column } from '../columns/column.ts'
import { referenceText } from '../columns/column-key.ts'
import { EARTH_RADIUS, metresBetween } from '../columns/sphere.ts'
import { bisect } from '../format/bisect.ts'
import {
  type Condition,
  kindOfOperand,
  type Operand,
  type Point,
  type ValueKind,
} from '../port/conditions.ts'
import type { Deadline } from './deadline.ts'

/** A condition on one column. */
export type Leaf = Extract<
  Condition,
  { op: '=' | '<' | '<=' | '>' | '>=' | 'between' | 'prefix' | 'inBox' | 'within' }
>

/** Disjoint half-open ranges of ordinals, in ascending order. */
export type Ranges = readonly (readonly [from: number, end: number])[]

/** Returns the kind of values that a condition tests, or undefined if it mixes kinds. */
export function kindOfLeaf(leaf: Leaf): ValueKind | undefined {
  if (leaf.op === 'inBox' || leaf.op === 'within') return 'place'
  if (leaf.op === 'prefix') return 'text'
  if (leaf.op !== 'between') return kindOfOperand(leaf.value)
  const kind = kindOfOperand(leaf.low)
  return kindOfOperand(leaf.high) === kind ? kind : undefined
}

/** Returns the ordinals of all matching values, or of some if time runs out. The column must be of the condition's kind. */
export function rangesOf(column: Column, leaf: Leaf, deadline: Deadline): Ranges {
  switch (leaf.op) {
    case 'inBox':
      return placesIn(column, leaf.south, leaf.north, (place) => isInBox(place, leaf), deadline)
    case 'within':
      return circleRanges(column, leaf, deadline)
    case 'prefix':
      return leaf.prefix.isWellFormed() ? textRange(column, Buffer.from(leaf.prefix)) : []
    case 'between':
      return range(before(column, leaf.low, false), before(column, leaf.high, true))
    case '=':
      return equal(column, leaf.value)
    case '<':
      return range(0, before(column, leaf.value, false))
    case '<=':
      return range(0, before(column, leaf.value, true))
    case '>':
      return range(before(column, leaf.value, true), column.values)
    case '>=':
      return range(before(column, leaf.value, false), column.values)
  }
}

/** Returns how many column values are below an operand of the same kind. Also counts an equal value if `included` is set. */
export function before({ dictionary, values }: Column, operand: Operand, included: boolean): number {
  if (dictionary.texts) {
    const bytes = bytesOf(operand)
    const place = dictionary.texts.before(bytes)
    if (!included || place >= values || !textOf(operand).isWellFormed()) return place
    return Buffer.compare(dictionary.texts.bytes(place), bytes) === 0 ? place + 1 : place
  }
  const number = typeof operand === 'object' && 'instant' in operand ? operand.instant : Number(operand)
  return numbersBefore(dictionary.numbers, values, number, included)
}

function textOf(operand: Operand): string {
  return typeof operand === 'object' && 'reference' in operand
    ? referenceText(operand.reference)
    : String(operand)
}

function bytesOf(operand: Operand): Uint8Array {
  return Buffer.from(textOf(operand))
}

/** Returns how many of the first `count` sorted numbers are below `number`, or at most `number` if `included` is set. */
export function numbersBefore(
  numbers: { at(place: number): number },
  count: number,
  number: number,
  included: boolean,
): number {
  return bisect(0, count, (at) => numbers.at(at) < number || (included && numbers.at(at) === number))
}

/** Returns the range of the value that equals an operand. */
function equal(column: Column, operand: Operand): Ranges {
  const from = before(column, operand, false)
  const { texts } = column.dictionary
  if (!texts) return range(from, before(column, operand, true))
  const isThere = from < column.values && Buffer.compare(texts.bytes(from), bytesOf(operand)) === 0
  return isThere && textOf(operand).isWellFormed() ? [[from, from + 1]] : []
}

/** Returns the range of texts that begin with these bytes. */
export function textRange({ dictionary, values }: Column, prefix: Uint8Array): Ranges {
  const { texts } = dictionary
  if (!texts) return []
  const from = texts.before(prefix)
  // No UTF-8 text contains this byte.
  const end = texts.before(Buffer.concat([prefix, Uint8Array.of(0xff)]))
  return range(from, Math.min(end, values))
}

function range(from: number, end: number): Ranges {
  return from < end ? [[from, end]] : []
}

/** Reports whether a location is in a box, which may cross the 180th meridian. */
export function isInBox({ longitude, latitude }: Point, box: Extract<Leaf, { op: 'inBox' }>): boolean {
  const { west, south, east, north } = box
  const [isEast, isWest] = [longitude >= west, longitude <= east]
  return latitude >= south && latitude <= north && (west <= east ? isEast && isWest : isEast || isWest)
}

function circleRanges(
  column: Column,
  { center, metres }: Extract<Leaf, { op: 'within' }>,
  deadline: Deadline,
): Ranges {
  // The box is slightly wider than the circle, so that rounding excludes nothing.
  const span = (metres / EARTH_RADIUS) * (180 / Math.PI) * (1 + 1e-9) + 1e-9
  const fits = (place: Point) => metresBetween(center, place) <= metres
  return placesIn(column, center.latitude - span, center.latitude + span, fits, deadline)
}

/** Returns the locations between two latitudes for which `fits` returns true. */
function placesIn(
  { dictionary: { numbers, longitudes }, values }: Column,
  south: number,
  north: number,
  fits: (place: Point) => boolean,
  deadline: Deadline,
): Ranges {
  if (!numbers || !longitudes) return []
  const found: [number, number][] = []
  const end = numbersBefore(numbers, values, north, true)
  for (let at = numbersBefore(numbers, values, south, false); at < end; at++) {
    if (deadline.step()) return found
    if (!fits({ latitude: numbers.at(at), longitude: longitudes.at(at) })) continue
    const last = found.at(-1)
    if (last?.[1] === at) last[1] = at + 1
    else found.push([at, at + 1])
  }
  return found
}
